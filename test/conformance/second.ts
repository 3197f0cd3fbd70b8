import assert from 'node:assert/strict';
import { silent, type Handler, type Params, type ScriptedAgent } from './agent';
import type { Case } from './case';
import { secondName } from './connections';
import type { Message } from './wireSchema';

type Handlers = Readonly<Record<string, Handler>>;

/** How an agent introduces itself in version 2. */
export const introduces = (session: object = {}, more: object = {}): Handlers => ({
  initialize: () => ({
    protocolVersion: 2,
    info: { name: 'second', title: 'Second', version: '1' },
    capabilities: { session },
    ...more,
  }),
  'session/close': () => ({}),
});

/** Opens a session with an agent that speaks version 2. */
export function openSecond(t: Case, handlers: Handlers = {}): Promise<ScriptedAgent> {
  return t.open({ ...introduces(), ...handlers }, { agent: secondName });
}

export const text = (words: string) => ({ type: 'text', text: words });
export const running = { sessionUpdate: 'state_update', state: 'running' };
export const idle = { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' };
export const says = (words: string, messageId = 'm1') => ({
  sessionUpdate: 'agent_message_chunk',
  messageId,
  content: text(words),
});
export const echo = (messageId: string, prompt: unknown) => ({
  sessionUpdate: 'user_message',
  messageId,
  content: prompt,
});

/** Makes the agent answer prompts with their ids, `user-1` and so on, and do `play` in each turn. */
export function playsTurns(agent: ScriptedAgent, play: (agent: ScriptedAgent, turn: number) => unknown): void {
  let count = 0;
  agent.on('session/prompt', async ({ prompt }: Params, _agent, { id }: Message) => {
    count += 1;
    const messageId = `user-${count}`;
    agent.update(echo(messageId, prompt));
    agent.send({ id, result: { messageId } });
    agent.update(running);
    await play(agent, count);
    agent.update(idle);
    return silent;
  });
}

/** Plays one turn and resolves when it is over. */
export async function turn(t: Case, agent: ScriptedAgent, ...updates: readonly Message[]): Promise<void> {
  playsTurns(agent, () => updates.forEach((update) => agent.update(update)));
  await t.prompt('go');
}

/** How often the page shows a message of the user's with this text. */
export async function isShownOnce(t: Case, words: string): Promise<void> {
  const shown = await t.page.texts({ role: 'article', name: 'You' });
  assert.equal(shown.filter((one) => one.includes(words)).length, 1, shown.join('\n'));
}
