import { test } from 'node:test';
import assert from 'node:assert/strict';
import { monogramOf } from './monogram';

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
