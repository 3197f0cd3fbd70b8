import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, silent } from '../agent';
import { until } from '../case';
import { row } from '../row';
import { checkedDefinitions } from '../wireSchema';

const sleeper = { command: 'sleep 30', args: [] };
const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];
const question = { toolCall: { toolCallId: 'c1', title: 'Ask' }, options };

row('B01', 'sends every message as an object with named params, per schema', async (t) => {
  const agent = await t.open();
  const path = join(await t.folder(), 'a.txt');
  await writeFile(path, 'read\n');
  await t.turn(agent, async () => {
    await agent.result('fs/read_text_file', { path });
    await agent.request('foo/bar');
    await t.cancel();
    await agent.call('session/cancel');
    return 'cancelled';
  });
  // Requests, a notification, a result and an error: each was held against the schema.
  const ofRequests = ['InitializeRequest', 'NewSessionRequest', 'PromptRequest', 'CancelNotification'];
  for (const name of [...ofRequests, 'ReadTextFileResponse', 'Error']) assert.ok(checkedDefinitions.has(name), name);
  for (const message of agent.heard) {
    assert.equal(message['jsonrpc'], '2.0');
    if ('method' in message) assert.equal(typeof message['params'], 'object');
  }
});

row('B02', "uses unique ids and returns the agent's ids with their type", async (t) => {
  const agent = await t.open();
  for (const id of ['a', 7, 0, -1, '7', 'x'.repeat(300)]) {
    agent.ask('foo/bar', {}, id);
    assert.strictEqual((await agent.answer(id))['id'], id);
  }
  await t.turn(agent);
  await t.turn(agent);
  const ids = agent.heard.filter(({ method, id }) => method && id !== undefined).map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.ok(Number.isInteger(id) || typeof id === 'string');
});

row('B03', 'accepts a request with id null', async (t) => {
  const agent = await t.open();
  agent.send({ id: null, method: 'foo/bar', params: {} });
  await agent.catchUp();
  await t.turn(agent, ({ say }) => say('still here'));
  await t.page.sees({ text: 'still here' });
});

row('B04', "serves the agent's requests while its own requests wait", async (t) => {
  const folder = await t.folder();
  await writeFile(join(folder, 'a.txt'), 'during\n');
  const read = { path: join(folder, 'a.txt') };
  let answered: unknown;
  const agent = await t.open({
    initialize: () => ({ protocolVersion: 1, authMethods: [{ id: 'web', name: 'With an account' }] }),
    'session/new': async (_params, self) => {
      assert.deepEqual(await self.result('fs/read_text_file', read), { content: 'during\n' });
      return { sessionId: 's1' };
    },
    authenticate: async (_params, self, { id }) => {
      const form = { mode: 'form', message: 'Which account?', requestedSchema: { type: 'object', properties: {} } };
      const asked = self.ask('elicitation/create', { requestId: id, ...form });
      await t.page.answerForm('Which account?', 'Submit');
      answered = (await self.answer(asked))['result'];
    },
  });
  await t.turn(agent, async () => {
    assert.deepEqual(await agent.result('fs/read_text_file', read), { content: 'during\n' });
    const asked = agent.ask('session/request_permission', { sessionId: 's1', ...question });
    await t.page.answer('', 'Allow');
    assert.deepEqual((await agent.answer(asked))['result'], { outcome: { outcome: 'selected', optionId: 'yes' } });
  });
  agent.on('session/prompt', () => {
    throw new AgentError(-32000, 'Authentication required');
  });
  await t.prompt('once more');
  await t.page.click({ role: 'button', name: 'With an account', exact: true });
  await until(() => answered !== undefined);
  assert.deepEqual(answered, { action: 'accept', content: {} });
});

row('B05', 'serves requests concurrently and answers them in any order', async (t) => {
  const agent = await t.open();
  const { terminalId } = await agent.result('terminal/create', sleeper);
  const waiting = agent.ask('terminal/wait_for_exit', { sessionId: 's1', terminalId });
  await agent.request('fs/read_text_file', { path: join(t.workspace, 'missing') });
  assert.ok(!agent.heard.some(({ id, method }) => id === waiting && !method));
  await agent.result('terminal/kill', { terminalId });
  await agent.answer(waiting);
});

row('B06', 'answers unknown requests with "method not found"', async (t) => {
  const agent = await t.open();
  assert.equal(await agent.errorCode('foo/bar'), -32601);
  assert.equal(await agent.errorCode('_x.y/z'), -32601);
});

row('B07', 'ignores unknown notifications', async (t) => {
  const agent = await t.open();
  for (const method of ['_auth/status_update', '$/progress', 'foo/bar']) agent.send({ method, params: {} });
  agent.send({ method: 'no/params' });
  await agent.catchUp();
  // Only the two times that it caught up were answered.
  assert.deepEqual(
    agent.heard.filter(({ method }) => !method).map(({ id }) => id),
    ['r1', 'r2'],
  );
  await t.turn(agent);
});

row('B08', 'answers malformed params with "invalid params"', async (t) => {
  const agent = await t.open();
  const path = join(t.workspace, 'a.txt');
  assert.equal(await agent.errorCode('fs/read_text_file', {}), -32602);
  for (const line of ['x', -1, 1.5]) assert.equal(await agent.errorCode('fs/read_text_file', { path, line }), -32602);
  assert.equal(await agent.errorCode('fs/write_text_file', { path }), -32602);
  assert.equal(await agent.errorCode('terminal/create', {}), -32602);
  assert.equal(await agent.errorCode('terminal/create', { command: 'true', args: 'x' }), -32602);
  assert.equal(await agent.errorCode('session/request_permission', {}), -32602);
  const homeless = await agent.answer(agent.ask('terminal/output', { terminalId: 'x' }));
  assert.equal((homeless['error'] as { code: number }).code, -32602);
});

row('B09', 'ignores responses without a request', async (t) => {
  const agent = await t.open();
  agent.send({ id: 9999, result: {} }, { id: 'nobody', error: { code: 1, message: 'x' } }, { id: null, result: 1 });
  await t.turn(agent, ({ say }) => say('fine'));
  await t.page.sees({ text: 'fine' });
});

row('B11', 'shows the data of an error', async (t) => {
  await t.start({
    'session/new': () => {
      throw new AgentError(-32603, 'Internal error', { details: 'no model was chosen' });
    },
  });
  await t.page.sees({ role: 'alert', hasText: 'no model was chosen' });
});

row('B12', 'giving up a long request cancels it and ignores late answers', async (t) => {
  const agent = await t.start({ 'session/new': () => silent });
  const opening = await agent.call('session/new');
  // Another session keeps the process, so that the late answer can come.
  agent.on('session/new', () => ({ sessionId: 'other' }));
  await t.openAnother(agent);
  agent.on('session/new', () => silent);
  void t.openAnother(agent).catch(() => undefined);
  const second = await agent.call('session/new', 3);
  await t.page.click({ role: 'button', name: 'Cancel' });
  const { params } = await agent.call('$/cancel_request');
  assert.deepEqual(params, { requestId: second['id'] });
  agent.send({ id: second['id'], result: { sessionId: 'late' } }, { id: opening['id'], result: { sessionId: 's9' } });
  await agent.catchUp();
  await t.page.sees({ text: 'Cancelled starting' });
});

row('B13', 'answers a request that the agent withdraws exactly once', async (t) => {
  const agent = await t.open();
  const { terminalId } = await agent.result('terminal/create', sleeper);
  const waiting = agent.ask('terminal/wait_for_exit', { sessionId: 's1', terminalId });
  const asked = agent.ask('session/request_permission', { sessionId: 's1', ...question });
  const form = { mode: 'form', message: 'Say more', requestedSchema: { type: 'object', properties: {} } };
  const formed = agent.ask('elicitation/create', { sessionId: 's1', ...form });
  await t.page.sees({ role: 'group', name: 'Permission' });
  await t.page.sees({ role: 'form', name: 'Say more', exact: true });
  const requestIds = [waiting, asked, formed, 'unknown'];
  agent.send(...requestIds.map((requestId) => ({ method: '$/cancel_request', params: { requestId } })));
  assert.equal(((await agent.answer(waiting))['error'] as { code: number }).code, -32800);
  assert.deepEqual((await agent.answer(asked))['result'], { outcome: { outcome: 'cancelled' } });
  assert.deepEqual((await agent.answer(formed))['result'], { action: 'cancel' });
  await t.page.misses({ role: 'group', name: 'Permission' });
  await t.page.misses({ role: 'form', name: 'Say more', exact: true });
  assert.equal(await agent.errorCode('terminal/output', { terminalId, extra: true }), undefined);
  for (const id of [waiting, asked, formed])
    assert.equal(agent.heard.filter((answer) => answer['id'] === id).length, 1);
});

row('B15', 'ignores unknown keys and _meta anywhere', async (t) => {
  const odd = { _meta: { 'x.y': [1] }, strange: { deep: true } };
  const agent = await t.open({
    initialize: () => ({ protocolVersion: 1, ...odd, agentCapabilities: { ...odd, promptCapabilities: odd } }),
    'session/new': () => ({ sessionId: 's1', ...odd }),
  });
  await t.turn(agent, async ({ update }) => {
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'odd one', ...odd }, ...odd });
    update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Odd call', _meta: 'no object', strange: 1 });
    const answer = await agent.request('fs/read_text_file', { path: join(t.workspace, 'missing'), ...odd });
    assert.equal((answer['error'] as { code: number }).code, -32002);
  });
  await t.page.sees({ text: 'odd one' });
  await t.page.sees({ role: 'article', name: 'Odd call' });
});

row('B18', "unknown values don't end the session", async (t) => {
  const agent = await t.open();
  await t.turn(agent, ({ update, say }) => {
    update({ sessionUpdate: 'tomorrow', x: 1 });
    update({});
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'smell', data: '1' } });
    update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'New kind', kind: 'dance', status: 'resting' });
    update({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      content: [{ type: 'hologram' }],
      status: 'completed',
    });
    say('goes on');
    return 'bored';
  });
  await t.page.sees({ text: 'goes on' });
  await t.page.sees({ role: 'article', name: 'New kind' });
  await t.page.sees({ text: 'bored' });
  await t.turn(agent);
});
