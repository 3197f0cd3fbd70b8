import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffLines } from '../../shared/diff/lineDiff';
import { applyLineEdits, minimalEdits, type TextChange } from './minimalEdits';
import { rebaseLines } from './rebase';
import { editText, mutated, random } from '../../../test/unit-support/testStates';

function changes(before: string, after: string): TextChange[] {
  const lines = (text: string) => text.split('\n');
  return minimalEdits(lines(before), rebaseLines(lines(before), lines(after), lines(before)));
}

test('replaces only the characters that differ', () => {
  assert.deepEqual(changes('a\nconst x = 1;\nb', 'a\nconst x = 22;\nb'), [
    { startLine: 1, startCharacter: 10, endLine: 1, endCharacter: 11, text: '22' },
  ]);
});

test('excludes unchanged lines of a block from its changes', () => {
  assert.equal(changes('a\nb\nc', 'A\nb\nC').length, 2);
});

test('inserting lines does not move a cursor on the previous line', () => {
  assert.deepEqual(changes('a\nb', 'a\nnew\nb'), [
    { startLine: 1, startCharacter: 0, endLine: 1, endCharacter: 0, text: 'new\n' },
  ]);
});

test('lines at the end include the break before them', () => {
  assert.equal(editText('a', changes('a', 'a\nb')), 'a\nb');
  assert.equal(editText('a\nb', changes('a\nb', 'a')), 'a');
  assert.equal(editText('a\n', changes('a\n', 'a')), 'a');
  assert.equal(editText('a\nb\nc', changes('a\nb\nc', '')), '');
  assert.equal(editText('', changes('', 'a\nb\n')), 'a\nb\n');
});

test('never splits a surrogate pair', () => {
  // 😀 and 😁 differ in their second half, 😀 and 🨀 in their first.
  assert.deepEqual(changes('x 😀 y', 'x 😁 y'), [
    { startLine: 0, startCharacter: 2, endLine: 0, endCharacter: 4, text: '😁' },
  ]);
  assert.deepEqual(changes('x \u{1f600} y', 'x \u{1fa00} y'), [
    { startLine: 0, startCharacter: 2, endLine: 0, endCharacter: 4, text: '\u{1fa00}' },
  ]);
  // The first and the last of both halves.
  const pairs: readonly (readonly [string, string])[] = [
    ['\u{10000}', '\u{10001}'],
    ['\u{10fc00}', '\u{10fc01}'],
    ['\u{10000}', '\u{10400}'],
    ['\u{103ff}', '\u{107ff}'],
  ];
  for (const [before, text] of pairs) {
    const whole = { startLine: 0, startCharacter: 2, endLine: 0, endCharacter: 4, text };
    assert.deepEqual(changes(`x ${before} y`, `x ${text} y`), [whole], text);
  }
});

test('produces the target text for random texts', () => {
  const next = random(7);
  const text = () =>
    Array.from({ length: next(12) }, () => ['', 'a', 'ab', '😀b', '😁b', 'abc'][next(6)] ?? '').join('\n');
  for (let round = 0; round < 1000; round++) {
    const [before, after] = [text(), text()];
    const list = changes(before, after);
    assert.equal(editText(before, list), after, JSON.stringify([before, after]));
    assert.equal(list.length === 0, diffLines(before.split('\n'), after.split('\n')).length === 0);
  }
});

test('neither joins lines nor overlaps when edits touch at the end', () => {
  const write = (base: string, target: string, present: string) => {
    const [was, wanted, now] = [base, target, present].map((text) => text.split('\n')) as [
      string[],
      string[],
      string[],
    ];
    return editText(present, minimalEdits(now, rebaseLines(was, wanted, now)));
  };
  assert.equal(write('l0\nl1\nl2\nl3\n', 'l0\nl1\nl2\nA85\nl3', 'l0\nl1\nl2\n'), 'l0\nl1\nl2\nA85');
  assert.equal(write('l0\nl1\nl2\nl3\nl4\nl5\n', 'l0\nl1\nl2\nl3\nl5', 'l0\nl1\nl2\nl3\nl4\n'), 'l0\nl1\nl2\nl3');
});

test('applies line edits through editor changes to any current text', () => {
  for (let seed = 1; seed <= 20_000; seed++) {
    const next = random(seed);
    const base = Array.from({ length: next(14) }, (_, at) => (next(5) === 0 ? '' : `l${next(4) === 0 ? 0 : at}`));
    base.push('');
    const [target, present] = [mutated(base, 3, 'A', next), mutated(base, 3, 'U', next)];
    const edits = rebaseLines(base, target, present);
    const wanted = applyLineEdits(present, edits).join('\n');
    assert.equal(editText(present.join('\n'), minimalEdits(present, edits)), wanted, `seed ${seed}`);
  }
});
