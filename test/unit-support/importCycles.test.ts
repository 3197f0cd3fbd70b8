import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { importsOf, wayBack } from '../runner/importCycles.mjs';
import { tempFolder } from './tempFolder';

test('finds the shortest way back to a file', () => {
  const imports: Record<string, string[]> = { a: ['b'], b: ['c', 'd'], c: ['d'], d: ['a', 'e'], e: ['e'] };
  const of = (file: string) => imports[file] ?? [];
  assert.deepEqual(wayBack('a', 'b', of), ['b', 'd', 'a']);
  assert.deepEqual(wayBack('e', 'e', of), ['e']);
  assert.equal(wayBack('b', 'e', of), undefined);
});

test('follows types, late parts, and what is exported again', async (t) => {
  const folder = tempFolder(t);
  const [a, b, c, d] = ['a.ts', 'b.ts', 'c.ts', 'd.ts'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  await writeFile(a, "import type { B } from './b';\nimport { join } from 'node:path';\n");
  await writeFile(b, "export * from './c';\n");
  await writeFile(c, "export const late = () => import('./d');\n");
  await writeFile(d, "import { type A } from './a';\n");
  assert.deepEqual(importsOf(a), [b]);
  assert.deepEqual(wayBack(a, b, importsOf), [b, c, d, a]);
});
