import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { posixOnly } from '../../../../test/unit-support/platform';
import { tempFolder } from '../../../../test/unit-support/tempFolder';
import { FileIndex } from './fileIndex';
import { HiddenFiles } from './hiddenFiles';

function write(root: string, ...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
}

function indexOf(t: TestContext, ...paths: readonly string[]) {
  const root = tempFolder(t);
  write(root, ...paths);
  return { root, index: new FileIndex([{ root, prefix: '', hidden: new HiddenFiles(root, []) }]) };
}

async function listed(index: FileIndex): Promise<readonly string[]> {
  return (await index.list(100, () => true)).map(({ item }) => item.text);
}

test('lists files and folders, outermost first', async (t) => {
  const { index } = indexOf(t, 'b.ts', 'sub/deep/c.ts', 'a.ts');
  await index.ready;
  assert.deepEqual(await listed(index), ['a.ts', 'b.ts', 'sub', 'sub/deep', 'sub/deep/c.ts']);
});

test('notices created and deleted files and folders, except hidden ones', async (t) => {
  const { root, index } = indexOf(t, 'a.ts', 'old/b.ts', 'old/c/d.ts');
  write(root, 'new/in/e.ts', 'node_modules/p/i.js');
  rmSync(join(root, 'old'), { recursive: true });
  await index.update([join(root, 'new'), join(root, 'old'), join(root, 'node_modules/p/i.js')]);
  assert.deepEqual(await listed(index), ['a.ts', 'new', 'new/in', 'new/in/e.ts']);
  rmSync(join(root, 'a.ts'));
  write(root, 'x/y.ts');
  await index.update([join(root, 'a.ts'), join(root, 'x/y.ts')]);
  assert.deepEqual(await listed(index), ['new', 'x', 'new/in', 'x/y.ts', 'new/in/e.ts']);
});

test('follows a link to an outside folder once, and no cycle', posixOnly, async (t) => {
  const elsewhere = tempFolder(t);
  write(elsewhere, 'f.ts');
  symlinkSync(elsewhere, join(elsewhere, 'self'));
  const root = tempFolder(t);
  write(root, 'a.ts');
  symlinkSync(root, join(root, 'circle'));
  symlinkSync(elsewhere, join(root, 'linked'));
  const index = new FileIndex([{ root, prefix: '', hidden: new HiddenFiles(root, []) }]);
  await index.ready;
  assert.deepEqual(await listed(index), ['a.ts', 'circle', 'linked', 'linked/f.ts', 'linked/self']);
});

test("prefixes paths with the folder's name in multi-root workspaces", async (t) => {
  const [one, two] = [tempFolder(t), tempFolder(t)];
  write(one, 'a.ts');
  write(two, 'a.ts');
  const folders = [
    { root: one, prefix: 'one/', hidden: new HiddenFiles(one, []) },
    { root: two, prefix: 'two/', hidden: new HiddenFiles(two, []) },
  ];
  const index = new FileIndex(folders);
  await index.ready;
  assert.deepEqual(await listed(index), ['one/a.ts', 'two/a.ts']);
  const found = await index.search('two/a', 10, () => true);
  assert.deepEqual(
    found?.map(({ item }) => item.place),
    [join(two, 'a.ts')],
  );
});
