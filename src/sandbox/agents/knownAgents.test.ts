import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { knownAgents, stateOf } from './knownAgents';

/** Where the agent of this name keeps its files, apart from where it does so by default. */
function moved(name: string, env: Readonly<Record<string, string>>): readonly string[] {
  const agent = knownAgents.find((one) => one.name === name) ?? assert.fail(name);
  const usual = stateOf(agent, '/home/me', {});
  return stateOf(agent, '/home/me', env).filter((path) => !usual.includes(path));
}

test('variables move the folders of agents', posixOnly, () => {
  assert.deepEqual(moved('codex', { CODEX_HOME: '/data/codex' }), ['/data/codex']);
  assert.deepEqual(moved('gemini', { GEMINI_CLI_HOME: '/data' }), ['/data/.gemini']);
  assert.deepEqual(moved('opencode', { XDG_DATA_HOME: '/data', XDG_CACHE_HOME: '/fast' }), [
    '/data/opencode',
    '/fast/opencode',
  ]);
});

test('a relative folder of a variable moves nothing', posixOnly, () => {
  assert.deepEqual(moved('codex', { CODEX_HOME: '.', XDG_DATA_HOME: 'data' }), []);
});

test('an agent’s variable moves no other agent', posixOnly, () => {
  assert.deepEqual(moved('gemini', { CODEX_HOME: '/data/codex' }), []);
});
