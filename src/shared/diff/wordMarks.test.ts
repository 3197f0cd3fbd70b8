import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordMarks } from './wordMarks';

test('marks changed words only where that helps', () => {
  const text = 'const res = await retry(() => fetch(url));';
  // With a generous time limit, because the machine may be busy.
  const marks = wordMarks(text, 'const res = await fetch(url);');
  assert.deepEqual(
    marks?.map(([from, to]) => text.slice(from, to)),
    ['retry(() => ', ')'],
  );
  assert.equal(wordMarks('completely different', 'nothing here at all!'), undefined);
  assert.equal(wordMarks('x'.repeat(600), 'y'), undefined);
});
