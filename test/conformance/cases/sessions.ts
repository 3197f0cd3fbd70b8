import assert from 'node:assert/strict';
import { isAbsolute } from 'node:path';
import { AgentError } from '../agent';
import { row } from '../row';

const said = (role: 'user' | 'agent', text: string) => ({
  sessionUpdate: `${role}_message_chunk`,
  content: { type: 'text', text },
});

row('A06', 'ignores login methods of an unknown type', async (t) => {
  const authMethods = [
    { id: 'x', name: 'By owl', type: 'owl' },
    { id: 'y', name: 'Plain' },
  ];
  const agent = await t.open({ initialize: () => ({ protocolVersion: 1, authMethods }) });
  await t.turn(agent, ({ say }) => say('no login needed'));
  await t.page.sees({ text: 'no login needed' });
  assert.ok(!agent.calls.includes('authenticate'));
});

row('S01', 'sends an absolute folder and a list of servers', async (t) => {
  const agent = await t.open();
  const { params } = await agent.call('session/new');
  const { cwd, mcpServers } = params as { cwd: string; mcpServers: unknown };
  assert.ok(isAbsolute(cwd));
  assert.equal(cwd, t.workspace);
  assert.ok(Array.isArray(mcpServers));
});

row('S02', "keeps updates that arrive before a session's id", async (t) => {
  await t.open({
    'session/new': (_params, agent) => {
      agent.update({ sessionUpdate: 'session_info_update', title: 'Named early' });
      agent.say('said early');
      return { sessionId: 's1' };
    },
  });
  await t.page.sees({ text: 'said early' });
  await t.page.sees({ role: 'heading', name: 'Named early' });
});

row('S03', 'shows a replay in order before the response, then a prompt', async (t) => {
  const initialize = () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
  const agent = await t.open({ initialize });
  await t.turn(agent, ({ say }) => say('live answer'), 'live question');
  const next = t.nextAgent({
    initialize,
    'session/load': (_params, self) => {
      self.update(said('user', 'live question'));
      self.update(said('agent', 'replayed answer'));
      self.update(said('user', 'second question'));
      self.update(said('agent', 'second answer'));
      return null;
    },
    'session/prompt': (_params, self) => {
      self.say('after the replay');
      return { stopReason: 'end_turn' };
    },
  });
  agent.act({ exit: 1 });
  await agent.ended;
  await t.page.startsAgain();
  const loaded = await next;
  // What is shown stays; the replay adds what was said elsewhere.
  const replayed = ['live question', 'live answer', 'second question', 'second answer'];
  for (const text of replayed) await t.page.sees({ text });
  const { params } = await loaded.call('session/load');
  assert.deepEqual(params, { sessionId: 's1', cwd: t.workspace, mcpServers: [] });
  const entries = (await t.page.texts({ role: 'article' })).join('\n');
  const at = replayed.map((text) => entries.indexOf(text));
  assert.deepEqual(
    [...at].sort((one, other) => one - other),
    at,
  );
  assert.ok(!entries.includes('replayed answer') && !at.includes(-1));
  const messages = (await t.page.texts({ css: '[role=feed] .pl-user p' })).join('\n');
  assert.equal(messages.split('live question').length, 2);
  await t.prompt('go on');
  await t.page.sees({ text: 'after the replay' });
  assert.ok(!loaded.calls.includes('session/new'));
});

row('S04', 'resumes a session without a replay if supported', async (t) => {
  const initialize = () => ({ protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } });
  const agent = await t.open({ initialize });
  await t.turn(agent, ({ say }) => say('before the end'));
  const next = t.nextAgent({ initialize, 'session/resume': () => ({}) });
  agent.act({ exit: 1 });
  await t.page.sees({ css: '[role=feed] [role=alert]' });
  await t.prompt('again');
  const resumed = await next;
  await resumed.call('session/prompt');
  assert.deepEqual(resumed.calls, ['initialize', 'session/resume', 'session/prompt']);
  assert.deepEqual((await resumed.call('session/resume'))['params'], {
    sessionId: 's1',
    cwd: t.workspace,
    mcpServers: [],
  });
  await t.page.sees({ text: 'before the end' });
});

row('S07', 'closes a session only if supported, even an unknown one', async (t) => {
  const agent = await t.open({
    initialize: () => ({ protocolVersion: 1, agentCapabilities: { sessionCapabilities: { close: {} } } }),
    'session/close': () => {
      throw new AgentError(-32002, 'Resource not found');
    },
  });
  await t.openAnother(agent);
  await t.close();
  assert.deepEqual((await agent.call('session/close'))['params'], { sessionId: 's2' });
  await agent.catchUp();
  await t.turn(agent, ({ say, sessionId }) => say(`${sessionId} lives on`));
  await t.page.sees({ text: 's1 lives on' });
  await t.page.misses({ css: '[role=feed] [role=alert]' });
});

row('S08', 'routes updates of sessions that share a connection', async (t) => {
  const agent = await t.open();
  await t.openAnother(agent);
  assert.equal(agent.calls.filter((method) => method === 'initialize').length, 1);
  await t.turn(agent, async ({ sessionId }) => {
    assert.equal(sessionId, 's2');
    for (const piece of ['one ', 'two ', 'three']) for (const id of ['s1', 's2']) agent.say(`${id}-${piece}`, id);
    agent.say('lost', 'nobody');
    await t.page.sees({ text: 's2-one s2-two s2-three' });
  });
  assert.deepEqual(await t.page.texts({ text: 's1-' }), []);
  await t.close();
  await t.page.sees({ text: 's1-one s1-two s1-three' });
  assert.deepEqual(await t.page.texts({ text: 'lost' }), []);
});

row('S16', 'sets, keeps, and clears a title, even after the turn', async (t) => {
  const agent = await t.open();
  await t.turn(agent, undefined, 'What I asked');
  agent.update({ sessionUpdate: 'session_info_update', title: 'A given name', updatedAt: '2026-01-01T00:00:00Z' });
  await t.page.sees({ role: 'heading', name: 'A given name' });
  agent.update({ sessionUpdate: 'session_info_update', updatedAt: null });
  await agent.catchUp();
  await t.page.sees({ role: 'heading', name: 'A given name' });
  agent.update({ sessionUpdate: 'session_info_update', title: null });
  await t.page.sees({ role: 'heading', name: 'What I asked' });
});

row('S18', "shows Parley's own list if the agent has none", async (t) => {
  const agent = await t.open({ initialize: () => ({ protocolVersion: 1 }) });
  await t.turn(agent, ({ say }) => say('an answer to keep'), 'A question to keep');
  await t.close();
  await agent.ended;
  await t.page.misses({ text: 'an answer to keep' });
  const opening = t.reopen();
  await t.page.acceptsQuickPick('A question to keep');
  await opening;
  await t.page.sees({ text: 'an answer to keep' });
  assert.ok(!agent.calls.includes('session/list'));
});
