import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countOf, paged, requiredText, textOf, type ToolCall } from './tool';

const call = (args: object) => ({ args }) as unknown as ToolCall;

void describe('a list in a result', () => {
  const items = ['a', 'b', 'c', 'd', 'e'];

  void it('says how to get the next page, until the last one', () => {
    const hint = '\n… 3 more. Call again with offset 2.';
    assert.deepEqual(paged(call({}), items, 2), { page: ['a', 'b'], total: 5, nextOffset: 2, hint });
    assert.deepEqual(paged(call({ offset: 4 }), items, 2), { page: ['e'], total: 5, hint: '' });
    assert.deepEqual(paged(call({ offset: 3 }), items, 2), { page: ['d', 'e'], total: 5, hint: '' });
    assert.deepEqual(paged(call({ offset: 9 }), items, 2), { page: [], total: 5, hint: '' });
  });
});

void describe('an argument', () => {
  void it('counts only with the right type and size', () => {
    assert.deepEqual(
      ['x', '', 7].map((value) => textOf(call({ value }), 'value')),
      ['x', undefined, undefined],
    );
    assert.deepEqual(
      [3, 0, 1.5, '3'].map((value) => countOf(call({ value }), 'value', 9, 1)),
      [3, 9, 9, 9],
    );
    assert.throws(() => requiredText(call({}), 'path'), /“path” is missing/);
  });
});
