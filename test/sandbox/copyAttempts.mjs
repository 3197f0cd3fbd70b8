// @ts-check
// Attempts of an agent in a copy of its own to reach the folder that the copy was made of, and to have programs started outside.
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { around, call, calls, perl, run, secretIn, steal, system } from './attempt.mjs';

const { folder, user = folder, others = folder } = around;
const theirs = (/** @type {readonly string[]} */ ...names) => join(user, ...names);
const inside = (/** @type {readonly string[]} */ ...names) => join(folder, ...names);
const objects = theirs('.git', 'objects');
let made = 0;
const fresh = () => inside(`copy-${process.pid}-${(made += 1)}`);
const git = (/** @type {readonly string[]} */ ...args) => run('git', '-C', folder, ...args);
/** A loose object that the copy borrows, and the folder that it is in. */
const anObject = () => {
  const name = fs.readdirSync(objects).find((one) => /^[0-9a-f]{2}$/.test(one)) ?? '';
  return join(objects, name, fs.readdirSync(join(objects, name))[0] ?? '');
};

/** @type {readonly import('./attempt.mjs').Attempt[]} */
export const copy = [
  ...['a.txt', 'new.txt', '.env', '.vscode/tasks.json', '.git/config', '.git/HEAD', '.git/hooks/pre-commit'].map(
    (name) => ({ name: `write ${name} of the user`, run: () => fs.writeFileSync(theirs(name), 'evil') }),
  ),
  ...['.git/index', '.git/packed-refs', '.git/commondir', '.git/info/attributes', '.git/refs/heads/evil'].map(
    (name) => ({ name: `create ${name} of the user`, run: () => fs.writeFileSync(theirs(name), 'evil') }),
  ),
  ...[
    'a.txt',
    '.env',
    '.git/config',
    '.git/HEAD',
    '.git/index',
    '.git/logs/HEAD',
    'packages/a/.vscode/settings.json',
  ].map((name) => ({ name: `read ${name} of the user`, run: () => fs.readFileSync(theirs(name), 'utf8') })),
  {
    name: 'list the user’s folder',
    run: () => {
      const found = fs.readdirSync(user).filter((name) => name !== '.git');
      if (found.length === 0) throw new Error('It is empty');
      return found.join();
    },
  },
  {
    name: 'list the user’s folder of git',
    run: () => {
      const found = fs.readdirSync(theirs('.git')).filter((name) => name !== 'objects');
      if (found.length === 0) throw new Error('It is empty');
      return found.join();
    },
  },
  {
    name: 'list the other copies',
    run: () => {
      const found = fs.readdirSync(others).filter((name) => !folder.startsWith(join(others, name)));
      if (found.length === 0) throw new Error('There is none');
      return found.join();
    },
  },
  { name: 'read Parley’s note about the copy', run: () => fs.readdirSync(join(folder, '..', '..', 'git')).join() },
  {
    name: 'write Parley’s settings about the copy',
    run: () => fs.writeFileSync(join(folder, '..', '..', 'git', 'config'), 'evil'),
  },
  {
    name: 'put a folder of git around the copy',
    run: () => fs.mkdirSync(join(folder, '..', '.git', 'objects'), { recursive: true }),
  },
  { name: 'put a file beside the copy', run: () => fs.writeFileSync(join(folder, '..', 'evil'), '') },
  { name: 'rename the copy', run: () => fs.renameSync(folder, `${folder}2`) },
  { name: 'replace the copy by a link', run: () => (fs.rmdirSync(folder), fs.symlinkSync(user, folder)) },
  { name: 'create a borrowed object', run: () => fs.writeFileSync(join(objects, 'evil'), 'evil') },
  { name: 'overwrite a borrowed object', run: () => fs.writeFileSync(anObject(), 'evil') },
  { name: 'make a borrowed object writable', run: () => fs.chmodSync(anObject(), 0o666) },
  { name: 'delete a borrowed object', run: () => fs.rmSync(anObject()) },
  { name: 'delete a folder of objects', run: () => run('rm', '-rf', dirname(anObject())) },
  { name: 'rename a folder of objects', run: () => fs.renameSync(dirname(anObject()), join(objects, 'zz')) },
  { name: 'have the user borrow objects', run: () => fs.writeFileSync(join(objects, 'info', 'alternates'), inside()) },
  {
    name: 'write a borrowed object through a hard link',
    run: () => {
      const link = fresh();
      fs.linkSync(anObject(), link);
      fs.writeFileSync(link, 'evil');
    },
  },
  {
    name: 'write the user’s file through a link',
    run: () => {
      const link = fresh();
      fs.symlinkSync(theirs('a.txt'), link);
      fs.writeFileSync(link, 'evil');
    },
  },
  {
    name: 'read the user’s file through a link to its folder',
    run: () => {
      const link = fresh();
      fs.symlinkSync(user, link);
      return fs.readFileSync(join(link, 'a.txt'), 'utf8');
    },
  },
  {
    name: 'read the user’s file by /proc/self/root',
    run: () => fs.readFileSync(`/proc/self/root${theirs('a.txt')}`, 'utf8'),
  },
  {
    name: 'read the user’s file by /proc/1/root',
    run: () => fs.readFileSync(`/proc/1/root${theirs('a.txt')}`, 'utf8'),
  },
  { name: 'read the user’s file by /proc/1/cwd', run: () => fs.readFileSync(`/proc/1/cwd/${theirs('a.txt')}`, 'utf8') },
  { name: 'walk up from the objects', run: () => fs.readFileSync(join(objects, '..', 'config'), 'utf8') },
  {
    name: 'walk up from an opened folder of objects',
    run: () => {
      const open = fs.openSync(objects, 'r');
      try {
        return fs.readFileSync(`/proc/self/fd/${open}/../config`, 'utf8');
      } finally {
        fs.closeSync(open);
      }
    },
  },
  {
    name: 'uncover the user’s folder',
    run: () => {
      system(calls.umount, user, 2);
      return fs.readFileSync(theirs('a.txt'), 'utf8');
    },
  },
  {
    name: 'uncover the user’s folder with other rights',
    run: () =>
      perl(
        `${call(calls.unshare, 0x10020000)} ${call(calls.umount, user, 2)} open(my $f, "<", "${theirs('a.txt')}") or die "$!\\n"; print <$f>;`,
      ),
  },
  {
    name: 'mount the user’s folder into the copy',
    run: () =>
      perl(`${call(calls.unshare, 0x10020000)} ${call(calls.mount, dirname(user), inside('src'), '', 20480, 0)}`),
  },
  { name: 'push to the user’s repository', run: () => git('push', user, 'HEAD:refs/heads/evil') },
  { name: 'push to its folder of git', run: () => git('push', theirs('.git'), 'HEAD:refs/heads/evil') },
  { name: 'fetch the user’s references', run: () => git('fetch', user, '+refs/*:refs/user/*') },
  { name: 'clone the user’s repository', run: () => git('clone', '--quiet', user, fresh()) },
  {
    name: 'set a setting of the user’s repository',
    run: () => run('git', '-C', user, 'config', 'core.fsmonitor', 'evil'),
  },
  {
    name: 'set a setting by the folder of git',
    run: () => run('git', `--git-dir=${theirs('.git')}`, 'config', 'core.fsmonitor', 'evil'),
  },
  { name: 'set a setting of the user’s', run: () => run('git', 'config', '--global', 'core.fsmonitor', 'evil') },
  {
    name: 'commit in the user’s repository',
    run: () => run('git', '-C', user, 'commit', '--allow-empty', '-m', 'evil'),
  },
  {
    name: 'move the user’s branch',
    run: () => run('git', `--git-dir=${theirs('.git')}`, 'update-ref', 'HEAD', 'HEAD~0'),
  },
  { name: 'collect the user’s garbage', run: () => run('git', `--git-dir=${theirs('.git')}`, 'gc', '--prune=now') },
  { name: 'make a worktree in the user’s repository', run: () => run('git', '-C', user, 'worktree', 'add', fresh()) },
  {
    name: 'write objects where they are borrowed',
    run: () =>
      run('sh', '-c', `cd ${folder} && echo evil | GIT_OBJECT_DIRECTORY=${objects} git hash-object -w --stdin`),
  },
  {
    name: 'repack what is borrowed',
    run: () => run('git', '-C', folder, `--git-dir=${theirs('.git')}`, 'repack', '-ad'),
  },
  {
    name: 'borrow a secret file',
    run: () => secretIn(run('sh', '-c', `echo ${theirs()} > .git/objects/info/alternates; cat ${theirs('.env')}`)),
  },
  { name: 'read the user’s secret', run: () => steal(theirs('.env')) },
  { name: 'find the user’s secret in the copy', run: () => secretIn(run('grep', '-r', around.marker, folder)) },
];

/**
 * Leaves everything in the copy that starts a program if git, or a program that asks git, looks at it. `program` tells that it was started outside.
 * @param {string} program
 */
export function leaveTraps(program) {
  const settings = /** @type {const} */ ([
    ['core.fsmonitor', program],
    ['core.hooksPath', dirname(program)],
    ['core.editor', program],
    ['core.pager', program],
    ['core.sshCommand', program],
    ['core.askPass', program],
    ['core.gitProxy', program],
    ['core.alternateRefsCommand', program],
    ['core.attributesFile', inside('.gitattributes')],
    ['filter.x.clean', program],
    ['filter.x.smudge', program],
    ['filter.x.process', program],
    ['filter.x.required', 'true'],
    ['diff.x.textconv', program],
    ['diff.x.command', program],
    ['diff.external', program],
    ['merge.x.driver', program],
    ['commit.gpgSign', 'true'],
    ['gpg.program', program],
    ['gpg.ssh.program', program],
    ['credential.helper', program],
    ['uploadpack.packObjectsHook', program],
    ['remote.origin.url', `ext::${program}`],
    ['remote.origin.uploadpack', program],
    ['remote.origin.receivepack', program],
    ['remote.origin.vcs', program],
    ['remote.origin.promisor', 'true'],
    ['extensions.partialClone', 'origin'],
    ['protocol.ext.allow', 'always'],
    ['submodule.sub.update', `!${program}`],
    ['alias.status', `!${program}`],
    ['interactive.diffFilter', program],
    ['sequence.editor', program],
    ['trailer.x.command', program],
    ['include.path', inside('more.config')],
  ]);
  fs.writeFileSync(inside('more.config'), `[core]\n\tfsmonitor = ${program}\n`);
  const configure = (/** @type {string} */ where) => {
    for (const [name, value] of settings)
      run('git', '-C', where, 'config', '--file', join(where, '.git', 'config'), name, value);
    for (const hook of [
      'reference-transaction',
      'post-index-change',
      'pre-commit',
      'post-checkout',
      'fsmonitor-watchman',
      'pre-auto-gc',
    ]) {
      fs.mkdirSync(join(where, '.git', 'hooks'), { recursive: true });
      fs.copyFileSync(program, join(where, '.git', 'hooks', hook));
    }
  };
  fs.writeFileSync(inside('.gitattributes'), '* filter=x diff=x merge=x\n');
  for (const name of ['sub', 'deep/er/repository', 'src/inner']) {
    run('git', 'init', '--quiet', inside(name));
    fs.writeFileSync(inside(name, 't'), 't');
    run('git', '-C', inside(name), 'add', 't');
    configure(inside(name));
  }
  // A file that leads to a repository, a folder of git that shares another one, and one that looks like a worktree.
  fs.mkdirSync(inside('byFile'));
  fs.writeFileSync(inside('byFile', '.git'), `gitdir: ${inside('sub', '.git')}\n`);
  fs.mkdirSync(inside('byCommon', '.git'), { recursive: true });
  fs.writeFileSync(inside('byCommon', '.git', 'HEAD'), 'ref: refs/heads/main\n');
  fs.writeFileSync(inside('byCommon', '.git', 'commondir'), inside('sub', '.git'));
  fs.mkdirSync(inside('.git', 'worktrees', 'x'), { recursive: true });
  fs.writeFileSync(inside('.git', 'worktrees', 'x', 'commondir'), inside('sub', '.git'));
  fs.writeFileSync(inside('.git', 'worktrees', 'x', 'gitdir'), inside('byFile', '.git'));
  fs.cpSync(inside('sub', '.git'), inside('bare'), { recursive: true });
  fs.writeFileSync(
    inside('.gitmodules'),
    `[submodule "sub"]\n\tpath = sub\n\turl = ext::${program}\n\tupdate = !${program}\n`,
  );
  configure(folder);
  fs.writeFileSync(inside('.lfsconfig'), `[lfs]\n\turl = ext::${program}\n`);
  fs.writeFileSync(inside('a.txt'), 'changed by the agent\n');
}
