import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { applyLineEdits } from './minimalEdits';
import { rebaseLines } from './rebase';
import { mutated, random } from '../../../test/unit-support/testStates';
import { tempFolder } from '../../../test/unit-support/tempFolder';

function merge(base: string, target: string, present: string): string {
  const lines = (text: string) => text.split('\n');
  return applyLineEdits(lines(present), rebaseLines(lines(base), lines(target), lines(present))).join('\n');
}

test('removes one of several repeated lines once if both sides removed it', () => {
  assert.equal(merge('a\nb\nc\n\n', 'A\nb\nc\n', 'a\nb\nc\n'), 'A\nb\nc\n');
  assert.equal(merge('a\nb\nc\n\n\n', 'A\nb\nc\n', 'a\nb\nc\n'), 'A\nb\nc\n');
  assert.equal(merge('l1\nl2\n\nl3\n\n', 'l1\nX\nl2\n\nl3\n', 'l1\nl2\n\nl3\n'), 'l1\nX\nl2\n\nl3\n');
  assert.equal(merge('a\n\n\nb\nc\nd\n', 'a\n\nb\nc\nD\n', 'a\n\nb\nc\nd\n'), 'a\n\nb\nc\nD\n');
  assert.equal(merge('}\n}\n}\nx\ny\n', '}\n}\nx\nY\n', '}\n}\nx\ny\n'), '}\n}\nx\nY\n');
});

test('removes all repeated lines that the side with the larger deletion removed', () => {
  assert.equal(merge('a\n\n\n\nb\nc\n', 'a\n\nb\nC\n', 'a\n\n\nb\nc\n'), 'a\n\nb\nC\n');
  assert.equal(merge('a\n\n\n\nb\nc\n', 'a\n\n\nb\nC\n', 'a\n\nb\nc\n'), 'a\n\nb\nC\n');
  assert.equal(merge('a\nb\nc\nd\ne\n', 'a\nb\nd\nE\n', 'a\ne\n'), 'a\nE\n');
});

test('inserts repeated lines once if both sides inserted them', () => {
  assert.equal(merge('a\nb\n', 'A\nb\n\n', 'a\nb\n\n'), 'A\nb\n\n');
  assert.equal(merge('f\n}\ng\n}\n', 'f\n}\n}\ng\n}\n!', 'f\n}\n}\ng\n}\n'), 'f\n}\n}\ng\n}\n!');
});

test('keeps both braces inserted at one place by user and agent', () => {
  assert.equal(merge('a\nz\n', 'a\nif (b) {\n}\nz\n', 'a\n}\nz\n'), 'a\n}\nif (b) {\n}\nz\n');
});

test('does not delete the blank line where the other side wrote', () => {
  assert.equal(merge('a\n\n\nb\n', 'a\n\nb\n', 'a\ntyped\n\nb\n'), 'a\ntyped\nb\n');
  assert.equal(merge('a\n\n\nb\n', 'a\n\nb\n', 'a\n\ntyped\nb\n'), 'a\ntyped\nb\n');
  assert.equal(merge('a\n\n\nb\n', 'a\nagent\n\nb\n', 'a\n\nb\n'), 'a\nagent\nb\n');
  assert.equal(merge('a\n\n\nb\n', 'a\n\nagent\nb\n', 'a\n\nb\n'), 'a\nagent\nb\n');
});

test('merges like git where git has no conflict', (context) => {
  const folder = tempFolder(context);
  let clean = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const next = random(seed);
    const words = next(3) === 0 ? ['', '}', 'x'] : undefined;
    const word = (at: number) => words?.[next(3)] ?? (next(4) === 0 ? '' : `l${at}`);
    const base = [...Array.from({ length: 2 + next(14) }, (_, at) => word(at)), ''];
    const [target, present] = [mutated(base, 3, 'A', next), mutated(base, 3, 'U', next)];
    const sides = { present, base, target };
    for (const [name, lines] of Object.entries(sides)) writeFileSync(join(folder, name), lines.join('\n'));
    const git = spawnSync('git', ['merge-file', '-p', ...Object.keys(sides)], { cwd: folder, encoding: 'utf8' });
    if (git.status !== 0) continue;
    clean++;
    assert.equal(merge(base.join('\n'), target.join('\n'), present.join('\n')), git.stdout, `seed ${seed}`);
  }
  assert.ok(clean > 40, `${clean} of them`);
});
