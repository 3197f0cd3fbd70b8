import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FileIndex } from './fileIndex';

let folder: string;

function write(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
}

const indexOf = (globs: readonly string[] = []) => new FileIndex([{ folder, prefix: '', globs }]);

async function shown(index: FileIndex, query: string, ...preferred: readonly string[]): Promise<readonly string[]> {
  const isPreferred = (path: string) => preferred.some((name) => path === join(folder, name));
  const found = (await index.search(query, 5, isPreferred)) ?? [];
  return found.map(({ shown: path, isFolder }) => `${path}${isFolder ? '/' : ''}`);
}

void describe('the index of files to mention', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-index-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  void it('finds names by their letters, the beginnings of words, and capitals', async () => {
    write('src/host/documentWriter.ts', 'src/host/dark_water.ts', 'src/other/download.ts', 'README.md');
    const index = indexOf();
    assert.equal((await shown(index, 'documentw'))[0], 'src/host/documentWriter.ts');
    assert.deepEqual((await shown(index, 'dw')).slice(0, 2).sort(), [
      'src/host/dark_water.ts',
      'src/host/documentWriter.ts',
    ]);
    assert.equal((await shown(index, 'dWri'))[0], 'src/host/documentWriter.ts');
    assert.deepEqual(await shown(index, 'zzz'), []);
  });

  void it('finds folders, and paths by a part of them', async () => {
    write('src/host/a.ts', 'test/host/a.ts');
    const index = indexOf();
    assert.deepEqual([...(await shown(index, 'host'))].slice(0, 2).sort(), ['src/host/', 'test/host/']);
    assert.equal((await shown(index, 'test/ho'))[0], 'test/host/');
    assert.equal((await shown(index, 'test\\host\\a'))[0], 'test/host/a.ts');
  });

  void it('puts open and recent files before others that match as well', async () => {
    write('a/index.ts', 'b/index.ts', 'c/index.ts');
    assert.equal((await shown(indexOf(), 'index', 'c/index.ts'))[0], 'c/index.ts');
  });

  void it('leaves out what ignore files and the settings exclude, also without Git', async () => {
    write('.gitignore', 'dist/a.js', 'src/.gitignore', 'src/own.txt', 'src/b.ts', 'node_modules/p/i.js', 'x.map');
    writeFileSync(join(folder, '.gitignore'), 'dist\n');
    writeFileSync(join(folder, 'src/.gitignore'), 'own.txt\n');
    const found = await indexOf(['**/*.map']).search('', 100);
    assert.deepEqual(
      found?.map(({ shown: path }) => path),
      ['.gitignore', 'src', 'src/.gitignore', 'src/b.ts'],
    );
  });

  void it('follows the ignore files of its repository, also above the folder', async () => {
    write('.git/HEAD', '.gitignore', 'pkg/dist/a.js', 'pkg/a.ts');
    writeFileSync(join(folder, '.gitignore'), 'dist\n');
    const found = await new FileIndex([{ folder: join(folder, 'pkg'), prefix: '', globs: [] }]).search('', 100);
    assert.deepEqual(
      found?.map(({ shown: path }) => path),
      ['a.ts'],
    );
  });

  void it('does not enter folders through links', async () => {
    write('a/b.ts');
    symlinkSync(folder, join(folder, 'a', 'loop'));
    const found = await indexOf().search('', 100);
    assert.deepEqual(
      found?.map(({ shown: path }) => path),
      ['a', 'a/b.ts', 'a/loop'],
    );
  });

  void it('follows what is created and deleted', async () => {
    write('a.ts');
    const index = indexOf();
    await index.build();
    write('new/inner/c.ts', 'new/d.ts');
    await index.added(join(folder, 'new'));
    assert.deepEqual(await shown(index, 'c.ts'), ['new/inner/c.ts']);
    rmSync(join(folder, 'new'), { recursive: true });
    index.removed(join(folder, 'new'));
    assert.deepEqual(await shown(index, 'c.ts'), []);
    assert.deepEqual(await shown(index, ''), ['a.ts']);
  });

  void it('gives up a search when the user has typed on', async () => {
    write(...Array.from({ length: 3000 }, (_, at) => `f${at}.ts`));
    let looks = 0;
    const index = indexOf();
    await index.build();
    const found = await index.search('f1', 5, undefined, () => ++looks > 0);
    // On a fast machine, the search is over before anybody could type on.
    assert.ok(looks === 0 || found === undefined);
  });
});
