import { test } from 'node:test';
import assert from 'node:assert/strict';
import { distinguishAgents, monogramOf, monogramsOf } from './monogram';

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

test('keeps the monograms that were shown when other agents come and go', () => {
  const first = monogramsOf(['Claude']);
  const then = monogramsOf(['Codex', 'Claude', 'Copilot'], first);
  assert.equal(then.get('Claude'), 'C');
  assert.equal(new Set([...then.values()]).size, 3);
  const later = monogramsOf(['Codex'], then);
  assert.equal(later.get('Codex'), then.get('Codex'));
  assert.deepEqual(monogramsOf(['Cline'], later).get('Cline')?.length, 2);
});

test('a page that is loaded again has the same monograms', () => {
  const earlier = new Map([['Claude', 'C']]);
  const shown = distinguishAgents(['Codex', 'Claude'], ['Copilot'], earlier);
  assert.deepEqual(Object.fromEntries(shown), { Claude: 'C', Codex: 'Co' });
});
