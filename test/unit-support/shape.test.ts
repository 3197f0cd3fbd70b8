import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { floors, foldersIn, fullFolders, functionsIn, limits, longFunctions } from '../shape.mjs';

const sourceFolders = ['src', 'webview'].flatMap(foldersIn);
const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n').length;

suite('the shape of the sources', () => {
  test('has a root that can be read in a minute', () => {
    const path = 'src/host/parley.ts';
    assert.ok(linesOf(path) <= limits.rootLines, `${path} has ${linesOf(path)} lines.`);
    for (const floor of floors) {
      const long = functionsIn(`src/host/${floor}.ts`).filter(({ lines }) => lines > limits.floorFunctionLines);
      assert.deepEqual(long, [], floor);
    }
  });

  test('has floors that import only those below them', () => {
    for (const [at, floor] of floors.entries()) {
      const text = readFileSync(`src/host/${floor}.ts`, 'utf8');
      const imported = [...text.matchAll(/from '\.\/(\w+)'/g)].map(([, name = '']) => name);
      assert.deepEqual(
        imported.filter((name) => !floors.slice(0, at).includes(name)),
        [],
        floor,
      );
    }
  });

  test('has few files in each folder', () => {
    const full = sourceFolders.filter(({ files }) => files.length > limits.folderFiles);
    const found = Object.fromEntries(full.map(({ folder, files }) => [folder, files.length]));
    for (const [folder, count] of Object.entries(found))
      assert.ok(count <= (fullFolders[folder] ?? limits.folderFiles), `${folder} has ${count} files.`);
    const relieved = Object.keys(fullFolders).filter((folder) => found[folder] === undefined);
    assert.deepEqual(relieved, [], 'These need no exception any more.');
  });

  test('has no long function without a reason', () => {
    const long = sourceFolders.flatMap(({ folder, files }) =>
      files.flatMap((file) =>
        functionsIn(`${folder}/${file}`)
          .filter(({ lines }) => lines > limits.functionLines)
          .map(({ name }) => `${file}: ${name}`),
      ),
    );
    assert.deepEqual(long.sort(), Object.keys(longFunctions).sort());
  });

  test('counts the lines of functions and methods', () => {
    const lengths = Object.fromEntries(
      functionsIn('src/shared/values/disposable.ts').map(({ name, lines }) => [name, lines]),
    );
    assert.equal(lengths['toDisposable'], 10);
    assert.equal(lengths['add'], 5);
    assert.equal(lengths['register'], 3);
  });
});
