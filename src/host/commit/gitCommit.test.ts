import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { needsGit, posixOnly } from '../../../test/unit-support/platform';
import { commitFiles, readUncommitted, type Uncommitted } from './gitCommit';

/** A repository with one commit of `a.txt` and `b.txt`. */
class Repository {
  readonly folder: string;

  constructor(t: TestContext) {
    this.folder = mkdtempSync(join(tmpdir(), 'parley-commit-'));
    t.after(() => rmSync(this.folder, { recursive: true, force: true }));
    this.git('init', '--quiet', '--initial-branch=main');
    this.git('config', 'user.name', 'Ada');
    this.git('config', 'user.email', 'ada@example.com');
    this.write('a.txt', 'one\n');
    this.write('b.txt', 'one\n');
    this.git('add', '.');
    this.git('commit', '--quiet', '--message', 'First');
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', ['-C', this.folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text);
  }

  hook(name: string, script: string): void {
    const path = join(this.folder, '.git/hooks', name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }

  async read(): Promise<Uncommitted> {
    const found = await readUncommitted(this.folder);
    assert.ok(found);
    return found;
  }

  async commit(paths: readonly string[], message = 'Second') {
    const { root, files } = await this.read();
    return commitFiles(
      root,
      files.filter(({ path }) => paths.includes(path)),
      message,
    );
  }

  status(): readonly string[] {
    return this.git('status', '--porcelain').split('\n').filter(Boolean);
  }

  committed(): readonly string[] {
    return this.git('show', '--name-only', '--format=').split('\n').filter(Boolean);
  }
}

test('lists what differs from the last commit, with its lines', needsGit, async (t) => {
  const repository = new Repository(t);
  repository.write('a.txt', 'one\ntwo\n');
  rmSync(join(repository.folder, 'b.txt'));
  repository.write('new é.txt', 'x\ny');
  repository.write('data.bin', 'a\0b');
  const { branch, files, conflicts } = await repository.read();
  assert.equal(branch, 'main');
  assert.deepEqual(conflicts, []);
  assert.deepEqual(
    files.map(({ path, status, counts, isUntracked }) => [path, status, counts?.added, counts?.removed, isUntracked]),
    [
      ['a.txt', 'modified', 1, 0, false],
      ['b.txt', 'deleted', 0, 1, false],
      ['data.bin', 'created', undefined, undefined, true],
      ['new é.txt', 'created', 2, 0, true],
    ],
  );
  const elsewhere = mkdtempSync(join(tmpdir(), 'parley-commit-'));
  t.after(() => rmSync(elsewhere, { recursive: true }));
  assert.equal(await readUncommitted(elsewhere), undefined);
});

test('commits exactly the given files; others stay staged', needsGit, async (t) => {
  const repository = new Repository(t);
  repository.write('a.txt', 'two\n');
  repository.write('b.txt', 'two\n');
  repository.git('add', 'b.txt');
  repository.write('b.txt', 'three\n');
  repository.write('new.txt', 'x\n');
  repository.write('other.txt', 'x\n');
  const result = await repository.commit(['a.txt', 'new.txt'], 'Second: # not a comment\n\nWhy');
  assert.equal(result.kind, 'committed');
  assert.deepEqual(repository.committed(), ['a.txt', 'new.txt']);
  assert.equal(repository.git('log', '-1', '--format=%B').trim(), 'Second: # not a comment\n\nWhy');
  assert.deepEqual(repository.status(), ['MM b.txt', '?? other.txt']);
  assert.equal(repository.git('show', ':b.txt'), 'two\n', 'The staged content is as it was.');
});

test('commits deletions, odd names, and before the first commit', needsGit, async (t) => {
  const repository = new Repository(t);
  rmSync(join(repository.folder, 'b.txt'));
  repository.write('*.txt', 'star\n');
  repository.write('a.txt', 'two\n');
  assert.equal((await repository.commit(['b.txt', '*.txt'])).kind, 'committed');
  assert.deepEqual(repository.committed(), ['*.txt', 'b.txt']);
  assert.deepEqual(repository.status(), [' M a.txt']);
  repository.git('checkout', '--quiet', '--orphan', 'fresh');
  repository.git('rm', '--quiet', '-r', '--force', '--cached', '.');
  assert.equal((await repository.commit(['a.txt'])).kind, 'committed');
  assert.deepEqual(repository.git('ls-files').split('\n').filter(Boolean), ['a.txt']);
});

test('commits nothing if a file changed since it was shown', needsGit, async (t) => {
  const repository = new Repository(t);
  repository.write('a.txt', 'two\n');
  repository.write('new.txt', 'x\n');
  const { root, files } = await repository.read();
  repository.write('a.txt', 'three\n');
  assert.deepEqual(await commitFiles(root, files, 'Second'), { kind: 'changed', paths: ['a.txt'] });
  assert.equal(repository.git('log', '--format=%s').trim(), 'First');
  assert.deepEqual(repository.status(), [' M a.txt', '?? new.txt']);
});

test('a hook that rejects leaves everything as it was', posixOnly, async (t) => {
  const repository = new Repository(t);
  repository.hook('pre-commit', 'echo "Run the linter first." >&2; exit 1');
  repository.write('a.txt', 'two\n');
  repository.write('new.txt', 'x\n');
  const result = await repository.commit(['a.txt', 'new.txt']);
  assert.deepEqual(result, { kind: 'failed', output: 'Run the linter first.' });
  assert.deepEqual(repository.status(), [' M a.txt', '?? new.txt']);
  assert.equal(repository.git('log', '--format=%s').trim(), 'First');
});

test('hooks see and change the message as usual', posixOnly, async (t) => {
  const repository = new Repository(t);
  repository.hook('commit-msg', 'echo "Signed-off-by: Ada" >> "$1"');
  repository.write('a.txt', 'two\n');
  assert.equal((await repository.commit(['a.txt'])).kind, 'committed');
  assert.match(repository.git('log', '-1', '--format=%B'), /^Second\n(\n)?Signed-off-by: Ada/);
});

test('says what git says during a merge', needsGit, async (t) => {
  const repository = new Repository(t);
  repository.git('checkout', '--quiet', '-b', 'side');
  repository.write('a.txt', 'side\n');
  repository.git('commit', '--quiet', '-am', 'Side');
  repository.git('checkout', '--quiet', 'main');
  repository.write('a.txt', 'main\n');
  repository.git('commit', '--quiet', '-am', 'Main');
  assert.throws(() => repository.git('merge', 'side'));
  assert.deepEqual((await repository.read()).conflicts, ['a.txt']);
  repository.write('b.txt', 'two\n');
  const result = await repository.commit(['b.txt']);
  assert.ok(result.kind === 'failed' && /merge/.test(result.output), JSON.stringify(result));
});
