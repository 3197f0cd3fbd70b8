import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError } from '../agent';
import type { Case } from '../case';
import { until } from '../case';
import { row } from '../row';

/* What real agents do differently, as docs/agents.md numbers it, where it matters what is on the wire. */

const text = (value: string) => ({ type: 'text', text: value });
const chunk = (role: string, value: string) => ({ sessionUpdate: `${role}_message_chunk`, content: text(value) });
const call = (fields: object) => ({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'The call', ...fields });
const change = (fields: object) => ({ sessionUpdate: 'tool_call_update', toolCallId: 'c', ...fields });
const allow = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
const gemini = (agentCapabilities: object = {}) => ({
  initialize: () => ({ protocolVersion: 1, agentInfo: { name: 'gemini-cli', version: '1' }, agentCapabilities }),
});

/** The order in which these texts stand in the chat. */
async function order(t: Case, ...texts: readonly string[]): Promise<readonly string[]> {
  for (const shown of texts) await t.page.sees({ role: 'article', hasText: shown });
  const entries = (await t.page.texts({ css: '[role=feed] article' })).join('\n');
  return [...texts].sort((one, other) => entries.indexOf(one) - entries.indexOf(other));
}

row('Q01', "keeps updates sent before a session's id, even with reused ids", async (t) => {
  const agent = await t.open();
  await t.turn(agent, ({ update }) => update(call({ title: 'Of the first', status: 'completed' })));
  agent.on('session/new', (_params, self) => {
    self.update(chunk('agent', 'Welcome back'), 's2');
    self.update(call({ title: 'Of the second', status: 'completed' }), 's2');
    return { sessionId: 's2' };
  });
  await t.openAnother(agent);
  await t.page.sees({ role: 'article', name: 'Of the second' });
  await t.page.sees({ text: 'Welcome back' });
  await t.page.misses({ role: 'article', name: 'Of the first' });
  await t.close();
  await t.page.sees({ role: 'article', name: 'Of the first' });
  await t.page.misses({ role: 'article', name: 'Of the second' });
});

row('Q02', 'an unannounced child session affects nothing and takes over none', async (t) => {
  const agent = await t.open();
  await t.openAnother(agent);
  await t.turn(agent, async ({ update, say }) => {
    update(call({ title: 'Delegate', status: 'in_progress' }));
    agent.say('words of a child', 's1:subagent:1');
    update({ sessionUpdate: 'subagent_update', sessionId: 's1', title: 'Hostile' });
    agent.say('said in the first', 's1');
    const params = { sessionId: 's1:subagent:1', toolCall: { toolCallId: 'k' }, options: allow };
    assert.equal(await agent.errorCode('session/request_permission', params), -32602);
    const _meta = { claudeCode: { parentToolUseId: 'c' } };
    update({ ...call({ toolCallId: 'n', title: 'Of a child', status: 'failed' }), _meta });
    update(change({ status: 'completed' }));
    // Copilot names the subagent alone: what it does belongs to the call that runs.
    update(call({ toolCallId: 'd', title: 'Delegate more', status: 'in_progress' }));
    const copilot = { 'github.com/copilot': { agentId: 'k' } };
    update({ ...call({ toolCallId: 'm', title: 'Of another child', status: 'failed' }), _meta: copilot });
    update(call({ toolCallId: 'o', title: 'Of the agent', status: 'completed' }));
    say('the end');
  });
  await t.page.sees({ text: 'the end' });
  const below = (parent: string) => `[role=feed] article[aria-label="Tool call: ${parent}"] article`;
  await t.page.sees({ css: below('Delegate'), hasText: 'Of a child' });
  await t.page.sees({ css: below('Delegate more'), hasText: 'Of another child' });
  await t.page.misses({ css: `${below('Delegate')}, ${below('Delegate more')}`, hasText: 'Of the agent' });
  for (const text of ['words of a child', 'said in the first', 'Hostile']) await t.page.misses({ text });
});

row('Q03', 'shows and closes everything an agent does after its response', async (t) => {
  const agent = await t.open();
  await t.turn(agent, ({ say }) => say('begun in the background'));
  assert.equal(await agent.errorCode('_qwencode/start_turn'), -32601);
  agent.say('the result came later');
  agent.update(call({ title: 'Late call', status: 'in_progress' }));
  await t.page.sees({ role: 'article', name: 'Late call' });
  await t.page.sees({ text: 'the result came later' });
  await t.page.misses({ css: '[role=feed][aria-busy=true]' });
  await t.turn(agent, ({ say }) => say('the next answer'));
  await t.page.sees({ role: 'article', name: 'Late call', hasText: 'completed' });
  assert.deepEqual(await order(t, 'the next answer', 'Late call'), ['Late call', 'the next answer']);
});

row('Q04', 'inserts a late replay before the next message, without agent notes', async (t) => {
  const agent = await t.open(gemini({ loadSession: true }));
  await t.turn(agent, ({ say }) => say('live answer'), 'old question');
  const next = t.nextAgent({
    ...gemini({ loadSession: true }),
    'session/load': (_params, self) => {
      // After the answer, which is written first.
      setImmediate(() => {
        self.update(chunk('user', '<session_context>\nnot for people'));
        self.update(chunk('user', 'old question'));
        self.update(chunk('agent', 'replayed answer[Function Call: read_file]'));
        self.update(chunk('user', '[Function Response: read_file]'));
        self.update(call({ title: 'ReadFile', status: 'completed' }));
      });
      return {};
    },
    'session/prompt': (_params, self) => {
      self.say('new answer');
      return { stopReason: 'end_turn' };
    },
  });
  agent.act({ exit: 1 });
  await agent.ended;
  await t.page.startsAgain();
  await t.prompt('new question');
  // What is shown stays where the replay tells it otherwise.
  const texts = ['old question', 'live answer', 'new question', 'new answer'];
  assert.deepEqual(await order(t, ...texts.toReversed()), texts);
  for (const hidden of ['not for people', 'Function Call', 'Function Response', 'replayed answer'])
    await t.page.misses({ text: hidden });
  assert.ok(!(await next).calls.includes('session/new'));
});

row('Q06', 'tolerates features that an agent advertises and then refuses', async (t) => {
  const availableModels = ['small', 'large'].map((modelId) => ({ modelId, name: modelId.toUpperCase() }));
  const agent = await t.open({
    initialize: () => ({ protocolVersion: 1, agentCapabilities: { sessionCapabilities: { close: {} } } }),
    'session/new': () => ({ sessionId: 's1', models: { currentModelId: 'small', availableModels } }),
  });
  await t.page.choose('Model', 'LARGE');
  await t.page.sees({ role: 'article', name: 'Notice' });
  await until(async () => (await t.page.value('Model')) === 'small');
  await t.turn(agent, ({ say }) => say('still here'));
  await t.page.sees({ text: 'still here' });
  await t.close();
  await agent.call('session/close');
  await agent.ended;
});

row('Q07', 'offers a new session after repeated failures', async (t) => {
  const agent = await t.open();
  agent.on('session/prompt', () => {
    throw new AgentError(-32603, 'Internal error', { details: 'Tool result is missing for tool call call_1' });
  });
  for (const message of ['one', 'two']) await t.prompt(message);
  await t.page.sees({ role: 'alert', hasText: 'Tool result is missing' });
  await t.page.sees({ css: '[role=feed] [role=alert] button', hasText: 'Send again' });
  assert.ok((await t.page.texts({ role: 'button', name: 'New session' })).length > 0);
});

row('Q08', 'shows a call that is announced after its request once', async (t) => {
  const agent = await t.open();
  await t.turn(agent, async ({ update }) => {
    update(change({ title: 'Look around', status: 'pending' }));
    const toolCall = { toolCallId: 'c', title: 'Look around', status: 'pending' };
    const asked = agent.ask('session/request_permission', { sessionId: 's1', toolCall, options: allow });
    await t.page.answer('Look around', 'Yes');
    await agent.answer(asked);
    update(change({ status: 'in_progress' }));
    update(call({ title: 'Look around', status: 'pending' }));
    update(change({ status: 'completed' }));
    update(change({ status: 'pending' }));
  });
  await t.page.sees({ role: 'article', name: 'Look around', hasText: 'completed' });
  assert.equal((await t.page.texts({ role: 'article', name: 'Look around' })).length, 1);
});

row('Q10', 'closes open calls when the turn ends', async (t) => {
  const agent = await t.open();
  await t.turn(agent, async ({ update }) => {
    update(call({ toolCallId: 'p', title: 'Never begun', status: 'pending' }));
    update(call({ toolCallId: 'r', title: 'Never done', status: 'in_progress' }));
    await t.cancel();
    await agent.call('session/cancel');
    return 'cancelled';
  });
  for (const name of ['Never begun', 'Never done']) await t.page.sees({ role: 'article', name, hasText: 'cancelled' });
  agent.update(change({ toolCallId: 'r', status: 'completed' }));
  await t.page.sees({ role: 'article', name: 'Never done', hasText: 'completed' });
});

row('Q13', 'replaces output with newer output and shows lone raw values', async (t) => {
  const agent = await t.open();
  await t.turn(agent, ({ update }) => {
    update(call({ title: 'Raw alone', status: 'in_progress' }));
    update(change({ status: 'completed', rawOutput: [{ query: 'a.md', result: 'three lines', success: true }] }));
    const grown = (value: string) => ({ toolCallId: 'g', content: [{ type: 'content', content: text(value) }] });
    update(call({ toolCallId: 'g', title: 'Grown', kind: 'execute', status: 'in_progress' }));
    for (const output of ['tick 1', 'tick 1\n\ntick 2']) update(change(grown(output)));
    update(change({ toolCallId: 'g', status: 'failed' }));
  });
  await t.page.sees({ role: 'article', name: 'Grown', hasText: 'tick 2' });
  assert.equal((await t.page.texts({ role: 'article', name: 'Grown' })).join().split('tick 1').length, 2);
  await t.page.opens('Raw alone');
  await t.page.sees({ role: 'article', name: 'Raw alone', hasText: 'three lines' });
});

row('Q16', 'Gemini creates a file because missing files read as empty', async (t) => {
  const path = join(await t.folder(), 'fresh.md');
  const agent = await t.open(gemini());
  await t.turn(agent, async () => {
    assert.deepEqual(await agent.result('fs/read_text_file', { path }), { content: '' });
    await agent.result('fs/write_text_file', { path, content: '# Fresh\n' });
  });
  assert.equal(await readFile(path, 'utf8'), '# Fresh\n');
});
