import { test } from 'node:test';
import assert from 'node:assert/strict';
import { monogramOf, monogramsOf } from './monogram';

test("uses one or two letters of the agent's name", () => {
  assert.deepEqual(['Claude', 'Gemini CLI', 'OpenCode', 'qwen-code', 'Ωmega', '', '—'].map(monogramOf), [
    'C',
    'GC',
    'OC',
    'QC',
    'Ω',
    '?',
    '?',
  ]);
});

test('gives agents with the same first letters different monograms, whatever their order', () => {
  const names = ['Copilot', 'Claude', 'Codex', 'Gemini CLI', 'Goose Code', 'Qwen'];
  const found = monogramsOf(names);
  assert.deepEqual(
    names.map((name) => found.get(name)),
    ['Cp', 'Cl', 'Co', 'Ge', 'Go', 'Q'],
  );
  assert.deepEqual([...monogramsOf([...names].reverse())].sort(), [...found].sort());
});
