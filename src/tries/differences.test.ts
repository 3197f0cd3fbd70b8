import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linesWithBreaks } from '../review/fileState';
import { differencesOf, textWith } from './differences';

const lines = (text: string) => linesWithBreaks(text.split(' ').join('\n'));

describe('differencesOf', () => {
  it('leaves out what both tries did alike', () => {
    assert.deepEqual(differencesOf(lines('a b c'), lines('a X c'), lines('a X c')), []);
  });

  it('joins changes that overlap or touch, and separates others', () => {
    const found = differencesOf(lines('a b c d e f'), lines('a B c d E f'), lines('a b C d e f'));
    assert.deepEqual(found, [
      { baseStart: 1, baseEnd: 3, left: { start: 1, end: 3, changes: [0] }, right: { start: 1, end: 3, changes: [0] } },
      { baseStart: 4, baseEnd: 5, left: { start: 4, end: 5, changes: [1] }, right: { start: 4, end: 5, changes: [] } },
    ]);
  });

  it('finds the lines of both sides after insertions and deletions', () => {
    const [left, right] = [lines('0 a b c d'), lines('a c d x')];
    const found = differencesOf(lines('a b c d'), left, right);
    const texts = found.map((one) => [
      left.slice(one.left.start, one.left.end).join(''),
      right.slice(one.right.start, one.right.end).join(''),
    ]);
    // The last line of a text has no break, so an addition after it changes it.
    assert.deepEqual(texts, [
      ['0\n', ''],
      ['b\n', ''],
      ['d', 'd\nx'],
    ]);
  });

  it('treats an absent file as one without lines', () => {
    const found = differencesOf([], lines('a b'), []);
    assert.equal(found.length, 1);
    assert.deepEqual(found[0]?.left, { start: 0, end: 2, changes: [0] });
  });
});

describe('textWith', () => {
  it('returns each side for all differences, and the base for none', () => {
    // Every mix of three texts of up to four lines over two letters.
    const texts = ['', 'a', 'b', 'a b', 'b a', 'a a b', 'a b a', 'b b a a', 'a b a b'].map(lines);
    for (const base of texts) {
      for (const left of texts) {
        for (const right of texts) {
          const found = differencesOf(base, left, right);
          assert.equal(textWith(base, left, [], 'left'), base.join(''));
          const common = differencesOf(base, left, left).length;
          assert.equal(common, 0);
          const ofLeft = textWith(base, left, found, 'left');
          const ofRight = textWith(base, right, found, 'right');
          // What both did alike is in neither, so the rest has to agree.
          if (left.join('') === base.join('')) assert.equal(ofRight, right.join(''));
          if (right.join('') === base.join('')) assert.equal(ofLeft, left.join(''));
        }
      }
    }
  });

  it('takes only the lines of the chosen differences', () => {
    const [base, left, right] = [lines('a b c d e'), lines('A b c d E'), lines('a b C d e')];
    const [first, second] = differencesOf(base, left, right);
    assert.ok(first && second);
    assert.equal(textWith(base, left, [first], 'left'), lines('A b c d e').join(''));
    assert.equal(textWith(base, right, [second], 'right'), lines('a b C d e').join(''));
  });
});
