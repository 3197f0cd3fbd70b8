import assert from 'node:assert/strict';
import { Position, Range, Selection } from 'vscode';
import type { Contract } from './contract';

const at = ({ line, character }: Position) => [line, character];
const ends = (range: Range | undefined) => range && [...at(range.start), ...at(range.end)];

/** Places in texts. */
export const positionContract: Contract = ({ suite, test }) => {
  suite('Position', () => {
    test('has no negative parts', () => {
      assert.throws(() => new Position(-1, 0), /non-negative/);
      assert.throws(() => new Position(0, -1), /non-negative/);
    });

    test('is before, after, or equal to another', () => {
      const [first, second] = [new Position(1, 9), new Position(2, 0)];
      assert.ok(first.isBefore(second) && second.isAfter(first));
      assert.ok(first.isBeforeOrEqual(new Position(1, 9)) && first.isAfterOrEqual(new Position(1, 9)));
      assert.ok(first.isEqual(new Position(1, 9)) && !first.isEqual(second));
      assert.deepEqual(
        [first, second, first].map((one) => one.compareTo(first)),
        [0, 1, 0],
      );
      assert.equal(first.compareTo(second), -1);
    });

    test('moves, and changes one part', () => {
      const place = new Position(1, 2);
      assert.deepEqual(at(place.translate(1, -1)), [2, 1]);
      assert.deepEqual(at(place.translate({ characterDelta: 3 })), [1, 5]);
      assert.deepEqual(at(place.with(4)), [4, 2]);
      assert.deepEqual(at(place.with({ character: 0 })), [1, 0]);
      assert.throws(() => place.translate(-2), /non-negative/);
    });
  });

  suite('Range', () => {
    test('has its ends in order', () => {
      assert.deepEqual(ends(new Range(2, 1, 0, 5)), [0, 5, 2, 1]);
      assert.deepEqual(ends(new Range(new Position(1, 4), new Position(1, 2))), [1, 2, 1, 4]);
    });

    test('says whether it is empty and of a single line', () => {
      assert.deepEqual(
        [new Range(1, 1, 1, 1), new Range(1, 1, 2, 0)].map(({ isEmpty }) => isEmpty),
        [true, false],
      );
      assert.deepEqual(
        [new Range(1, 1, 1, 3), new Range(1, 1, 2, 0)].map((one) => one.isSingleLine),
        [true, false],
      );
    });

    test('contains its ends and what is between them', () => {
      const range = new Range(1, 2, 3, 4);
      assert.ok(range.contains(new Position(1, 2)) && range.contains(new Position(3, 4)));
      assert.ok(!range.contains(new Position(1, 1)) && !range.contains(new Position(3, 5)));
      assert.ok(range.contains(new Range(2, 0, 3, 4)) && !range.contains(new Range(2, 0, 4, 0)));
    });

    test('meets others', () => {
      const range = new Range(1, 0, 2, 0);
      assert.deepEqual(ends(range.intersection(new Range(1, 5, 3, 0))), [1, 5, 2, 0]);
      assert.deepEqual(ends(range.intersection(new Range(2, 0, 3, 0))), [2, 0, 2, 0]);
      assert.equal(range.intersection(new Range(2, 1, 3, 0)), undefined);
      assert.deepEqual(ends(range.union(new Range(4, 0, 5, 0))), [1, 0, 5, 0]);
      assert.ok(range.isEqual(new Range(1, 0, 2, 0)) && !range.isEqual(new Range(1, 0, 2, 1)));
    });

    test('changes one end', () => {
      const range = new Range(1, 0, 2, 0);
      assert.deepEqual(ends(range.with(new Position(0, 3))), [0, 3, 2, 0]);
      assert.deepEqual(ends(range.with({ end: new Position(7, 1) })), [1, 0, 7, 1]);
      assert.equal(range.with(), range);
    });
  });

  suite('Selection', () => {
    test('knows where it began', () => {
      const forward = new Selection(0, 1, 2, 3);
      assert.deepEqual([at(forward.anchor), at(forward.active), forward.isReversed], [[0, 1], [2, 3], false]);
      const backward = new Selection(new Position(2, 3), new Position(0, 1));
      assert.deepEqual([at(backward.anchor), at(backward.active), backward.isReversed], [[2, 3], [0, 1], true]);
      assert.deepEqual(ends(backward), [0, 1, 2, 3]);
      assert.ok(backward instanceof Range);
    });
  });
};
