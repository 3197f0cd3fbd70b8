import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { AgentSettings } from '../e2e/harness';
import { inRoot } from '../root.mjs';
import { agentScene, type AgentScene } from './agentScene';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { allowAll, startModel, tool } from './support';

const command = 'echo chained > chained.txt';

/** Runs a command, and then repeats what the agent was asked. */
function script(request: ModelRequest): ModelStep {
  if (request.rounds > 0) return { text: `I was asked: ${request.prompt}` };
  if (request.tools.includes('exec_command')) return { calls: [{ name: 'exec_command', input: { cmd: command } }] };
  return { calls: [{ name: tool(request, 'Bash'), input: { command, description: 'Write a file' } }] };
}

const { setting } = startModel(script);
const claude = setting('claude');
const agentFile = (name: string) => inRoot('test', 'fixtures', 'agents', name);
/** Claude runs what only prints without a question, unless it is told otherwise. */
const files = { '.claude/settings.json': '{ "permissions": { "ask": ["Bash"] } }\n' };

/** The same agent behind two proxies, with a conductor from npm. */
function chained(agents: AgentSettings): AgentSettings {
  const node = process.execPath;
  const proxy = (word: string) => ({ command: node, args: [agentFile('promptProxy.mjs'), word] });
  const chain = {
    conductor: { command: node, args: [agentFile('conductor.mjs'), 'agent'] },
    proxies: [proxy('says the first'), proxy("says the second's")],
  };
  return Object.fromEntries(Object.entries(agents).map(([name, entry]) => [name, { ...entry, ...chain }]));
}

/** Plays a turn through the chain: the prompt is changed twice, and the agent's request comes back to the user. */
async function playsThrough({ chat, file }: AgentScene, name: string): Promise<void> {
  await chat.send('Run the command.');
  const asked = await allowAll(chat);
  assert.ok(asked.length > 0, 'The agent asked before it ran the command.');
  assert.ok(existsSync(file('chained.txt')));
  await chat.article(name).filter({ hasText: "Run the command. | says the first | says the second's" }).waitFor();
}

agentScene(
  1,
  'Claude works behind two proxies and a conductor from npm',
  { agents: () => chained(claude()), files },
  (scene) => playsThrough(scene, 'Claude'),
);
