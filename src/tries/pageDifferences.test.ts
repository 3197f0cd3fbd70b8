import assert from 'node:assert/strict';
import { it } from 'node:test';
import { linesToCompare } from './differences';
import { changeStamps, differenceWith, pageDifferences, unrelatedDifferences } from './pageDifferences';
import type { TrySide } from './triedFiles';

const side = (text: string): TrySide => ({ kind: 'text', bytes: Buffer.from(text) });
const base = side('a\nb\nc\nd\ne\n');
const left = side('A\nb\nc\nd\nE\n');
const right = side('a\nb\nC\nd\nÉ\n');

it('says what each side changed, and what was taken of it', () => {
  const [first = ''] = changeStamps(linesToCompare(base), linesToCompare(left));
  const content = pageDifferences(base, { side: left, taken: new Set([first]) }, { side: right, taken: new Set() }, []);
  assert.ok(content.kind === 'lines');
  assert.deepEqual(
    content.differences.map((one) => [one.left, one.right, one.hunk.removed, one.hunk.added]),
    [
      ['taken', 'same', ['A'], ['a']],
      ['same', 'changed', ['c'], ['C']],
      ['changed', 'changed', ['E'], ['É']],
    ],
  );
});

it('finds a difference only as long as its lines are the same', () => {
  const content = pageDifferences(base, { side: left, taken: 'all' }, { side: right, taken: 'all' }, []);
  assert.ok(content.kind === 'lines');
  const { id = '', stamp = '' } = content.differences[2]?.hunk ?? {};
  assert.deepEqual(differenceWith(base, left, right, stamp, id)?.right.changes, [1]);
  assert.equal(differenceWith(base, left, side('a\nb\nC\nd\nother\n'), stamp, id), undefined);
});

it('compares sides without a common start, of which nothing can be taken', () => {
  const content = unrelatedDifferences(left, right, []);
  assert.ok(content.kind === 'lines');
  assert.match(content.note ?? '', /different versions/);
  assert.deepEqual(
    content.differences.map((one) => [one.left, one.right, one.hunk.removed, one.hunk.added]),
    [
      ['unknown', 'unknown', ['A'], ['a']],
      ['unknown', 'unknown', ['c'], ['C']],
      ['unknown', 'unknown', ['E'], ['É']],
    ],
  );
  assert.equal(unrelatedDifferences(left, { kind: 'other' }, []).kind, 'words');
});
