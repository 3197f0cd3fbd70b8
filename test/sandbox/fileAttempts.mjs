// @ts-check
// Attempts to change files outside of the folders, or guarded ones in them, and to read secrets.
import * as fs from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { homeSecrets } from './homeSecrets.mjs';
import { around, call, calls, perl, run, secretIn, steal, system } from './attempt.mjs';

const { folder, outside, home } = around;
const file = join(outside, 'file.txt');
const at = (/** @type {readonly string[]} */ ...names) => join(outside, ...names);
const inside = (/** @type {readonly string[]} */ ...names) => join(folder, ...names);
const key = join(home, '.ssh', 'id_rsa');
let made = 0;
/** A path inside that doesn't exist yet. */
const fresh = () => inside(`made-${process.pid}-${(made += 1)}`);

const { O_RDONLY, O_DIRECTORY, O_WRONLY } = fs.constants;
const tmpfile = 0o20200000;
const currentFolder = -100;

/** @type {readonly import('./attempt.mjs').Attempt[]} */
export const writing = [
  { name: 'write to a file', run: () => fs.writeFileSync(file, 'evil') },
  { name: 'append to a file', run: () => fs.appendFileSync(file, 'evil') },
  { name: 'shorten a file', run: () => fs.truncateSync(file, 0) },
  { name: 'create a file', run: () => fs.writeFileSync(at('new'), 'evil') },
  { name: 'create a folder', run: () => fs.mkdirSync(at('folder')) },
  { name: 'create a pipe', run: () => run('mkfifo', at('pipe')) },
  { name: 'create a link', run: () => fs.symlinkSync('/etc/passwd', at('link')) },
  { name: 'create a hard link', run: () => fs.linkSync(file, at('hard')) },
  { name: 'delete a file', run: () => fs.rmSync(file) },
  { name: 'delete a folder', run: () => fs.rmdirSync(at('empty')) },
  { name: 'delete a tree', run: () => run('rm', '-rf', at('tree')) },
  { name: 'rename a file', run: () => fs.renameSync(file, at('renamed')) },
  {
    name: 'move a file out',
    run: () => (fs.writeFileSync(fresh(), ''), fs.renameSync(inside(`made-${process.pid}-${made}`), at('moved'))),
  },
  { name: 'take a file in', run: () => fs.renameSync(file, fresh()) },
  {
    name: 'exchange two files',
    run: () => {
      const own = fresh();
      fs.writeFileSync(own, '');
      system(calls.renameat2, currentFolder, own, currentFolder, file, 2);
    },
  },
  { name: 'copy over a file', run: () => run('cp', '/etc/hostname', file) },
  { name: 'clone into a file', run: () => fs.copyFileSync('/etc/hostname', file, fs.constants.COPYFILE_FICLONE) },
  { name: 'edit a file in place', run: () => run('sed', '-i', 's/o/e/', file) },
  { name: 'change the mode', run: () => fs.chmodSync(file, 0o777) },
  { name: 'change the owner', run: () => fs.chownSync(file, 1, 1) },
  { name: 'change the times', run: () => fs.utimesSync(file, 1, 1) },
  { name: 'set an attribute', run: () => system(calls.setxattr, file, 'user.evil', 'x', 1, 0) },
  { name: 'make a file immutable', isOnMachine: true, run: () => run('chattr', '+i', file) },
  {
    name: 'write through a link in the folder',
    run: () => {
      const link = fresh();
      fs.symlinkSync(file, link);
      fs.writeFileSync(link, 'evil');
    },
  },
  {
    name: 'write through a link to a folder',
    run: () => {
      const link = fresh();
      fs.symlinkSync(outside, link);
      fs.writeFileSync(join(link, 'new'), 'evil');
    },
  },
  {
    name: 'write through a chain of links',
    run: () => {
      const [one, two] = [fresh(), fresh()];
      fs.symlinkSync(two, one);
      fs.symlinkSync(file, two);
      fs.appendFileSync(one, 'evil');
    },
  },
  {
    name: 'write through a hard link in the folder',
    run: () => {
      const link = fresh();
      fs.linkSync(file, link);
      fs.writeFileSync(link, 'evil');
    },
  },
  { name: 'write through the parent folder', run: () => fs.writeFileSync(`${folder}/../outside/file.txt`, 'evil') },
  { name: 'write through /proc/self/root', run: () => fs.writeFileSync(`/proc/self/root${file}`, 'evil') },
  { name: 'write through /proc/self/cwd', run: () => fs.writeFileSync('/proc/self/cwd/../outside/file.txt', 'evil') },
  { name: 'write through /proc/1/root', run: () => fs.writeFileSync(`/proc/1/root${file}`, 'evil') },
  {
    name: 'write through an opened folder',
    run: () => {
      const open = fs.openSync(outside, O_RDONLY | O_DIRECTORY);
      try {
        fs.writeFileSync(`/proc/self/fd/${open}/file.txt`, 'evil');
      } finally {
        fs.closeSync(open);
      }
    },
  },
  {
    name: 'open what is open for reading again for writing',
    run: () => {
      const open = fs.openSync(file, 'r');
      try {
        fs.closeSync(fs.openSync(`/proc/self/fd/${open}`, O_WRONLY));
      } finally {
        fs.closeSync(open);
      }
    },
  },
  { name: 'open a nameless file in a folder', run: () => fs.openSync(outside, O_WRONLY | tmpfile) },
  {
    name: 'map a file into memory for writing',
    run: () =>
      perl(
        `open(my $f, "<", "${file}") or die "$!\\n"; my $r = syscall(9, 0, 4096, 3, 1, fileno($f), 0); die "$!\\n" if $r == -1;`,
      ),
  },
  {
    name: 'open a file by its handle',
    run: () =>
      perl(
        `my $h = pack("LL", 128, 0) . "\\0" x 128; my $m = pack("L", 0); my $p = "${file}"; syscall(${calls.nameToHandle}, -100, $p, $h, $m, 0) == 0 or die "$!\\n"; open(my $r, "<", "/") or die; my $f = syscall(${calls.openByHandle}, fileno($r), $h, 2); die "$!\\n" if $f == -1; syscall(1, $f, $p, 4);`,
      ),
  },
  { name: 'write while a link is swapped', run: swapLinks },
  { name: 'write to the start file of a shell', run: () => fs.appendFileSync(join(home, '.bashrc'), 'evil') },
  { name: 'add a key that may log in', run: addKey },
  {
    name: 'write to the folder of system programs',
    isOnMachine: true,
    run: () => fs.writeFileSync('/usr/bin/evil', ''),
  },
  { name: 'write to the system’s settings', isOnMachine: true, run: () => fs.appendFileSync('/etc/hosts', '') },
];

/** @type {readonly import('./attempt.mjs').Attempt[]} */
export const guarded = [
  { name: 'create a hook of git', run: () => fs.writeFileSync(inside('.git', 'hooks', 'pre-commit'), 'evil') },
  { name: 'change a hook’s mode', run: () => fs.chmodSync(inside('.git', 'hooks'), 0o777) },
  { name: 'set a setting of git', run: () => run('git', '-C', folder, 'config', 'core.fsmonitor', 'evil') },
  {
    name: 'replace the settings of git',
    run: () => {
      const own = fresh();
      fs.writeFileSync(own, 'evil');
      fs.renameSync(own, inside('.git', 'config'));
    },
  },
  {
    name: 'replace the whole folder of git',
    run: () => {
      fs.renameSync(inside('.git'), fresh());
      fs.mkdirSync(inside('.git'));
    },
  },
  { name: 'delete the folder of hooks', run: () => fs.rmdirSync(inside('.git', 'hooks')) },
  {
    name: 'create tasks of the editor',
    run: () => {
      fs.mkdirSync(inside('.vscode'), { recursive: true });
      fs.writeFileSync(inside('.vscode', 'tasks.json'), 'evil');
    },
  },
  {
    name: 'make the editor’s settings a link',
    run: () => {
      fs.rmSync(inside('.vscode'), { recursive: true, force: true });
      fs.symlinkSync(fresh(), inside('.vscode'));
    },
  },
  {
    name: 'change the editor’s settings in a package',
    run: () => fs.writeFileSync(inside('packages', 'a', '.vscode', 'settings.json'), 'evil'),
  },
  { name: 'move a package with the editor’s settings', run: () => fs.renameSync(inside('packages'), fresh()) },
  {
    name: 'replace a secret',
    run: () => {
      const own = fresh();
      fs.writeFileSync(own, 'evil');
      fs.renameSync(own, inside('.env'));
    },
  },
];

/** @type {readonly import('./attempt.mjs').Attempt[]} */
export const reading = [
  { name: 'read a key', run: () => steal(key) },
  {
    name: 'read a key through a link',
    run: () => {
      const link = fresh();
      fs.symlinkSync(key, link);
      return steal(link);
    },
  },
  {
    name: 'read a key through a hard link',
    run: () => {
      const link = fresh();
      fs.linkSync(key, link);
      return steal(link);
    },
  },
  { name: 'read a key through /proc/self/root', run: () => steal(`/proc/self/root${key}`) },
  { name: 'read a key through /proc/1/root', run: () => steal(`/proc/1/root${key}`) },
  { name: 'read a key with another program', run: () => secretIn(run('cat', key)) },
  {
    name: 'list the keys',
    run: () => {
      if (!fs.readdirSync(join(home, '.ssh')).includes('id_rsa')) throw new Error('It is empty');
    },
  },
  ...homeSecrets.map((name) => ({ name: `read ~/${name}`, run: () => steal(join(home, name)) })),
  {
    name: 'list the home folder',
    run: () => {
      if (!fs.readdirSync(home).includes('other-project')) throw new Error('It is empty');
    },
  },
  {
    name: 'keep a file in the home folder',
    run: () => fs.writeFileSync(join(home, 'new.txt'), 'evil'),
  },
  { name: 'read what another agent logs in with', run: () => steal(join(home, '.codex', 'auth.json')) },
  { name: 'read a file of the folder with secrets', run: () => steal(inside('.env')) },
  { name: 'archive a file with secrets', run: () => secretIn(run('tar', '-cO', '-C', folder, '.env')) },
  {
    name: 'uncover a key',
    run: () => {
      system(calls.umount, join(home, '.ssh'), 2);
      return steal(key);
    },
  },
  {
    name: 'uncover a key with other rights',
    run: () =>
      secretIn(
        perl(
          `${call(calls.unshare, 0x10020000)} ${call(calls.umount, join(home, '.ssh'), 2)} open(my $f, "<", "${key}") or die "$!\\n"; print <$f>;`,
        ),
      ),
  },
  {
    name: 'copy the files below what covers them',
    run: () =>
      secretIn(
        perl(
          `${call(calls.unshare, 0x10020000)} ${call(calls.mount, home, `${folder}/packages`, '', 4096, 0)} open(my $f, "<", "${folder}/packages/.ssh/id_rsa") or die "$!\\n"; print <$f>;`,
        ),
      ),
  },
  { name: 'read the memory of the machine', isOnMachine: true, run: () => fs.openSync('/dev/mem', 'r') },
  {
    name: 'read the memory of the kernel',
    isOnMachine: true,
    run: () => {
      const open = fs.openSync('/proc/kcore', 'r');
      fs.readSync(open, Buffer.alloc(4096), 0, 4096, 4096);
    },
  },
  { name: 'create the device of a disk', isOnMachine: true, run: () => run('mknod', fresh(), 'b', '8', '0') },
  { name: 'use a file that was left open', run: leftOpen },
  { name: 'find secrets in the environment', run: () => secretIn(JSON.stringify({ ...process.env, ATTACK: '' })) },
];

/** Writes to a name that leads outside and inside by turns, until an outside file was reached. */
function swapLinks() {
  const [link, own] = [fresh(), fresh()];
  fs.writeFileSync(own, '');
  fs.symlinkSync(own, link);
  const swap = `while (1) { for my $to ("${file}", "${own}") { symlink($to, "${link}~"); rename("${link}~", "${link}"); } }`;
  const swapper = spawn('perl', ['-e', swap], { stdio: 'ignore' });
  try {
    for (let tries = 0; tries < 200_000; tries += 1) {
      const before = fs.readlinkSync(link);
      const open = fs.openSync(link, 'w');
      fs.writeSync(open, 'evil');
      const reached = fs.readlinkSync(`/proc/self/fd/${open}`);
      fs.closeSync(open);
      if (reached === file) return before;
    }
  } finally {
    swapper.kill('SIGKILL');
  }
  throw new Error('The link was never swapped in time');
}

/** The folder of keys can be one that only the sandbox has. */
function addKey() {
  const keys = join(home, '.ssh');
  fs.appendFileSync(join(keys, 'authorized_keys'), 'evil');
  if (fs.readFileSync('/proc/self/mountinfo', 'utf8').includes(` ${keys} `))
    throw new Error('It was written to an empty folder of the sandbox');
}

/** Looks for open files of whoever started the sandbox. */
function leftOpen() {
  const found = fs.readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const path = fs.readlinkSync(`/proc/self/fd/${name}`);
      const isOwn = /^(\/dev\/|\/proc\/|anon_inode:|\/memfd:)/.test(path) || !path.startsWith('/');
      return Number(name) > 2 && !isOwn ? [path] : [];
    } catch {
      return [];
    }
  });
  if (found.length === 0) throw new Error('Nothing was left open');
  return found.join(', ');
}
