import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ConfigOption } from '../../shared/transcript/transcript';
import { choicesOf, presetGaps, presetValue } from './presetChoices';

const select = (
  configId: string,
  category: string,
  currentValue: string,
  ...values: readonly string[]
): ConfigOption => ({
  configId,
  name: configId,
  category,
  via: 'configOptions',
  type: 'select',
  currentValue,
  choices: values.map((value) => ({ value, name: value.toUpperCase() })),
});
const llm = select('llm', 'model', 'small', 'small', 'large');
const mode = select('mode', 'mode', 'ask', 'ask', 'plan', 'bypassPermissions');
const effort = select('effort', 'thought_level', 'low', 'low', 'high');
const fast: ConfigOption = {
  configId: 'fast',
  name: 'Fast',
  via: 'configOptions',
  type: 'boolean',
  currentValue: false,
};
const all = [llm, mode, effort, fast];

suite('a preset', () => {
  test('gives each option its value, by the agent’s id or name', () => {
    const preset = { model: 'LARGE', mode: 'plan', options: { effort: 'high', fast: true } };
    assert.deepEqual(
      all.map((option) => presetValue(preset, option, all)),
      ['large', 'plan', 'high', true],
    );
    assert.deepEqual(presetGaps(preset, all, 'Claude'), []);
    assert.deepEqual(
      all.map((option) => presetValue({ options: {} }, option, all)),
      [undefined, undefined, undefined, undefined],
    );
  });

  test('says in words what an agent doesn’t offer', () => {
    const preset = { model: 'gone', mode: 'auto', options: { effort: 'max', fast: 'yes', speed: 'high' } };
    assert.deepEqual(presetGaps(preset, all, 'Claude'), [
      'The model “gone” isn’t available.',
      'The mode “auto” isn’t available.',
      'The option “effort” doesn’t have the value “max”.',
      'The option “Fast” doesn’t have the value “yes”.',
      'The option “speed” isn’t available.',
    ]);
    assert.deepEqual(presetGaps({ model: 'large', options: {} }, [mode], 'Claude'), [
      'The model “large” isn’t available.',
    ]);
  });

  test('says that a mode without requests isn’t set', () => {
    const preset = { mode: 'bypassPermissions', options: {} };
    assert.match(presetGaps(preset, all, 'Claude').join(), /“BYPASSPERMISSIONS” isn’t set, because Claude doesn’t ask/);
    const already = { ...mode, currentValue: 'bypassPermissions' } as ConfigOption;
    assert.deepEqual(presetGaps(preset, [already], 'Claude'), []);
  });

  test('holds what a session uses, without a mode that never asks', () => {
    assert.deepEqual(choicesOf(all), {
      choices: { model: 'small', mode: 'ask', options: { effort: 'low', fast: false } },
      omitted: [],
    });
    const already = { ...mode, currentValue: 'bypassPermissions' } as ConfigOption;
    const own = { ...fast, configId: 'yolo', name: 'YOLO', currentValue: true } as ConfigOption;
    assert.deepEqual(choicesOf([already, own, effort]), {
      choices: { options: { effort: 'low' } },
      omitted: ['BYPASSPERMISSIONS', 'YOLO'],
    });
  });
});
