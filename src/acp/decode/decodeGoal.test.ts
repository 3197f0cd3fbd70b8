import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeGoal } from './decodeGoal';

const air = (goal: unknown) => ({ jetbrains: { air: { version: 1, goal } } });

void describe('a goal in an update', () => {
  void it('is read as Claude and Codex send it', () => {
    const claude = {
      objective: 'All tests pass',
      status: 'active',
      iterations: 3,
      lastReason: 'Two tests fail',
      createdAt: 1795748885755,
      controlMethod: '_session/goal',
    };
    const read = { objective: 'All tests pass', status: 'active', iterations: 3, reason: 'Two tests fail' };
    assert.deepEqual(decodeGoal(air(claude)), read);
    assert.deepEqual(decodeGoal({ goal: claude }), read);
    const codex = { objective: ' Ship ', status: 'limited', tokenBudget: null, tokensUsed: 812, timeUsedSeconds: 75 };
    assert.deepEqual(decodeGoal(air(codex)), { objective: 'Ship', status: 'limited', tokens: 812, seconds: 75 });
    assert.equal(decodeGoal(air(null)), 'none');
  });

  void it('is ignored if malformed, and cut if too long', () => {
    for (const goal of [undefined, 4, 'x', [], {}, { objective: ' ' }, { objective: 5 }]) {
      assert.equal(decodeGoal(air(goal)), undefined);
    }
    assert.equal(decodeGoal(undefined), undefined);
    const odd = { objective: 'x'.repeat(9000), status: 'happy', iterations: -1, tokensUsed: '4', lastReason: '' };
    assert.deepEqual(decodeGoal(air(odd)), { objective: 'x'.repeat(4000) });
  });
});
