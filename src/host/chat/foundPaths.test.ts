import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { candidatesOf, FoundPaths } from './foundPaths';

test('finds the paths in a text that are files of the session', async (context) => {
  const folder = tempFolder(context);
  await mkdir(join(folder, 'first', 'src'), { recursive: true });
  await mkdir(join(folder, 'second'));
  await writeFile(join(folder, 'first', 'src', 'a.ts'), '');
  await writeFile(join(folder, 'second', 'b.ts'), '');
  const paths = new FoundPaths(() => undefined);
  context.after(() => paths.dispose());
  const folders = { cwd: join(folder, 'first'), additionalDirectories: [join(folder, 'second')] };
  const asked = ['src/a.ts', 'b.ts', 'src', 'c.ts', '../second/b.ts', join(folder, 'second', 'b.ts'), 'src/a.ts'];
  const found = await paths.find(folders, asked);
  assert.deepEqual(
    new Map(found.map(({ path, file }) => [path, file])),
    new Map([
      ['src/a.ts', join(folder, 'first', 'src', 'a.ts')],
      ['b.ts', join(folder, 'second', 'b.ts')],
      ['../second/b.ts', join(folder, 'second', 'b.ts')],
      [join(folder, 'second', 'b.ts'), join(folder, 'second', 'b.ts')],
    ]),
  );
  assert.deepEqual(await paths.find(folders, ['//host/share/a.ts', '\\\\host\\a.ts', 'a\0b.ts']), []);
});

test('resolves home and absolute paths once, and others in each folder', () => {
  const folders = { cwd: '/work/a', additionalDirectories: ['/work/b', '/work/a'] };
  assert.deepEqual(candidatesOf('~/x.md', folders), [join(homedir(), 'x.md')]);
  assert.deepEqual(candidatesOf('/etc/../etc/hosts', folders), [join('/etc', 'hosts')]);
  assert.deepEqual(candidatesOf('x.md', folders), [join('/work/a', 'x.md'), join('/work/b', 'x.md')]);
});
