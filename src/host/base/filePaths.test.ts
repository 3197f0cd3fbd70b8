import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { homedir } from 'node:os';
import { join, parse, sep } from 'node:path';
import { test, type TestContext } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { fileKey, holdsHome, isInside, resolveTarget, spelledOnDisk } from './filePaths';

async function folder(context: TestContext): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'parley-paths-')));
  context.after(() => rm(path, { recursive: true }));
  return path;
}

test('a file reached through a link has the key of its target', posixOnly, async (context) => {
  const root = await folder(context);
  await mkdir(join(root, 'real'));
  await writeFile(join(root, 'real', 'a.txt'), '');
  await symlink(join(root, 'real'), join(root, 'link'));
  const [direct, linked] = await Promise.all([
    resolveTarget(join(root, 'real', 'a.txt')),
    resolveTarget(join(root, 'link', '..', 'link', 'a.txt')),
  ]);
  assert.equal(linked.realPath, direct.realPath);
  assert.equal(linked.key, direct.key);
  assert.equal(linked.path, join(root, 'link', 'a.txt'));
});

test('places a missing file in its deepest existing folder', posixOnly, async (context) => {
  const root = await folder(context);
  await mkdir(join(root, 'real'));
  await symlink(join(root, 'real'), join(root, 'link'));
  assert.equal((await resolveTarget(join(root, 'link', 'x', 'y.txt'))).realPath, join(root, 'real', 'x', 'y.txt'));
});

test('a dangling link resolves to where it would create a file', posixOnly, async (context) => {
  const root = await folder(context);
  await mkdir(join(root, 'inside'));
  await symlink(join('..', 'outside', 'new.txt'), join(root, 'inside', 'link'));
  const { realPath } = await resolveTarget(join(root, 'inside', 'link'));
  assert.equal(realPath, join(root, 'outside', 'new.txt'));
  assert.ok(!isInside(join(root, 'inside'), realPath));
});

test('rejects circular links instead of hanging', posixOnly, async (context) => {
  const root = await folder(context);
  await symlink(join(root, 'b'), join(root, 'a'));
  await symlink(join(root, 'a'), join(root, 'b'));
  await assert.rejects(resolveTarget(join(root, 'a')), { code: 'ELOOP' });
});

test('treats the folder and its descendants as inside, not similarly named siblings', () => {
  const root = join(tmpdir(), 'work');
  assert.ok(isInside(root, root));
  assert.ok(isInside(root, join(root, '..name', 'a')));
  assert.ok(!isInside(root, `${root}-other`));
  assert.ok(!isInside(root, join(root, '..', 'a')));
  assert.ok(!isInside(root, join(root, '..')));
});

test('keys ignore case where the file system does', () => {
  assert.equal(fileKey('/A/b', 'darwin'), fileKey('/a/B', 'darwin'));
  assert.equal(fileKey('C:\\A', 'win32'), fileKey('c:\\a', 'win32'));
  assert.notEqual(fileKey('/A/b', 'linux'), fileKey('/a/b', 'linux'));
});

test('the home folder and its ancestors are never a session folder', () => {
  const home = join(sep, 'home', 'me');
  for (const folder of [home, join(sep, 'home'), sep]) assert.ok(holdsHome(folder, home), folder);
  for (const folder of [join(home, 'project'), join(sep, 'home', 'm'), join(sep, 'tmp')])
    assert.ok(!holdsHome(folder, home), folder);
  assert.ok(holdsHome(parse(homedir()).root));
});

test("spells paths as on disk where case doesn't matter, and keeps links", async () => {
  const real = (path: string) => () => Promise.resolve(path);
  assert.equal(await spelledOnDisk('/work/readme.md', 'darwin', real('/Work/README.md')), '/Work/README.md');
  assert.equal(await spelledOnDisk('C:\\work\\a', 'win32', real('C:\\Work\\A')), 'C:\\Work\\A');
  assert.equal(await spelledOnDisk('/tmp/a', 'darwin', real('/private/tmp/a')), '/tmp/a');
  assert.equal(await spelledOnDisk('/work/a', 'linux', real('/Work/A')), '/work/a');
  const missing = () => Promise.reject(new Error('ENOENT'));
  assert.equal(await spelledOnDisk('/work/a', 'darwin', missing), '/work/a');
});
