import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffLines, type LineHunk } from './lineDiff';

function apply(a: readonly string[], b: readonly string[], hunks: readonly LineHunk[]): string[] {
  const result: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    result.push(...a.slice(at, hunk.oldStart), ...b.slice(hunk.newStart, hunk.newEnd));
    at = hunk.oldEnd;
  }
  return [...result, ...a.slice(at)];
}

/** A small seeded random generator, so that failures are reproducible. */
function random(seed: number): (limit: number) => number {
  return (limit) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
}

test('finds no hunk in equal texts', () => {
  assert.deepEqual(diffLines(['a', 'b'], ['a', 'b']), []);
});

test('finds insertions, deletions, and replacements at their position', () => {
  assert.deepEqual(diffLines(['a', 'c'], ['a', 'b', 'c']), [{ oldStart: 1, oldEnd: 1, newStart: 1, newEnd: 2 }]);
  assert.deepEqual(diffLines(['a', 'b', 'c'], ['a', 'c']), [{ oldStart: 1, oldEnd: 2, newStart: 1, newEnd: 1 }]);
  assert.deepEqual(diffLines(['a', 'b', 'c', 'd', 'e'], ['a', 'x', 'c', 'd', 'y']), [
    { oldStart: 1, oldEnd: 2, newStart: 1, newEnd: 2 },
    { oldStart: 4, oldEnd: 5, newStart: 4, newEnd: 5 },
  ]);
});

test('applying the hunks gives the new text, and hunks never touch', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const next = random(seed);
    const lines = (count: number) => Array.from({ length: count }, () => String(next(6)));
    const [a, b] = [lines(next(30)), lines(next(30))];
    const hunks = diffLines(a, b);
    assert.deepEqual(apply(a, b, hunks), b, `seed ${seed}`);
    hunks.slice(1).forEach((hunk, index) => {
      assert.ok(hunk.oldStart > (hunks[index]?.oldEnd ?? 0), `seed ${seed}`);
    });
  }
});

test('compares two long and very different texts in time, keeping shared lines', () => {
  const a = Array.from({ length: 20_000 }, (_, i) => (i % 10 === 0 ? `shared ${i}` : `old ${i}`));
  const b = Array.from({ length: 20_000 }, (_, i) => (i % 10 === 0 ? `shared ${i}` : `new ${i}`));
  const start = performance.now();
  const hunks = diffLines(a, b);
  assert.ok(performance.now() - start < 3000);
  assert.deepEqual(apply(a, b, hunks), b);
  assert.equal(hunks.length, 2000);
});

test('finds one change in 200,000 lines quickly', () => {
  const a = Array.from({ length: 200_000 }, (_, i) => `line ${i}`);
  const b = a.with(100_000, 'changed').toSpliced(150_000, 1);
  const start = performance.now();
  assert.equal(diffLines(a, b).length, 2);
  assert.ok(performance.now() - start < 1500);
});

test('marks an added function from its blank line to its closing brace', () => {
  const a = ['function one() {', '  return 1;', '}', '', 'function three() {', '  return 3;', '}'];
  const two = ['', 'function two() {', '  return 2;', '}'];
  const between = a.toSpliced(3, 0, ...two);
  assert.deepEqual(diffLines(a, between), [{ oldStart: 3, oldEnd: 3, newStart: 3, newEnd: 7 }]);
  assert.deepEqual(diffLines(between, a), [{ oldStart: 3, oldEnd: 7, newStart: 3, newEnd: 3 }]);
  assert.deepEqual(diffLines(a, [...a, ...two]), [{ oldStart: 7, oldEnd: 7, newStart: 7, newEnd: 11 }]);
});

test('counts 3,000 added and removed lines if every second line changed', () => {
  const a = Array.from({ length: 6000 }, (_, at) => `line ${at}`);
  const b = a.map((line, at) => (at % 2 === 0 ? line : `new ${line}`));
  const counts = diffLines(a, b).map(({ oldStart, oldEnd, newStart, newEnd }) => [
    oldEnd - oldStart,
    newEnd - newStart,
  ]);
  assert.equal(counts.length, 3000);
  assert.ok(counts.every(([removed, added]) => removed === 1 && added === 1));
});
