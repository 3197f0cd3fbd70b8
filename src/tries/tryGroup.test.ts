import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import type { SessionKey } from '../shared/values/ids';
import { decodeGroup, tryNames, withoutTaken, withTaken, withTurn, type Try, type TryGroup } from './tryGroup';

const one: Try = {
  session: 's1' as SessionKey,
  agentName: 'Claude',
  worktree: 'abc',
  path: resolve('/w/one'),
  branch: 'parley/one',
  base: 'a'.repeat(40),
  use: { ms: 0, costs: [] },
  taken: [],
};
const group: TryGroup = {
  id: 'g',
  createdAt: 1,
  message: 'Do it',
  from: resolve('/w'),
  common: resolve('/w/.git'),
  branch: 'main',
  commit: 'b'.repeat(40),
  check: 'npm test',
  tries: [
    { ...one, preset: 'Fast', start: 'c'.repeat(40), check: { exitCode: 1, ms: 5 } },
    withTaken({ ...one, use: { ms: 3, tokens: 0, costs: [{ amount: 1, currency: 'USD' }] } }, 'a', ['x']),
  ],
};

describe('decodeGroup', () => {
  it('reads what was stored', () => {
    assert.deepEqual(decodeGroup(JSON.parse(JSON.stringify(group))), group);
  });

  it('refuses commits and paths that git could misread', () => {
    assert.equal(decodeGroup({ ...group, commit: '--output=x' }), undefined);
    assert.equal(decodeGroup({ ...group, from: 'w' }), undefined);
    assert.deepEqual(decodeGroup({ ...group, tries: [{ ...one, base: '-x' }] })?.tries, []);
    assert.deepEqual(decodeGroup({ ...group, tries: [{ ...one, start: '-x' }] })?.tries, [one]);
  });
});

describe('withTurn', () => {
  it('adds up only what was reported', () => {
    const first = withTurn(one, { startedAt: 10, endedAt: 30 });
    assert.deepEqual(first.use, { ms: 20, costs: [] });
    const tokens = { total: 5, input: 3, output: 2 };
    const cost = { amount: 0.1, currency: 'USD' };
    const second = withTurn(first, { startedAt: 30, endedAt: 40, model: 'Large', tokens, cost });
    assert.deepEqual(second.use, { ms: 30, tokens: 5, costs: [cost] });
    assert.equal(withTurn(second, { startedAt: 50 }).model, 'Large');
  });
});

describe('withTaken', () => {
  it('adds differences, and a whole file has all of them', () => {
    const some = withTaken(withTaken(one, 'a', ['1']), 'a', ['2', '1']);
    assert.deepEqual(some.taken, [{ path: 'a', changes: ['1', '2'] }]);
    assert.deepEqual(withTaken(some, 'a', ['3'], 3).taken, [{ path: 'a' }]);
    const all = withTaken(some, 'a');
    assert.deepEqual(all.taken, [{ path: 'a' }]);
    assert.deepEqual(withTaken(all, 'a', ['3']).taken, [{ path: 'a' }]);
    assert.deepEqual(withoutTaken(all, 'a').taken, []);
  });
});

it('numbers the tries of an agent that makes several', () => {
  const tries = ['Claude', 'Codex', 'Claude', 'Claude'].map((agentName) => ({ ...one, agentName }));
  assert.deepEqual(tryNames({ tries }), ['Claude 1', 'Codex', 'Claude 2', 'Claude 3']);
});
