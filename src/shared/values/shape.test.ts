import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { anything, boolean, either, fields, list, number, oneOf, optional, text } from './shape';

suite('the shape of stored values', () => {
  test('tells plain values apart', () => {
    assert.ok(text('') && number(0) && boolean(false) && anything(undefined));
    const wrong = [text(1), number('1'), number(NaN), number(Infinity), boolean(0), oneOf('a', 'b')('c')];
    assert.ok(wrong.every((isShaped) => !isShaped));
  });

  test('requires all fields but optional ones, and ignores others', () => {
    const shape = fields({ id: text, at: optional(number) });
    assert.ok(shape({ id: 'a' }) && shape({ id: 'a', at: undefined }) && shape({ id: 'a', at: 1, later: [] }));
    for (const wrong of [{}, { at: 1 }, { id: 'a', at: null }, [], null, undefined, 'a']) assert.ok(!shape(wrong));
  });

  test('looks at every item of a list', () => {
    const shape = list(either(text, fields({ kind: oneOf(1) })));
    assert.ok(shape([]) && shape(['a', { kind: 1 }]));
    for (const wrong of [['a', 2], [{ kind: 2 }], { 0: 'a' }, 'a']) assert.ok(!shape(wrong));
  });
});
