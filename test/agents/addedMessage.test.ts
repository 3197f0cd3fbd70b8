import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { until } from '../e2e/poll';
import { agentScene, type AgentScene } from './agentScene';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { allowAll, nameIn, startModel } from './support';

/** Starts at once, and goes on until a file is there. */
const command = 'touch started; until [ -e go ]; do sleep 0.1; done; echo over';
const second = 'Also mention the weather.';

/** Runs the command once, and then says whether it has read the second message. */
function script(request: ModelRequest): ModelStep {
  const isTold = request.prompt.includes(second) || request.result.includes(second);
  if (request.rounds > 0 || isTold) return { text: isTold ? 'The weather is **fine**.' : 'It is done.' };
  return request.tools.includes('exec_command')
    ? { calls: [{ name: 'exec_command', input: { cmd: command, yield_time_ms: 20_000 } }] }
    : { calls: [{ name: 'Bash', input: { command, description: 'Wait for a file' } }] };
}

const { seen, setting } = startModel(script);
const offered = () => seen().map(({ request }) => `${request?.rounds}: ${request?.tools.join(' ')}`);

/** Sends a message during a turn, and sees that the agent reads it without being stopped. */
async function addsMessage({ chat, file }: AgentScene, name: string): Promise<void> {
  await chat.send('Run the command.');
  const asked = allowAll(chat);
  await until(
    () => existsSync(file('started')),
    () => `The command did not start. ${offered().join(' · ')}`,
  );
  await chat.write(second);
  await chat.message.press('Enter');
  const sent = chat.page.getByRole('list', { name: 'Queue' }).getByText('sent', { exact: true });
  await sent
    .or(chat.article('You').filter({ hasText: second }))
    .first()
    .waitFor();
  await writeFile(file('go'), '');
  await asked;
  await chat.untilText(chat.article(nameIn('auto', name)).last(), 'The weather is fine.');
  assert.equal(await chat.article('You').filter({ hasText: second }).count(), 1);
  assert.equal(await chat.page.getByRole('list', { name: 'Queue' }).count(), 0);
  assert.equal(await chat.article('Notice').count(), 0);
}

for (const [key, name] of [
  ['claude', 'Claude'],
  ['codex', 'Codex'],
] as const) {
  agentScene(
    'auto',
    `adds a message to ${name}'s running turn in version 2`,
    { agents: setting(key, 'auto'), files: { 'notes.md': 'notes\n' } },
    (stage) => addsMessage(stage, name),
  );
}
