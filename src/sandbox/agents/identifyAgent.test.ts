import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { identifyAgent, type CommandLine } from './identifyAgent';

const nameOf = (...command: CommandLine) => identifyAgent([command])?.name;

test('an agent is known by the package that a runner loads', () => {
  const adapter = '@agentclientprotocol/claude-agent-acp';
  assert.equal(nameOf('npx', '-y', adapter), 'claude');
  assert.equal(nameOf('/usr/bin/npx', '--yes', `${adapter}@0.101.0`, '--verbose'), 'claude');
  assert.equal(nameOf(String.raw`C:\node\npx.cmd`, adapter), 'claude');
  assert.equal(nameOf('npm', 'exec', '--', '@google/gemini-cli', '--acp'), 'gemini');
  assert.equal(nameOf('npx', '--package=@openai/codex', 'codex'), 'codex');
  assert.equal(nameOf('npx', '-p', '@openai/codex', '-p', '@openai/codex@1.0.0', 'codex'), 'codex');
  assert.equal(nameOf('pnpm', 'dlx', '@qwen-code/qwen-code'), 'qwen');
  assert.equal(nameOf('uvx', '--from', 'mistral-vibe', 'vibe-acp'), 'vibe');
});

test('an agent is known by its program, or the package around it', posixOnly, (t) => {
  assert.equal(nameOf('opencode', 'acp'), 'opencode');
  assert.equal(nameOf('/opt/homebrew/bin/gemini', '--acp'), 'gemini');
  assert.equal(nameOf('/usr/bin/node', '/n/node_modules/@github/copilot/index.js', '--acp'), 'copilot');
  assert.equal(nameOf('/n/node_modules/@zed-industries/codex-acp-linux-x64/bin/codex-acp'), 'codex');
  const folder = tempFolder(t);
  const script = join(folder, 'lib/node_modules/@google/gemini-cli/dist/index.js');
  mkdirSync(dirname(script), { recursive: true });
  writeFileSync(script, '');
  symlinkSync(script, join(folder, 'mine'));
  assert.equal(nameOf(join(folder, 'mine'), '--acp'), 'gemini');
});

test('no other word of a command line makes an agent known', () => {
  const commands: readonly CommandLine[] = [
    ['opencodex', 'acp'],
    ['/home/claude/bin/other', '--acp'],
    ['npx', '@evil/claude-agent-acp'],
    ['npx', 'claude-acp'],
    ['npx', '--yes', '@evil/x', '@agentclientprotocol/claude-agent-acp'],
    ['npx', '-p', '@evil/x', '-p', '@agentclientprotocol/claude-agent-acp', 'claude'],
    ['npx', 'cline@npm:@evil/x'],
    ['npx', 'github:evil/claude-agent-acp'],
    ['npx', 'file:../claude-agent-acp'],
    ['npm', 'run', '@google/gemini-cli'],
    ['node', '/work/claude-agent-acp/index.js'],
    ['node', '/n/node_modules/@google/gemini-cli/node_modules/evil/index.js'],
    ['node', '/n/node_modules/@evil/gemini-cli/index.js'],
    ['python', '-m', 'claude'],
    ['sh', '-c', 'claude'],
  ];
  for (const command of commands) assert.equal(nameOf(...command), undefined, command.join(' '));
  assert.equal(nameOf('opencode', 'acp', '--model', 'anthropic/claude-sonnet'), 'opencode');
});

test('a program that the agent itself could have written isn’t known', () => {
  const command: CommandLine = ['/work/node_modules/@google/gemini-cli/dist/index.js'];
  assert.equal(identifyAgent([command])?.name, 'gemini');
  assert.equal(identifyAgent([command], ['/work']), undefined);
  assert.equal(identifyAgent([['/work/bin/claude']], ['/work']), undefined);
});

test('of a chain, the first known program counts', () => {
  assert.equal(identifyAgent([['proxy'], ['codex-acp'], ['gemini']])?.name, 'codex');
});
