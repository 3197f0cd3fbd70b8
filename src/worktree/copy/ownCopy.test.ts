import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, test, type TestContext } from 'node:test';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit } from '../../../test/unit-support/platform';
import { keepCopiesIn } from '../../git/copyPlaces';
import { openSource } from './copySource';
import { removeWorktree } from '../end/endWorktree';
import { copyBranches, fetchBranch } from './fetchCopy';
import { createCopy } from './ownCopy';
import { listWorktrees } from '../made/worktreeList';
import { lossOf } from '../end/worktreeLoss';
import { worktreeChanges } from '../bring/worktreeChanges';
import { worktreeOf } from '../made/worktreeOf';

afterEach(() => keepCopiesIn(undefined));

function shop(t: TestContext): GitRepository {
  const repository = new GitRepository(t);
  repository.write('a.txt', 'one\n');
  repository.write('src/b.txt', 'one\n');
  repository.write('.gitignore', '.env*\nnode_modules\n');
  repository.commit();
  keepCopiesIn(join(repository.around, 'copies'));
  return repository;
}

async function copy(repository: GitRepository, ignored: readonly string[] = [], folder = repository.folder) {
  return createCopy(await openSource(folder), ignored, 5);
}

const all = ({ changes }: Awaited<ReturnType<typeof worktreeChanges>>) =>
  changes.map(({ path, from, theirs }) => [path, from, theirs.kind]);

test('a copy has the commit, the branch, and what isn’t committed', needsGit, async (t) => {
  const repository = shop(t);
  repository.git('tag', '-a', '-m', 'Tag', 'v1');
  repository.git('branch', 'other');
  repository.write('a.txt', 'two\n');
  repository.write('new.txt', 'new\n');
  chmodSync(join(repository.folder, 'src/b.txt'), 0o755);
  symlinkSync('a.txt', join(repository.folder, 'link'));
  repository.write('.env', 'TOKEN=1\n');
  repository.write('node_modules/x.js', 'x\n');
  const before = repository.status();
  const { record, cwd, notes } = await copy(repository);
  assert.deepEqual(notes, []);
  assert.equal(cwd, record.path);
  assert.equal(record.branch, 'main');
  assert.deepEqual(repository.status(), before);
  assert.deepEqual(repository.status(cwd), before);
  assert.equal(repository.gitIn(cwd, 'rev-parse', 'HEAD'), repository.git('rev-parse', 'HEAD'));
  assert.equal(repository.gitIn(cwd, 'branch', '--show-current'), 'main');
  assert.equal(repository.gitIn(cwd, 'describe'), 'v1');
  assert.equal(repository.read('a.txt', cwd), 'two\n');
  assert.equal(readlinkSync(join(cwd, 'link')), 'a.txt');
  assert.equal(lstatSync(join(cwd, 'src/b.txt')).mode & 0o777, 0o755);
  assert.equal(repository.has('.env', cwd), false);
  assert.equal(repository.has('node_modules', cwd), false);
  assert.deepEqual(worktreeOf(join(cwd, 'src')), { record, common: join(cwd, '../../git'), isCopy: true });
  assert.deepEqual(all(await worktreeChanges({ record })), []);
});

test('what an agent changes in a copy is found without its settings', needsGit, async (t) => {
  const repository = shop(t);
  repository.write('a.txt', 'two\n');
  const { record, cwd } = await copy(repository);
  const ran = join(repository.around, 'ran');
  const program = join(cwd, 'x.sh');
  writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\ncat\n`, { mode: 0o755 });
  for (const [name, value] of [
    ['core.fsmonitor', program],
    ['filter.x.clean', program],
    ['filter.x.smudge', program],
    ['diff.x.textconv', program],
    ['core.hooksPath', cwd],
  ] as const)
    repository.gitIn(cwd, 'config', name, value);
  repository.write('.gitattributes', '* filter=x diff=x\n', cwd);
  writeFileSync(join(cwd, 'reference-transaction'), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
  writeFileSync(join(cwd, 'post-index-change'), `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
  repository.write('a.txt', 'three\n', cwd);
  rmSync(join(cwd, 'src/b.txt'));
  const found = all(await worktreeChanges({ record }));
  assert.deepEqual(
    found.filter(([path]) => path === 'a.txt' || path === 'src/b.txt'),
    [
      ['a.txt', undefined, 'file'],
      ['src/b.txt', undefined, 'absent'],
    ],
  );
  assert.equal(lstatSync(ran, { throwIfNoEntry: false }), undefined);
  assert.deepEqual(repository.status(), [' M a.txt']);
});

test('a copy outlives the clean-up of the user’s repository', needsGit, async (t) => {
  const repository = shop(t);
  repository.git('switch', '--quiet', '--create', 'gone');
  repository.write('gone.txt', 'gone\n');
  repository.commit('Gone');
  const { cwd } = await copy(repository);
  repository.git('switch', '--quiet', 'main');
  repository.git('branch', '-D', 'gone');
  repository.git('reflog', 'expire', '--expire=now', '--all');
  repository.git('gc', '--prune=now', '--quiet');
  assert.equal(repository.gitIn(cwd, 'show', 'HEAD:gone.txt'), 'gone');
  repository.gitIn(cwd, 'fsck', '--strict');
  repository.write('more.txt', 'more\n', cwd);
  repository.commit('More', cwd);
  assert.equal(repository.gitIn(cwd, 'log', '--format=%s', '-1'), 'More');
});

test('a folder without a repository is copied, too', needsGit, async (t) => {
  const repository = shop(t);
  const folder = join(repository.around, 'plain');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  writeFileSync(join(folder, '.env'), 'TOKEN=1\n');
  const { record, cwd, notes } = await copy(repository, [], folder);
  assert.deepEqual(notes, ['Not copied, because they may have secrets: .env.']);
  assert.equal(readFileSync(join(cwd, 'a.txt'), 'utf8'), 'one\n');
  assert.equal(repository.has('.git', cwd), false);
  assert.equal(repository.has('.git', folder), false);
  writeFileSync(join(cwd, 'a.txt'), 'two\n');
  assert.deepEqual(all(await worktreeChanges({ record })), [['a.txt', undefined, 'file']]);
});

const lossIn = async ({ record }: Awaited<ReturnType<typeof copy>>) => {
  const [listed] = await listWorktrees(join(record.path, '../../git'));
  assert.ok(listed);
  return lossOf({ record, listed });
};

test('removing a copy names everything that is nowhere else', needsGit, async (t) => {
  const repository = shop(t);
  const made = await copy(repository);
  const { cwd, record } = made;
  const nothing = await lossIn(made);
  const { uncommitted, ignored, repositories, detached } = nothing;
  assert.deepEqual([uncommitted, ignored, repositories, detached], [[], [], [], 0]);
  repository.write('a.txt', 'two\n', cwd);
  repository.write('src/b.txt', 'same\n', cwd);
  repository.write('src/b.txt', 'same\n');
  repository.write('.env', 'x\n', cwd);
  repository.gitIn(cwd, 'init', '--quiet', 'inner');
  repository.gitIn(cwd, 'switch', '--quiet', '--create', 'work');
  repository.gitIn(cwd, '-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '-am', 'Two');
  repository.gitIn(
    cwd,
    '-c',
    'user.name=A',
    '-c',
    'user.email=a@b',
    'commit',
    '--quiet',
    '--allow-empty',
    '-m',
    'Gone',
  );
  repository.gitIn(cwd, 'reset', '--quiet', '--hard', 'HEAD~1');
  const loss = await lossIn(made);
  assert.deepEqual(loss.uncommitted, ['a.txt']);
  assert.deepEqual(loss.ignored, ['.env']);
  assert.deepEqual(
    loss.repositories.map(({ path }) => path),
    ['inner'],
  );
  // The second one is only in the log of what was checked out.
  assert.equal(loss.detached, 2);
  const common = join(cwd, '../../git');
  await assert.rejects(() => removeWorktree(common, record, nothing, true), /changed in the meantime/);
  assert.ok(repository.has('a.txt', cwd));
  chmodSync(join(cwd, 'src'), 0o000);
  await removeWorktree(common, record, loss, true);
  assert.equal(repository.has('', join(cwd, '../..')), false);
  assert.equal(repository.git('for-each-ref', 'refs/parley'), '');
});

test('a copy that another folder has replaced isn’t removed', needsGit, async (t) => {
  const repository = shop(t);
  const made = await copy(repository);
  const { cwd, record } = made;
  renameSync(cwd, join(repository.around, 'away'));
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'mine.txt'), 'mine\n');
  const loss = await lossIn(made);
  await assert.rejects(
    () => removeWorktree(join(cwd, '../../git'), record, loss, true),
    /no longer the folder that Parley made/,
  );
  assert.ok(repository.has('mine.txt', cwd));
});

test('commits of a copy are fetched by an explicit step, and checked', needsGit, async (t) => {
  const repository = shop(t);
  const made = await copy(repository);
  const { cwd, record } = made;
  assert.deepEqual(await copyBranches(record), []);
  const ran = join(repository.around, 'ran');
  const program = join(cwd, 'x.sh');
  writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\ncat\n`, { mode: 0o755 });
  repository.write('a.txt', 'two\n', cwd);
  repository.commit('Two', cwd);
  repository.gitIn(cwd, 'tag', 'evil');
  const commit = repository.gitIn(cwd, 'rev-parse', 'HEAD');
  for (const name of ['uploadpack.packObjectsHook', 'core.fsmonitor', 'core.sshCommand', 'core.alternateRefsCommand'])
    repository.gitIn(cwd, 'config', name, program);
  mkdirSync(join(cwd, '.git/hooks'));
  for (const hook of ['reference-transaction', 'post-checkout']) symlinkSync(program, join(cwd, '.git/hooks', hook));
  assert.deepEqual(await copyBranches(record), [{ name: 'main', commit }]);
  await assert.rejects(() => fetchBranch(record, { name: 'main', commit }, 'main'), /already exists/);
  await fetchBranch(record, { name: 'main', commit }, 'parley/two');
  assert.equal(repository.git('rev-parse', 'parley/two'), commit);
  assert.equal(repository.git('tag'), '');
  assert.equal(repository.git('log', '--format=%s', 'main'), 'First');
  assert.deepEqual(repository.status(), []);
  repository.git('fsck', '--strict');
  assert.equal(lstatSync(ran, { throwIfNoEntry: false }), undefined);
  assert.equal((await lossIn(made)).detached, 0);
});

test('objects that git doesn’t accept aren’t fetched', needsGit, async (t) => {
  const repository = shop(t);
  const { cwd, record } = await copy(repository);
  const blob = repository.gitIn(cwd, 'hash-object', '-w', 'a.txt');
  const tree = execFileSync('git', ['-C', cwd, 'mktree'], {
    input: `100644 blob ${blob}\t.git\n`,
    encoding: 'utf8',
  }).trim();
  const id = ['-c', 'user.name=A', '-c', 'user.email=a@b'];
  const commit = repository.gitIn(cwd, ...id, 'commit-tree', tree, '-p', 'HEAD', '-m', 'Evil');
  repository.gitIn(cwd, 'branch', 'evil', commit);
  await assert.rejects(() => fetchBranch(record, { name: 'evil', commit }, 'fetched'), /fsck|hasDotgit|\.git/);
  assert.equal(repository.git('branch', '--list', 'fetched'), '');
});
