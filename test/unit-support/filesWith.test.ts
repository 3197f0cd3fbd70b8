import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filesWith } from '../runner/filesWith.mjs';

describe('files of tests that are picked by name', () => {
  const files = [
    ['a.ts', "test('reads a file')"],
    ['b.ts', "suite('terminals')"],
    ['c.ts', 'test(`${name}, byte for byte`)'],
  ] as const;
  const found = (...parts: string[]) => filesWith(files, parts).map(([path]) => path);

  it('hold a name, a group’s name, or pieces of a name', () => {
    assert.deepEqual(found('reads a file'), ['a.ts']);
    assert.deepEqual(found('terminals ›'), ['b.ts']);
    assert.deepEqual(found('Latin-1, byte for byte', 'reads'), ['a.ts', 'c.ts']);
  });

  it('are all files if a name is found nowhere', () => {
    assert.deepEqual(found('reads a file', 'writes a file'), ['a.ts', 'b.ts', 'c.ts']);
  });
});
