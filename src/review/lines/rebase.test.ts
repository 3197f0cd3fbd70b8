import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffLines } from '../../shared/diff/lineDiff';
import { applyLineEdits } from './minimalEdits';
import { rebaseLines } from './rebase';
import { random } from '../../../test/unit-support/testStates';

function merge(base: string, target: string, present: string): string {
  const lines = (text: string) => text.split('\n');
  return applyLineEdits(lines(present), rebaseLines(lines(base), lines(target), lines(present))).join('\n');
}

test("returns the agent's text if the user changed nothing", () => {
  assert.equal(merge('a\nb\nc\n', 'a\nB\nc\nd\n', 'a\nb\nc\n'), 'a\nB\nc\nd\n');
  assert.equal(merge('', 'a\n', ''), 'a\n');
  assert.equal(merge('a\n', '', 'a\n'), '');
});

test("keeps the user's changes elsewhere", () => {
  assert.equal(merge('a\nb\nc\nd\n', 'a\nB\nc\nd\n', 'a\nb\nc\nd typed\n'), 'a\nB\nc\nd typed\n');
  assert.equal(merge('a\nb\nc\n', 'a\nb\nC\n', 'typed\na\nb\nc\n'), 'typed\na\nb\nC\n');
  assert.equal(merge('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nc\ntyped'), 'A\nb\nc\ntyped');
});

test('does not treat adjacent lines as overlapping', () => {
  assert.equal(merge('a\nb\nc\n', 'a\nB\nc\n', 'a!\nb\nc!\n'), 'a!\nB\nc!\n');
});

test("prefers the agent's text on the same line", () => {
  assert.equal(merge('a\nb\nc\n', 'a\nB\nc\n', 'a\nb typed\nc\n'), 'a\nB\nc\n');
  assert.equal(merge('a\nb\nc\nd\n', 'a\nX\nd\n', 'a\nb\nc typed\nd!\n'), 'a\nX\nd!\n');
  assert.equal(merge('a\nb\nc\n', 'c\n', 'a\nb typed\nc\n'), 'c\n');
});

test('keeps both insertions at one place', () => {
  assert.equal(merge('a\nz\n', 'a\nagent\nz\n', 'a\nuser\nz\n'), 'a\nuser\nagent\nz\n');
});

test('applies a change once if both sides made it', () => {
  assert.equal(merge('a\nb\n', 'a\nB\n', 'a\nB\n'), 'a\nB\n');
  assert.equal(merge('a\nz\n', 'a\nnew\nz\n', 'a\nnew\nz\n'), 'a\nnew\nz\n');
  assert.equal(merge('a\nz\n', 'a\nnew\nmore\nz\n', 'a\nnew\nz\n'), 'a\nnew\nmore\nz\n');
  assert.equal(merge('a\nb\nz\n', 'a\nz\n', 'a\nz\n'), 'a\nz\n');
});

test('does not duplicate lines trimmed on save beside blank lines', () => {
  const trimmed = ['one\n  \ntwo  \n\nlast\n', 'one\n\ntwo\n\nlast\n'] as const;
  assert.equal(merge(trimmed[0], 'one\nnew\ntwo  \n\nlast\n', trimmed[1]), 'one\nnew\ntwo\n\nlast\n');
  const below = ['a\n  \ntwo  \n\nend', 'a\n\ntwo\n\nend\n'] as const;
  assert.equal(merge(below[0], 'a\nnew\ntwo  \n\nmore\nend', below[1]), 'a\nnew\ntwo\n\nmore\nend\n');
});

test('writing the same text again changes nothing', () => {
  const [base, target, present] = ['a\nb\nc\nd\n', 'a\nB\nc\nd\nnew\n', 'a\nb\nc typed\nd\n'];
  const once = merge(base, target, present);
  assert.equal(merge(base, target, once), once);
});

/** Changes lines in the first or second half of each block of four lines. `mark` makes the new lines unique. */
function changed(lines: readonly string[], half: 0 | 1, mark: string, next: (limit: number) => number): string[] {
  return lines.flatMap((line, index) => {
    const isOurs = (index % 8 < 4 ? 0 : 1) === half && index % 4 !== 3;
    if (!isOurs) return [line];
    switch (next(6)) {
      case 0:
        return [];
      case 1:
        return [`${line} ${mark}`];
      case 2:
        return [`${mark} ${index}`, line];
      default:
        return [line];
    }
  });
}

test('keeps random changes of both sides at different places', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const next = random(seed);
    const base = Array.from({ length: next(60) + 1 }, (_, i) => `line ${i}`);
    const target = changed(base, 0, 'agent', next);
    const present = changed(base, 1, 'user', next);
    const merged = applyLineEdits(present, rebaseLines(base, target, present));
    const mirrored = applyLineEdits(target, rebaseLines(base, present, target));
    assert.deepEqual(merged, mirrored, `seed ${seed}`);
    for (const line of [
      ...target.filter((text) => text.includes('agent')),
      ...present.filter((text) => text.includes('user')),
    ]) {
      assert.ok(merged.includes(line), `seed ${seed}: ${line}`);
    }
  }
});

test('random changes by the agent all apply and win every conflict', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const next = random(seed);
    const lines = (count: number) => Array.from({ length: count }, () => String(next(5)));
    const [base, target, present] = [lines(next(20)), lines(next(20)), lines(next(20))];
    const edits = rebaseLines(base, target, present);
    edits.forEach((edit, index) => {
      assert.ok(edit.start >= (edits[index - 1]?.end ?? 0) && edit.end >= edit.start, `seed ${seed}`);
      assert.ok(edit.end <= present.length, `seed ${seed}`);
    });
    const merged = applyLineEdits(present, edits);
    for (const hunk of diffLines(base, target)) {
      for (const line of target.slice(hunk.newStart, hunk.newEnd)) assert.ok(merged.includes(line), `seed ${seed}`);
    }
    assert.deepEqual(applyLineEdits(base, rebaseLines(base, target, base)), target, `seed ${seed}`);
    assert.deepEqual(rebaseLines(base, base, present), [], `seed ${seed}`);
  }
});
