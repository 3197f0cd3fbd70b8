import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextMode } from './modes';
import type { ConfigOption } from '../transcript/transcript';

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

test("cycles through the modes in the agent's order", () => {
  assert.deepEqual(nextMode([mode('ask', 'ask', 'plan', 'code')]), { configId: 'permission-mode', value: 'plan' });
  assert.equal(after('plan', 'ask', 'plan', 'code'), 'code');
  assert.equal(after('code', 'ask', 'plan', 'code'), 'ask');
});

test('skips a mode that never asks, but can leave it', () => {
  assert.equal(after('plan', 'ask', 'plan', 'bypassPermissions'), 'ask');
  assert.equal(after('bypassPermissions', 'ask', 'plan', 'bypassPermissions'), 'ask');
});

test("starts with the first mode if the current one isn't listed", () => {
  assert.equal(after('gone', 'ask', 'plan'), 'ask');
});

test('returns no next mode if there is no other', () => {
  assert.equal(after('ask', 'ask'), undefined);
  assert.equal(after('ask', 'ask', 'yolo'), undefined);
  assert.equal(nextMode([]), undefined);
  const model: ConfigOption = { ...mode('ask', 'ask', 'plan'), configId: 'model', category: 'model' };
  assert.equal(nextMode([model]), undefined);
});
