import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../test/unit-support/tempFolder';
import { defaultLimits } from './baseline';
import { BlobStore } from './blobStore';
import { Recorder } from './recorder';
import { WorkspaceBaseline } from './workspaceBaseline';

const hasGit = spawnSync('git', ['--version']).status === 0;
const withGit = { skip: hasGit ? false : 'git is not installed' };

/** Git for Windows sets this by default: files have CRLF on disk and LF in the repository. */
test('reads a file that git converts with its line breaks on disk', withGit, async (t) => {
  const root = tempFolder(t);
  const home = join(root, 'home');
  await mkdir(home);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', home, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  git('init', '-q', '-b', 'main');
  git('config', 'core.autocrlf', 'true');
  await writeFile(join(home, 'a.txt'), 'one\r\ntwo\r\n');
  await writeFile(join(home, 'b.txt'), 'one\r\n');
  await writeFile(join(home, 'unix.sh'), 'one\n');
  await writeFile(join(home, '.gitattributes'), '*.sh text eol=lf\n');
  git('add', '.');
  git('commit', '-qm', 'one');
  await writeFile(join(home, 'b.txt'), 'one\r\nmore\r\n');
  const recorder = new Recorder(new BlobStore(join(root, 'blobs')), defaultLimits, () => Date.now());
  const baseline = await WorkspaceBaseline.take([home], recorder, { names: new Set(), globs: [] }, defaultLimits);
  t.after(() => baseline.dispose());
  assert.equal(git('show', 'HEAD:a.txt').toString(), 'one\ntwo\n');
  for (const [name, text] of [
    ['a.txt', 'one\r\ntwo\r\n'],
    ['b.txt', 'one\r\nmore\r\n'],
    ['unix.sh', 'one\n'],
  ] as const) {
    const before = await baseline.read(join(home, name));
    assert.equal(before?.kind === 'file' && Buffer.from(before.bytes).toString(), text, name);
  }
  assert.deepEqual(await baseline.changed(), []);
  await writeFile(join(home, 'a.txt'), 'one\r\ntwo!\r\n');
  assert.deepEqual(await baseline.changed(), [join(home, 'a.txt')]);
  assert.equal(await readFile(join(home, 'a.txt'), 'utf8'), 'one\r\ntwo!\r\n');
});
