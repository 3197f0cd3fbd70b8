import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AgentError, type Handler, type Params, type ScriptedAgent } from '../agent';
import type { Case } from '../case';
import { agentName } from '../connections';
import { card, offers, required } from '../logins';
import { row } from '../row';

/** What is no stable part of the protocol, and several agents have all the same. */

const initialize = (sessionCapabilities: object, more: object = {}): Record<string, Handler> => ({
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true, sessionCapabilities, ...more } }),
});
const sent = async (agent: ScriptedAgent, method: string, count = 1) =>
  (await agent.call(method, count))['params'] as Params;
const said = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const title = (text: string | null) => ({ sessionUpdate: 'session_info_update', title: text });
const heading = (name: string) => ({ role: 'heading', name, exact: true });

/** Gives the session used last a name, as from the palette. */
async function rename(t: Case, to: string): Promise<void> {
  const done = vscode.commands.executeCommand('parley.renameSession');
  await t.editor.enters('Session name', to);
  await done;
}

row('S10', 'forks a session with a new id and its conversation', async (t) => {
  const agent = await t.open({
    ...initialize({ fork: {} }),
    'session/fork': (_params, self) => {
      // Some agents tell all again.
      self.update(said('said before'), 'f1');
      return { sessionId: 'f1' };
    },
  });
  await t.turn(agent, ({ say }) => say('said before'), 'Look around');
  await t.fork();
  assert.deepEqual(await sent(agent, 'session/fork'), { sessionId: 's1', cwd: t.workspace, mcpServers: [] });
  await t.page.sees({ role: 'article', hasText: 'Forked from “Look around”' });
  assert.equal((await t.page.texts({ role: 'article', hasText: 'said before' })).length, 1);
  await t.turn(agent, ({ sessionId, say }) => say(`said in ${sessionId}`), 'on');
  await t.page.sees({ text: 'said in f1' });
  await t.page.click({ role: 'tab', name: 'Look around', exact: true });
  await t.page.misses({ text: 'said in f1' });
  await t.turn(agent, ({ sessionId, say }) => say(`said in ${sessionId}`), 'on');
  await t.page.sees({ text: 'said in s1' });
  assert.equal((await t.page.texts({ role: 'article', hasText: 'Forked from' })).length, 0);
});

row('S11', 'archives a session in agent and list, and unarchives it', async (t) => {
  const away = new Set<unknown>(['old']);
  // Used last, so that it's in sight above those of other cases.
  const updatedAt = new Date().toISOString();
  const listed = (id: string) => {
    return { sessionId: id, cwd: t.workspace, title: `Kept ${id}`, updatedAt, archived: away.has(id) };
  };
  const put = (isAway: boolean): Handler => {
    return ({ sessionId }) => {
      if (isAway) away.add(sessionId);
      else away.delete(sessionId);
      return {};
    };
  };
  const agent = await t.open({
    ...initialize({ list: {}, archive: {} }),
    'session/list': () => ({ sessions: ['one', 'old'].map(listed) }),
    'session/archive': put(true),
    'session/unarchive': put(false),
  });
  const kept = (id: string) => ({ role: 'option', hasText: `Kept ${id}` });
  await vscode.commands.executeCommand('parley.showSessions');
  await t.page.sees(kept('one'));
  await t.page.misses(kept('old'));
  const asked = agent.heard.filter(({ method }) => method === 'session/list').map(({ params }) => params as Params);
  assert.deepEqual(asked, [{ cwd: t.workspace, archived: 'include' }]);
  await t.actsInList('Kept one', 'Archive');
  assert.deepEqual(await sent(agent, 'session/archive'), { sessionId: 'one' });
  await vscode.commands.executeCommand('parley.showSessions');
  await t.page.misses(kept('one'));
  await t.page.click({ role: 'button', name: 'archived session' });
  await t.page.sees(kept('one'));
  await t.actsInList('Kept old', 'Unarchive');
  assert.deepEqual(await sent(agent, 'session/unarchive'), { sessionId: 'old' });
  await vscode.commands.executeCommand('parley.showSessions');
  await t.page.click({ role: 'button', name: 'Hide archived sessions' });
  await t.page.sees({ role: 'button', name: 'Show 1 archived session' });
  await t.page.misses(kept('one'));
  await t.page.click({ role: 'button', name: 'Back', exact: true });
});

row('S12', "sends a title to the agent and shows the agent's version", async (t) => {
  const agent = await t.open({
    ...initialize({ title: {} }),
    'session/set_title': ({ title: wanted }, self) => {
      if (wanted === 'bad') throw new AgentError(-32602, 'No such title');
      // Made before the agent had heard of the name.
      self.update(title('An old title'));
      return { title: String(wanted).trim().toUpperCase() };
    },
  });
  await t.turn(agent, ({ update }) => update(title('First title')));
  await rename(t, 'My  name ');
  assert.deepEqual(await sent(agent, 'session/set_title'), { sessionId: 's1', title: 'My  name' });
  await t.page.sees(heading('MY NAME'));
  agent.update(title('A newer title'));
  await t.page.sees(heading('A newer title'));
  await rename(t, 'bad');
  await t.page.sees(heading('bad'));
  // The agent does not know of the name, so that what it says is no answer to it.
  agent.update(title('A title of mine'));
  await agent.catchUp();
  await t.page.sees(heading('bad'));
  await t.close();
  const silent = await t.open(initialize({}));
  await rename(t, 'Only here');
  silent.update(title('From the agent'), 's1');
  await silent.catchUp();
  await t.page.sees(heading('Only here'));
  assert.ok(!silent.calls.includes('session/set_title'));
});

row('A10', 'shows the account and never logs it', async (t) => {
  const account = { label: 'Pro plan', active: true, email: 'owl@forest.example' };
  const agent = await t.open({
    ...initialize({}, { auth: { status: {} } }),
    'auth/status': () => ({ state: 'authenticated', accounts: [account, { label: 'Other one' }] }),
  });
  await t.page.sees({ text: 'Account: Pro plan (owl@forest.example)' });
  agent.send({ method: 'auth/status_update', params: { state: 'unauthenticated' } });
  await t.page.sees({ text: 'Account: Not logged in' });
  const authStatus = { kind: 'api_key', label: 'A key', detail: 'heron@lake.example' };
  agent.send({ method: '_auth/status_update', params: { authStatus } });
  await t.page.sees({ text: 'Account: A key (heron@lake.example)' });
  const log = await t.editor.protocolLog(agentName);
  assert.match(log, /auth\/status_update/);
  assert.doesNotMatch(log, /owl@|heron@|Pro plan|Other one/);
  await t.close();
  await askedAgain(t);
  await t.close();
  const plain = await t.open(initialize({}));
  assert.ok(!plain.calls.includes('auth/status'));
  await t.page.misses({ text: 'Account:' });
});

/** After a login and after a logout the agent is asked once more; one that wants a login to tell has told. */
async function askedAgain(t: Case): Promise<void> {
  const methods = [{ id: 'web', name: 'With an account' }];
  const accounts = [{ label: 'Team plan', active: true }];
  let isIn = false;
  const agent = await t.open({
    ...offers(methods, { auth: { status: {}, logout: {} } }),
    'auth/status': () => (isIn ? { state: 'authenticated', accounts } : required()),
    authenticate: () => void (isIn = true),
    logout: () => void (isIn = false),
  });
  const { params } = await agent.call('auth/status');
  assert.deepEqual(params, {});
  await t.page.sees({ text: 'Account: Not logged in' });
  await t.page.misses(card);
  const login = vscode.commands.executeCommand('parley.login');
  await t.page.acceptsQuickPick(agentName);
  await t.page.acceptsQuickPick('With an account');
  await login;
  await agent.call('auth/status', 2);
  await t.page.sees({ text: 'Account: Team plan' });
  const out = vscode.commands.executeCommand('parley.logout');
  await t.page.acceptsQuickPick(agentName);
  await out;
  await agent.call('auth/status', 3);
  await t.page.sees({ text: 'Account: Not logged in' });
  agent.on('auth/status', () => ({ state: 'of tomorrow' }));
  agent.on('authenticate', () => ({}));
  const unknown = vscode.commands.executeCommand('parley.login');
  await t.page.acceptsQuickPick(agentName);
  await t.page.acceptsQuickPick('With an account');
  await unknown;
  await agent.call('auth/status', 4);
  await t.page.misses({ text: 'Account:' });
}

row('S13', 'marks a session that the agent has in memory', async (t) => {
  const statuses = new Map<unknown, string>([
    ['held-one', 'open'],
    ['held-two', 'saved'],
    ['held-three', 'warming up'],
  ]);
  const listed = ['held-one', 'held-two', 'held-three', 'held-gone', 's1'].map((id) => ({
    sessionId: id,
    cwd: t.workspace,
    title: `Kept ${id}`,
  }));
  const agent = await t.open({
    ...initialize({ list: {}, status: {} }),
    'session/list': () => ({ sessions: listed }),
    'session/status': ({ sessionId }) => {
      if (sessionId === 'held-gone') throw new AgentError(-32002, 'No such session');
      return { status: statuses.get(sessionId) };
    },
  });
  await vscode.commands.executeCommand('parley.openSession');
  await t.editor.filters('Kept held');
  await t.editor.lists(`${agentName}, open elsewhere`);
  await agent.call('session/status', 4);
  await agent.catchUp();
  const rows = await t.editor.entries();
  assert.deepEqual(
    rows
      .filter((text) => text.includes('open elsewhere'))
      .map((text) => /Kept held-(one|two|three|gone)/.exec(text)?.[0]),
    ['Kept held-one'],
  );
  assert.equal(rows.filter((text) => text.includes('Kept held')).length, 4);
  const asked = agent.heard.filter(({ method }) => method === 'session/status').map(({ params }) => params as Params);
  assert.deepEqual(asked.map(({ sessionId }) => sessionId).sort(), ['held-gone', 'held-one', 'held-three', 'held-two']);
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
});
