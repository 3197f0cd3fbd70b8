import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextMode } from './modes';
import type { ConfigOption } from './transcript';

const mode = (currentValue: string, ...values: readonly string[]): ConfigOption => ({
  configId: 'permission-mode',
  name: 'Mode',
  category: 'mode',
  via: 'configOptions',
  type: 'select',
  currentValue,
  choices: values.map((value) => ({ value, name: value })),
});
const after = (...args: Parameters<typeof mode>) => nextMode([mode(...args)])?.value;

test('the next mode comes in the agent’s order, and the first one after the last', () => {
  assert.deepEqual(nextMode([mode('ask', 'ask', 'plan', 'code')]), { configId: 'permission-mode', value: 'plan' });
  assert.equal(after('plan', 'ask', 'plan', 'code'), 'code');
  assert.equal(after('code', 'ask', 'plan', 'code'), 'ask');
});

test('a mode in which the agent works without asking is skipped, but can be left', () => {
  assert.equal(after('plan', 'ask', 'plan', 'bypassPermissions'), 'ask');
  assert.equal(after('bypassPermissions', 'ask', 'plan', 'bypassPermissions'), 'ask');
});

test('the first mode follows a current one that the agent doesn’t list', () => {
  assert.equal(after('gone', 'ask', 'plan'), 'ask');
});

test('there is no next mode without another one', () => {
  assert.equal(after('ask', 'ask'), undefined);
  assert.equal(after('ask', 'ask', 'yolo'), undefined);
  assert.equal(nextMode([]), undefined);
  const model: ConfigOption = { ...mode('ask', 'ask', 'plan'), configId: 'model', category: 'model' };
  assert.equal(nextMode([model]), undefined);
});
