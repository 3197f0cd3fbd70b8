import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConfigOption } from '../transcript/transcript';
import { isUnattended } from './unattended';

const select = (configId: string, name: string, category: string | undefined, choices: Record<string, string>) =>
  ({
    configId,
    name,
    via: 'configOptions',
    type: 'select',
    currentValue: '',
    ...(category === undefined ? {} : { category }),
    choices: Object.entries(choices).map(([value, label]) => ({ value, name: label })),
  }) as const satisfies ConfigOption;
const toggle = (configId: string, name: string) =>
  ({ configId, name, via: 'configOptions', type: 'boolean', currentValue: false }) as const satisfies ConfigOption;

void describe('settings with which an agent works without asking', () => {
  void it('include modes with such names', () => {
    const mode = select('@mode', 'Mode', 'mode', {
      default: 'Ask',
      yolo: 'YOLO',
      x: 'Full access',
      auto: 'Auto-accept',
    });
    const found = mode.choices.filter(({ value }) => isUnattended(mode, value)).map(({ value }) => value);
    assert.deepEqual(found, ['yolo', 'x']);
  });

  void it('include modes that never ask, not modes that sometimes ask', () => {
    const names = select('mode', 'Mode', 'mode', {
      dontAsk: "Don't ask",
      'https://agent.example/modes#autopilot': 'Autopilot',
      acceptEdits: 'Accept edits',
      plan: 'Plan',
    });
    const descriptions: Record<string, string> = {
      auto: 'Automatically approve tool calls',
      fast: 'Does everything without asking',
      edits: 'Edits files without asking',
      smart: 'Asks before risky actions and approves all others',
      agent: 'Runs commands. Approval is required for the network.',
    };
    const mode: ConfigOption = {
      ...names,
      choices: Object.entries(descriptions).map(([value, description]) => ({ value, name: value, description })),
    };
    const found = (one: ConfigOption & { type: 'select' }) =>
      one.choices.filter(({ value }) => isUnattended(one, value)).map(({ value }) => value);
    assert.deepEqual(found(names), ['dontAsk', 'https://agent.example/modes#autopilot']);
    assert.deepEqual(found(mode), ['auto', 'fast']);
  });

  void it('include options of category permissions that allow everything', () => {
    const all = select('allow_all', 'Allow All', 'permissions', { on: 'On', off: 'Off' });
    assert.deepEqual(
      ['on', 'off'].map((value) => isUnattended(all, value)),
      [true, false],
    );
    const policy = select('policy', 'Permissions', 'permissions', {
      ask: 'Ask',
      any: 'Allow all tools',
      no: 'Never ask',
    });
    assert.deepEqual(
      ['ask', 'any', 'no'].map((value) => isUnattended(policy, value)),
      [false, true, true],
    );
  });

  void it('include switches that approve everything, while they are on', () => {
    for (const option of [
      toggle('auto_approve', 'Auto-approve'),
      toggle('x', 'Auto approve all'),
      toggle('skipPermissions', 'Quick'),
      toggle('y', 'Work without asking'),
    ]) {
      assert.deepEqual([isUnattended(option, true), isUnattended(option, false)], [true, false], option.name);
    }
  });

  void it('exclude switches for other things or for only some requests', () => {
    for (const [id, name] of [
      ['fast', 'Fast answers'],
      ['auto_approve_reads', 'Auto-approve reads'],
      ['autocompact', 'Auto compact'],
      ['ask', 'Ask before every command'],
    ] as const) {
      assert.equal(isUnattended(toggle(id, name), true), false, name);
    }
    assert.equal(isUnattended(select('model', 'Model', 'model', { yolo: 'YOLO 8B' }), 'yolo'), false);
  });
});
