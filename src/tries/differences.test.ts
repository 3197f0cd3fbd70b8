import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diffLines } from '../shared/diff/lineDiff';
import { differencesOf, linesToCompare } from './differences';

const lines = (text: string) => linesToCompare({ kind: 'text', bytes: Buffer.from(text.split(' ').join('\n')) });

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

it('covers each change of both sides once', () => {
  // Every mix of three texts of up to four lines over two letters.
  const texts = ['', 'a', 'b', 'a b', 'b a', 'a a b', 'a b a', 'b b a a', 'a b a b'].map(lines);
  for (const base of texts) {
    for (const left of texts) {
      for (const right of texts) {
        const found = differencesOf(base, left, right);
        const hunks = { left: diffLines(base, left), right: diffLines(base, right) };
        for (const which of ['left', 'right'] as const) {
          const side = which === 'left' ? left : right;
          const changes = found.flatMap((one) => one[which].changes);
          assert.equal(new Set(changes).size, changes.length);
          for (const one of found) {
            // The lines of a difference are the base's with exactly its changes.
            const own = one[which].changes.flatMap((at) => hunks[which][at] ?? []);
            const parts: string[] = [];
            let at = one.baseStart;
            for (const hunk of own) {
              parts.push(...base.slice(at, hunk.oldStart), ...side.slice(hunk.newStart, hunk.newEnd));
              at = hunk.oldEnd;
            }
            parts.push(...base.slice(at, one.baseEnd));
            assert.deepEqual(side.slice(one[which].start, one[which].end), parts);
          }
        }
      }
    }
  }
});
