import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOnlyMode } from './readOnlyMode';
import type { ConfigOption } from '../transcript/transcript';

const modes = (
  current: string,
  ...choices: readonly (string | readonly [string, string, string?])[]
): ConfigOption[] => [
  {
    type: 'select',
    configId: 'mode',
    category: 'mode',
    name: 'Mode',
    via: 'modes',
    currentValue: current,
    choices: choices.map((choice) => {
      const [value, name, description] = typeof choice === 'string' ? [choice, choice] : choice;
      return { value, name, ...(description === undefined ? {} : { description }) };
    }),
  },
];

test('finds the mode in which each known agent only reads', () => {
  const copilot = 'https://agentclientprotocol.com/protocol/session-modes#';
  const agents: readonly (readonly [readonly ConfigOption[], string | undefined])[] = [
    [modes('agent', 'read-only', 'workspace-write', 'agent', 'agent-full-access'), 'read-only'],
    [modes('default', 'default', 'acceptEdits', 'plan', 'bypassPermissions'), 'plan'],
    [modes('default', 'plan', 'default', 'auto-edit', 'yolo'), 'plan'],
    [modes('build', 'build', 'plan'), 'plan'],
    [modes('code', 'architect', 'code', 'ask', 'debug'), 'ask'],
    [modes(`${copilot}agent`, `${copilot}agent`, `${copilot}plan`, `${copilot}autopilot`), `${copilot}plan`],
    [modes('a', ['a', 'Do'], ['b', 'Look', 'Answers without making changes']), 'b'],
    // Not one that is only named alike.
    [modes('agent', 'agent', 'planner-executor', ['x', 'Fast', 'Changes files quickly']), undefined],
    [modes('plan', 'plan', 'default'), undefined],
    [[], undefined],
  ];
  for (const [options, expected] of agents) assert.equal(readOnlyMode(options)?.value, expected);
});
