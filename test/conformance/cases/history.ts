import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AgentError, type Params, type ScriptedAgent } from '../agent';
import { until } from '../case';
import { agentName, instructedAgentName } from '../connections';
import { row } from '../row';

const initialize = (sessionCapabilities: object, loadSession = false) => ({
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession, sessionCapabilities } }),
});

async function sent(agent: ScriptedAgent, method: string, count = 1): Promise<Params> {
  return (await agent.call(method, count))['params'] as Params;
}

const said = (role: 'user' | 'agent', text: string) => ({
  sessionUpdate: `${role}_message_chunk`,
  content: { type: 'text', text },
});

row('S05', "lists the agent's sessions page by page and opens them", async (t) => {
  const session = (id: string, more: object = {}) => ({
    sessionId: id,
    cwd: t.workspace,
    title: `Kept ${id}`,
    ...more,
  });
  const pages = new Map<unknown, object>([
    [
      undefined,
      { sessions: [session('one', { updatedAt: '2026-01-02T03:04:05Z' }), session('s1')], nextCursor: 'a=/%' },
    ],
    ['a=/%', { sessions: [session('two'), session('one'), session('far', { cwd: '/elsewhere' })], nextCursor: 'b' }],
    ['b', { sessions: [session('three'), { sessionId: 7 }] }],
  ]);
  const agent = await t.open({
    ...initialize({ list: {} }, true),
    'session/list': ({ cursor }) => pages.get(cursor),
    'session/load': (_params, self) => {
      self.update(said('user', 'asked long ago'), 'three');
      self.update(said('agent', 'answered long ago'), 'three');
      return {};
    },
  });
  await t.reopen();
  await t.editor.filters('Kept');
  await t.editor.lists('Kept one');
  assert.deepEqual(await sent(agent, 'session/list'), { cwd: t.workspace });
  const first = (await t.editor.entries()).join('\n');
  assert.match(first, /Jan/);
  assert.doesNotMatch(first, /Kept s1|Kept two/, 'one that is open here is no second one');
  await t.editor.picks(`Show more sessions from ${agentName}`);
  await t.editor.lists('Kept two');
  await t.editor.picks(`Show more sessions from ${agentName}`);
  await t.editor.lists('Kept three');
  assert.deepEqual(await sent(agent, 'session/list', 2), { cwd: t.workspace, cursor: 'a=/%' });
  assert.deepEqual(await sent(agent, 'session/list', 3), { cwd: t.workspace, cursor: 'b' });
  const all = (await t.editor.entries()).join('\n');
  assert.doesNotMatch(all, /Show more sessions|Kept far/);
  assert.equal(all.split('Kept one').length, 2);
  await t.editor.picks('Kept three');
  assert.deepEqual(await sent(agent, 'session/load'), { sessionId: 'three', cwd: t.workspace, mcpServers: [] });
  await t.page.sees({ text: 'answered long ago' });
  const entries = (await t.page.texts({ role: 'article' })).join('\n');
  assert.match(entries, /asked long ago[\s\S]*answered long ago/);
  assert.equal(entries.split('answered long ago').length, 2);
  await t.page.sees({ role: 'heading', name: 'Kept three' });
  // One that does not run is asked when the user wants it, and ends with the list.
  await t.close();
  await t.close();
  await agent.ended;
  await vscode.commands.executeCommand('parley.openSession');
  const next = t.nextAgent({ ...initialize({ list: {} }, true), 'session/list': () => pages.get('b') });
  await t.editor.filters('Kept');
  await t.editor.picks(`Show sessions from ${agentName}`);
  const asked = await next;
  // The one that was opened before is Parley's own by now.
  await asked.call('session/list');
  await until(async () => !(await t.editor.entries()).some((entry) => entry.includes('Loading sessions')));
  assert.equal((await t.editor.entries()).filter((entry) => entry.includes('Kept three')).length, 1);
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  await asked.ended;
  assert.deepEqual(asked.calls, ['initialize', 'session/list']);
});

row('S06', 'deletes a session in the agent, even an unknown one', async (t) => {
  const agent = await t.open({
    ...initialize({ list: {}, delete: {} }, true),
    'session/list': () => ({ sessions: [{ sessionId: 'old', cwd: t.workspace, title: 'An old one' }] }),
    'session/delete': () => {
      throw new AgentError(-32002, 'Resource not found');
    },
  });
  await t.actsInList('An old one', 'Delete');
  await t.openAnother(agent);
  await t.turn(agent, ({ say }) => say('soon gone'), 'A question to delete');
  const closed = t.editor.closesNextNotice();
  await t.delete();
  assert.equal(await closed, 'Deleted “A question to delete”');
  // With the next deletion, the one before can no longer be brought back.
  assert.deepEqual(await sent(agent, 'session/delete'), { sessionId: 'old' });
  assert.deepEqual(await sent(agent, 'session/delete', 2), { sessionId: 's2' });
  await t.page.misses({ text: 'soon gone' });
  await vscode.commands.executeCommand('parley.openSession');
  await t.editor.filters('An old one');
  await t.editor.lists('An old one');
  await t.editor.filters('A question to delete');
  assert.doesNotMatch((await t.editor.entries()).join('\n'), /A question to delete/);
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  assert.deepEqual(await t.page.texts({ role: 'alert' }), []);
});

row('S14', 'sends a system prompt as text in a supported mode each time', async (t) => {
  for (const systemPrompt of [undefined, {}]) {
    const agent = await t.start(initialize(systemPrompt ? { systemPrompt } : {}), { agent: instructedAgentName });
    assert.deepEqual(Object.keys(await sent(agent, 'session/new')), ['cwd', 'mcpServers']);
    await t.page.sees({ role: 'article', name: 'Notice', hasText: 'The system prompt wasn’t sent' });
    await t.close();
  }
  const can = initialize({ systemPrompt: { mode: { override: {} } }, resume: {} });
  const agent = await t.start(can, { agent: instructedAgentName });
  const systemPrompt = { mode: 'override', content: [{ type: 'text', text: 'Be brief.' }] };
  assert.deepEqual((await sent(agent, 'session/new'))['systemPrompt'], systemPrompt);
  await agent.catchUp();
  await t.turn(agent, ({ say }) => say('brief'));
  const next = t.nextAgent({ ...can, 'session/resume': () => ({}) });
  agent.act({ exit: 1 });
  await t.page.startsAgain();
  assert.deepEqual((await sent(await next, 'session/resume'))['systemPrompt'], systemPrompt);
});
