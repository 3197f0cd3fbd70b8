import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { GitRepository } from '../../../test/unit-support/gitRepository';
import { needsGit, posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { createWorktree, snapshot, suggestPlace, type WorktreeRequest } from './createWorktree';
import { dirtyFiles, ignoredFiles, openRepository } from '../repository/repository';
import { readRecords } from './worktreeRecord';
import { reportedProblem, WorktreeProblem } from '../repository/worktreeProblem';

function shop(t: TestContext): GitRepository {
  const repository = new GitRepository(t);
  repository.write('a.txt', 'one\n');
  repository.write('src/b.txt', 'one\n');
  repository.write('.gitignore', '.env*\nnode_modules\n');
  repository.commit();
  return repository;
}

async function create(repository: GitRepository, request: Partial<WorktreeRequest> = {}, folder = repository.folder) {
  const opened = await openRepository(folder);
  const branch = request.branch ?? 'parley/fix';
  const path = request.path ?? (await suggestPlace(opened, '', branch));
  return createWorktree(opened, { base: undefined, changes: [], ignored: [], ...request, branch, path }, 5);
}

/** Everything of the user's that must stay as it is. */
function stateOf(repository: GitRepository) {
  const branches = repository.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads');
  return { status: repository.status(), branches, worktrees: repository.git('worktree', 'list') };
}

async function rejects(repository: GitRepository, act: () => Promise<unknown>, message: RegExp): Promise<void> {
  const before = stateOf(repository);
  await assert.rejects(act, (error) => {
    assert.ok(error instanceof WorktreeProblem, String(error));
    assert.match(error.message, message);
    return true;
  });
  assert.deepEqual(stateOf(repository), before);
}

test('creates a worktree beside the repository on a branch of its own', needsGit, async (t) => {
  const repository = shop(t);
  const { record, cwd, notes } = await create(repository);
  assert.equal(cwd, join(repository.around, 'shop.worktrees', 'fix'));
  assert.equal(repository.read('a.txt', cwd), 'one\n');
  assert.equal(repository.gitIn(cwd, 'branch', '--show-current'), 'parley/fix');
  assert.deepEqual(repository.status(), []);
  assert.deepEqual(notes, []);
  assert.deepEqual(await readRecords(join(repository.folder, '.git')), [record]);
  assert.deepEqual(
    { ...record, id: '', base: '' },
    {
      id: '',
      path: cwd,
      branch: 'parley/fix',
      base: '',
      baseBranch: 'main',
      from: repository.folder,
      createdAt: 5,
    },
  );
  assert.equal(record.base, repository.git('rev-parse', 'HEAD'));
});

test('the session’s folder is the same folder in the worktree', needsGit, async (t) => {
  const repository = shop(t);
  const { cwd } = await create(repository, {}, join(repository.folder, 'src'));
  assert.equal(cwd, join(repository.around, 'shop.worktrees', 'fix', 'src'));
});

test('starts from another branch, also from a remote one without following it', needsGit, async (t) => {
  const repository = shop(t);
  repository.git('switch', '--quiet', '--create', 'next');
  repository.write('a.txt', 'next\n');
  repository.commit();
  repository.git('update-ref', 'refs/remotes/origin/far', 'HEAD');
  repository.git('switch', '--quiet', 'main');
  const { cwd, record } = await create(repository, { base: 'next' });
  assert.equal(repository.read('a.txt', cwd), 'next\n');
  assert.equal(record.baseBranch, 'next');
  const far = await create(repository, { base: 'origin/far', branch: 'parley/far' });
  assert.equal(repository.read('a.txt', far.cwd), 'next\n');
  assert.throws(() => repository.gitIn(far.cwd, 'rev-parse', '@{upstream}'));
});

test('brings uncommitted changes along as they are', needsGit, async (t) => {
  const repository = shop(t);
  repository.write('mixed.txt', 'a\r\nb\n');
  repository.commit();
  repository.write('mixed.txt', 'a\r\nb\nc\r\n');
  repository.write('new/deep.txt', 'new\n');
  repository.write('staged.txt', 'staged\n');
  repository.git('add', 'staged.txt');
  rmSync(join(repository.folder, 'src/b.txt'));
  const before = repository.status();
  const changes = await dirtyFiles(await openRepository(repository.folder));
  const { cwd, record } = await create(repository, { changes });
  assert.equal(repository.read('mixed.txt', cwd), 'a\r\nb\nc\r\n');
  assert.equal(repository.read('new/deep.txt', cwd), 'new\n');
  assert.equal(repository.has('src', cwd), false);
  assert.deepEqual(repository.status(cwd), [' M mixed.txt', ' D src/b.txt', '?? new/', '?? staged.txt']);
  assert.deepEqual(repository.status(), before);
  // The base has them, so only what the agent changes later is merged.
  assert.equal(repository.git('show', `${record.base}:new/deep.txt`), 'new');
  repository.gitIn(cwd, 'add', '--all');
  assert.equal(repository.gitIn(cwd, 'diff', '--cached', '--name-only', record.base), '');
});

test('brings along links and a file in the place of a folder', posixOnly, async (t) => {
  const repository = shop(t);
  repository.write('place/x.txt', 'x\n');
  symlinkSync('a.txt', join(repository.folder, 'turned'));
  repository.commit();
  rmSync(join(repository.folder, 'place'), { recursive: true });
  repository.write('place', 'a file\n');
  symlinkSync('a.txt', join(repository.folder, 'link'));
  rmSync(join(repository.folder, 'turned'));
  repository.write('turned/inside.txt', 'inside\n');
  const changes = await dirtyFiles(await openRepository(repository.folder));
  const { cwd } = await create(repository, { changes });
  assert.equal(repository.read('place', cwd), 'a file\n');
  assert.equal(readlinkSync(join(cwd, 'link')), 'a.txt');
  assert.ok(lstatSync(join(cwd, 'turned')).isDirectory());
  assert.equal(repository.read('turned/inside.txt', cwd), 'inside\n');
});

test('copies ignored files by glob, and none of packages', needsGit, async (t) => {
  const repository = shop(t);
  repository.write('.env', 'KEY=1\n');
  repository.write('src/.env.local', 'KEY=2\n');
  repository.write('node_modules/x/.env', 'no\n');
  const opened = await openRepository(repository.folder);
  const ignored = await ignoredFiles(opened, ['.env*']);
  assert.deepEqual([...ignored].sort(), ['.env', 'src/.env.local']);
  const { cwd } = await create(repository, { ignored });
  assert.equal(repository.read('.env', cwd), 'KEY=1\n');
  assert.equal(repository.read('src/.env.local', cwd), 'KEY=2\n');
  assert.deepEqual(repository.status(cwd), []);
});

/** A repository with a committed link that leads out, in whose place the user has a folder with an ignored file. */
function withLinkOut(t: TestContext) {
  const repository = shop(t);
  const outside = tempFolder(t);
  repository.write('kept.txt', 'the user’s\n', outside);
  symlinkSync(outside, join(repository.folder, 'vault'));
  repository.commit();
  rmSync(join(repository.folder, 'vault'));
  repository.write('vault/.env', 'KEY=1\n');
  return { repository, outside };
}

test('brings nothing along through a link that leads out', posixOnly, async (t) => {
  const { repository, outside } = withLinkOut(t);
  const { cwd, notes } = await create(repository, { ignored: ['vault/.env'] });
  assert.equal(readlinkSync(join(cwd, 'vault')), outside);
  assert.deepEqual([repository.has('.env', outside), repository.read('kept.txt', outside)], [false, 'the user’s\n']);
  assert.match(notes.join('\n'), /vault\/\.env couldn’t be copied/);
});

test('removes nothing through a link that leads out', posixOnly, async (t) => {
  const { repository, outside } = withLinkOut(t);
  await create(repository, { changes: [{ path: 'vault/kept.txt', isUntracked: false }] });
  assert.equal(repository.read('kept.txt', outside), 'the user’s\n');
});

test('moves nothing through a link that leads out', posixOnly, async (t) => {
  const { repository, outside } = withLinkOut(t);
  const version = { kind: 'file', bytes: Buffer.from('moved\n'), isExecutable: false } as const;
  const contents = [{ path: 'vault/moved.txt', version }];
  await rejects(repository, () => create(repository, { contents }), /vault\/moved\.txt is behind a link/);
  assert.equal(repository.has('moved.txt', outside), false);
});

test('a repository without a commit gets a sentence', needsGit, async (t) => {
  const repository = new GitRepository(t);
  await assert.rejects(openRepository(repository.folder), /no commit yet.*Commit first/);
});

test('a folder outside of repositories gets a sentence', needsGit, async (t) => {
  const { around } = new GitRepository(t);
  await assert.rejects(openRepository(around), /isn’t in a Git repository.*git init/);
});

test('a branch that is taken gets a sentence', needsGit, async (t) => {
  const repository = shop(t);
  repository.git('branch', 'parley/fix');
  await rejects(repository, () => create(repository), /“parley\/fix” already exists.*[Cc]hoose another/);
});

test('a path that exists gets a sentence, and its files stay', needsGit, async (t) => {
  const repository = shop(t);
  const path = join(repository.around, 'other');
  repository.write('mine.txt', 'mine\n', path);
  await rejects(repository, () => create(repository, { path }), /already exists\. Choose another name/);
  assert.equal(repository.read('mine.txt', path), 'mine\n');
});

test('a place inside the repository is only used if it is ignored', needsGit, async (t) => {
  const repository = shop(t);
  const path = join(repository.folder, 'trees', 'fix');
  await rejects(repository, () => create(repository, { path }), /inside the repository.*parley\.worktrees\.folder/);
  assert.ok(!repository.has('trees'));
  const { cwd } = await create(repository, { path: join(repository.folder, 'node_modules', 'fix') });
  assert.equal(repository.read('a.txt', cwd), 'one\n');
});

test('a detached head is a base like any other', needsGit, async (t) => {
  const repository = shop(t);
  repository.git('checkout', '--quiet', '--detach');
  const { record } = await create(repository);
  assert.equal(record.baseBranch, undefined);
  assert.equal(record.base, repository.git('rev-parse', 'HEAD'));
});

test('unresolved conflicts aren’t brought along', needsGit, async (t) => {
  const repository = shop(t);
  repository.git('switch', '--quiet', '--create', 'other');
  repository.write('a.txt', 'two\n');
  repository.commit();
  repository.git('switch', '--quiet', 'main');
  repository.write('a.txt', 'three\n');
  repository.commit();
  assert.throws(() => repository.git('merge', 'other'));
  await assert.rejects(dirtyFiles(await openRepository(repository.folder)), /a\.txt has conflicts/);
});

test('a bare repository and its worktrees can have more worktrees', needsGit, async (t) => {
  const repository = shop(t);
  const bare = join(repository.around, 'bare.git');
  execFileSync('git', ['clone', '--quiet', '--bare', repository.folder, bare]);
  const first = await create(repository, { branch: 'parley/one', path: join(repository.around, 'one') }, bare);
  assert.equal(repository.read('a.txt', first.cwd), 'one\n');
  const second = await create(repository, { branch: 'parley/two', path: join(repository.around, 'two') }, first.cwd);
  assert.equal(repository.read('a.txt', second.cwd), 'one\n');
});

test('submodules and pointers of LFS are said', needsGit, async (t) => {
  const inner = shop(t);
  const repository = shop(t);
  repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.folder, 'vendor');
  repository.write('.gitattributes', '*.bin filter=lfs\n');
  repository.write('big.bin', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n');
  repository.commit();
  const { notes } = await create(repository);
  assert.equal(notes.length, 2);
  assert.match(notes.join('\n'), /git submodule update --init[\s\S]*big\.bin is only a pointer.*git lfs pull/);
});

test('a worktree of a submodule is beside the repository around it', needsGit, async (t) => {
  const inner = shop(t);
  const repository = shop(t);
  repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.folder, 'vendor');
  repository.commit();
  const opened = await openRepository(join(repository.folder, 'vendor'));
  assert.equal(await suggestPlace(opened, '', 'parley/fix'), join(repository.around, 'shop.worktrees', 'fix'));
});

test('a sparse checkout is said', needsGit, async (t) => {
  const repository = shop(t);
  repository.git('sparse-checkout', 'set', 'src');
  const { notes } = await create(repository);
  assert.match(notes.join('\n'), /sparse checkout.*git sparse-checkout/);
});

test('a failed checkout leaves neither a branch nor a folder', needsGit, async (t) => {
  const repository = shop(t);
  repository.write('.gitattributes', 'a.txt filter=broken\n');
  repository.commit();
  repository.git('config', 'filter.broken.smudge', 'false');
  repository.git('config', 'filter.broken.clean', 'cat');
  repository.git('config', 'filter.broken.required', 'true');
  const path = join(repository.around, 'failed');
  await rejects(repository, () => create(repository, { path }), /Git reported: .*broken.* fix the filter/s);
  assert.equal(repository.has('', path), false);
});

test('a hook that fails leaves a worktree to work in', posixOnly, async (t) => {
  const repository = shop(t);
  const hook = join(repository.folder, '.git/hooks/post-checkout');
  repository.write('.git/hooks/post-checkout', '#!/bin/sh\necho "no tool" >&2\nexit 3\n');
  chmodSync(hook, 0o755);
  const { record, cwd, notes } = await create(repository);
  assert.deepEqual(notes, ['The hook “post-checkout” failed, so something may be missing. Run it there. no tool.']);
  assert.equal(repository.gitIn(cwd, 'branch', '--show-current'), record.branch);
  assert.deepEqual(repository.status(cwd), []);
});

test('a locked branch gets the next step', needsGit, async (t) => {
  const repository = shop(t);
  repository.write('.git/refs/heads/parley/fix.lock', '');
  await rejects(repository, () => create(repository), /Git reported: .*fix\.lock.* delete the lock file/s);
});

test('a folder that is gone gets the next step', needsGit, async (t) => {
  const repository = shop(t);
  const { cwd } = await create(repository);
  rmSync(cwd, { recursive: true });
  await assert.rejects(snapshot(cwd), /Git reported: cannot change to .* Put it back/s);
});

test('the place of the settings can be relative, and names the repository', needsGit, async (t) => {
  const opened = await openRepository(shop(t).folder);
  assert.equal(await suggestPlace(opened, '../trees', 'parley/a b/c'), join(opened.root, '../trees/shop/a-b-c'));
});

test('a worktree’s folder has a short name that Windows can have', async (t) => {
  const outermost = join(tempFolder(t), 'shop');
  const place = (branch: string) => suggestPlace({ outermost }, '', branch);
  assert.equal(await place('parley/nul'), join(`${outermost}.worktrees`, 'session-nul'));
  assert.equal(await place('feature/com1.fix'), join(`${outermost}.worktrees`, 'feature-com1.fix'));
  assert.equal(await place('com1.fix'), join(`${outermost}.worktrees`, 'session-com1.fix'));
  const long = await place(`parley/${'word-'.repeat(50)}`);
  assert.equal(basename(long), `${'word-'.repeat(7)}word`);
  mkdirSync(long, { recursive: true });
  assert.equal(await place(`parley/${'word-'.repeat(50)}`), `${long}-2`);
});

test('a path that is too long gets a next step', () => {
  const err =
    'error: unable to create file src/a/very/long/path.ts: Filename too long\nfatal: Could not reset index file';
  const { message } = reportedProblem('Couldn’t create the worktree', { code: 128, out: Buffer.from(''), err });
  assert.match(
    message,
    /^Couldn’t create the worktree\. Git reported: unable to create file .*path\.ts: Filename too long/,
  );
  assert.match(
    message,
    /reset index file\. Choose a shorter path in the setting parley\.worktrees\.folder.*core\.longpaths true/,
  );
});
