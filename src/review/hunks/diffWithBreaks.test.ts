import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffWithBreaks } from './diffWithBreaks';
import { linesWithBreaks } from '../files/fileState';
import { random } from '../../../test/unit-support/testStates';

function ranges(before: string, after: string): number[][] {
  return diffWithBreaks(linesWithBreaks(before), linesWithBreaks(after)).map((hunk) => [
    hunk.oldStart,
    hunk.oldEnd,
    hunk.newStart,
    hunk.newEnd,
  ]);
}

test('reports a line whose break changed, without its neighbors', () => {
  assert.deepEqual(ranges('a\nb\nc\n', 'a\nb\r\nc\n'), [[1, 2, 1, 2]]);
});

test('joins lines appended after a missing final break to the last line', () => {
  assert.deepEqual(ranges('\na', '\na\n\nb'), [[1, 2, 1, 4]]);
});

test('does not match equal blank lines elsewhere when all breaks change', () => {
  assert.deepEqual(ranges('\na\nb\n\nc', '\r\na\r\nb\r\n\r\nc\n\nd'), [[0, 5, 0, 7]]);
});

test('random texts have separate changes that produce the new text', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const next = random(seed);
    const breaks = ['\n', '\n', '\r\n', '\r'];
    const text = () => Array.from({ length: next(12) }, () => `${next(3)}${breaks[next(4)] ?? ''}`).join('') + 'x';
    const [before, after] = [linesWithBreaks(text()), linesWithBreaks(text())];
    const result: string[] = [];
    let at = 0;
    for (const [index, hunk] of diffWithBreaks(before, after).entries()) {
      assert.ok(index === 0 || hunk.oldStart > at, `seed ${seed}`);
      result.push(...before.slice(at, hunk.oldStart), ...after.slice(hunk.newStart, hunk.newEnd));
      at = hunk.oldEnd;
    }
    assert.deepEqual([...result, ...before.slice(at)], after, `seed ${seed}`);
  }
});
