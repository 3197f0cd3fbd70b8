import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTooLarge } from './limits';

void describe('the size of a diagram', () => {
  void it('is too large with a number that creates millions of things', () => {
    assert.equal(isTooLarge('block-beta\nspace:9999999\na'), true);
    assert.equal(isTooLarge('---\ntitle: x\n---\nblock\ncolumns 9999999'), true);
    assert.equal(isTooLarge('packet-beta\n0-99999999: "x"'), true);
  });

  void it('leaves large numbers alone where they are values', () => {
    assert.equal(isTooLarge('pie\n  "Users" : 9999999'), false);
    assert.equal(isTooLarge('block-beta\nspace:3\na'), false);
  });

  void it('has a limit for characters and lines', () => {
    assert.equal(isTooLarge(`flowchart TD\n${'  a --> b\n'.repeat(2000)}`), true);
    assert.equal(isTooLarge(`pie\n${'x'.repeat(50_000)}`), true);
  });
});
