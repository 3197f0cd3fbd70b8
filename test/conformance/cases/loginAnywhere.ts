import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Handler, Params, ScriptedAgent } from '../agent';
import type { Case } from '../case';
import { agentName, configuredAgentName, withoutFilesName } from '../connections';
import { card, count, Gate, offers, prompts, refuses, required, way } from '../logins';
import { row } from '../row';

const methods = [{ id: 'web', name: 'With an account' }];
const waiting = { css: '[aria-label="Queued messages"]' };

row(
  'A05',
  'offers a login required at any time and repeats nothing',
  async (t) => {
    await messagesAndLists(t);
    await t.closeAll();
    await sessionsOfAgents(t);
    await t.closeAll();
    await runningTurns(t);
    await t.closeAll();
    await modelProviders(t);
  },
  180_000,
);

/** A prompt, a session that is taken up, a list. */
async function messagesAndLists(t: Case): Promise<void> {
  const agent = await t.open({ ...offers(methods, { loadSession: true }), ...refuses('session/prompt') });
  await t.prompt('a question');
  await t.page.sees(card);
  await t.page.click(way('With an account'));
  await t.page.click(way('Send again'));
  await t.page.sees({ text: 'now it works' });
  assert.equal(prompts(agent), 2);
  const lists = { loadSession: true, sessionCapabilities: { list: {} } };
  const next = t.nextAgent({ ...offers(methods, lists), ...refuses('session/load'), 'session/list': required });
  agent.act({ exit: 1 });
  await agent.ended;
  await t.page.sees({ role: 'alert', hasText: 'stopped unexpectedly' });
  const sent = t.prompt('and another');
  const loaded = await next;
  await t.page.sees(card);
  await sent;
  await t.page.click(way('With an account'));
  await loaded.call('session/load', 2);
  await t.page.sees(way('Send again'));
  assert.equal(prompts(loaded), 0);
  await t.page.click(way('Send again'));
  const { params } = await loaded.call('session/prompt');
  assert.deepEqual((params as Params)['prompt'], [{ type: 'text', text: 'and another' }]);
  await loaded.catchUp();
  assert.deepEqual(loaded.calls, ['initialize', 'session/load', 'authenticate', 'session/load', 'session/prompt']);
  await vscode.commands.executeCommand('parley.openSession');
  await t.editor.filters('to see its sessions');
  await t.editor.picks('to see its sessions');
  await t.editor.picks('With an account');
  await loaded.call('authenticate', 2);
}

/** Names, archives, deletions, forks, settings, and what agents tell of sessions in a list. */
async function sessionsOfAgents(t: Case): Promise<void> {
  const gate = new Gate();
  const agent = await t.open({
    ...offers(methods, {
      loadSession: true,
      sessionCapabilities: { list: {}, delete: {}, title: {}, archive: {}, fork: {}, status: {} },
    }),
    ...gate.of({
      'session/set_title': ({ title }) => ({ title: `${String(title)} (taken)` }),
      'session/archive': () => ({}),
      'session/unarchive': () => ({}),
      'session/delete': () => ({}),
      'session/set_mode': () => ({}),
      'session/status': () => ({ status: 'saved' }),
      'session/fork': () => ({ sessionId: 'f1' }),
    }),
    'session/new': () => ({
      sessionId: 's1',
      modes: { currentModeId: 'calm', availableModes: ['calm', 'brisk'].map((id) => ({ id, name: id })) },
    }),
    'session/list': () => ({
      sessions: [
        { sessionId: 'old', cwd: t.workspace, title: 'An old one' },
        { sessionId: 'away', cwd: t.workspace, title: 'An archived one', archived: true },
      ],
    }),
  });
  const deleting = async (other: string) => {
    await t.actsInList('An old one', 'Delete');
    // With the next deletion, the one before can no longer be brought back.
    await t.start({}, { agent: other });
    const noticed = t.editor.closesNextNotice();
    await t.delete();
    await noticed;
  };

  await refused(t, agent, gate, 'session/set_title', async () => {
    const done = vscode.commands.executeCommand('parley.renameSession');
    await t.editor.enters('Session name', 'My name');
    void done;
  });
  await again(t, agent, 'session/set_title', 'doesn’t have the new name yet');
  await t.page.sees({ role: 'heading', name: 'My name (taken)' });
  await refused(t, agent, gate, 'session/archive', () => t.actsInList('An old one', 'Archive'));
  await again(t, agent, 'session/archive', 'Couldn’t archive “An old one”');
  await refused(t, agent, gate, 'session/unarchive', async () => {
    await vscode.commands.executeCommand('parley.showSessions');
    await t.page.click({ role: 'button', name: 'archived session' });
    await t.actsInList('An archived one', 'Unarchive');
  });
  await again(t, agent, 'session/unarchive', 'Couldn’t unarchive “An archived one”');
  await refused(t, agent, gate, 'session/delete', () => deleting(configuredAgentName));
  await again(t, agent, 'session/delete', 'Couldn’t delete “An old one”');
  await refused(t, agent, gate, 'session/set_mode', () => t.page.choose('Mode', 'brisk'));
  assert.equal(await t.page.value('Mode'), 'calm');

  gate.isIn = false;
  await vscode.commands.executeCommand('parley.openSession');
  await t.editor.filters('after a login');
  await t.editor.picks('to see which sessions are open');
  await t.editor.picks('With an account');
  await agent.call('authenticate', 6);
  await t.page.misses(card);

  // A fork is a session of its own, which waits for the login and is then begun.
  gate.isIn = false;
  await t.fork();
  await t.page.sees(card);
  await t.page.click(way('With an account'));
  await agent.call('session/fork', 2);
  await t.page.misses(card);

  // Nothing of the agent is in sight: the message leads to the login.
  await t.start({}, { agent: configuredAgentName });
  await t.page.sees({ text: `Ask ${configuredAgentName}` });
  gate.isIn = false;
  await deleting(withoutFilesName);
  await agent.call('session/delete', 3);
  await t.editor.answersNotification('Couldn’t delete “An old one”', 'Log In…');
  await t.editor.picks('With an account');
  await agent.call('authenticate', 8);
  await agent.catchUp();
  assert.equal(count(agent, 'session/delete'), 3);
  await again(t, agent, 'session/delete', 'Couldn’t delete “An old one”');
}

/** Does what is refused for want of a login, and logs in by the card; nothing is asked again. */
async function refused(
  t: Case,
  agent: ScriptedAgent,
  gate: Gate,
  method: string,
  act: () => Promise<void>,
): Promise<void> {
  gate.isIn = false;
  const before = count(agent, method);
  await act();
  await agent.call(method, before + 1);
  await t.page.sees(card);
  await t.page.click(way('With an account'));
  await t.page.misses(card);
  await agent.catchUp();
  assert.equal(count(agent, method), before + 1, `${method} is not asked again by itself`);
}

/** Asks once more, by the message that says what was not done. */
async function again(t: Case, agent: ScriptedAgent, method: string, words: string): Promise<void> {
  const before = count(agent, method);
  await t.editor.answersNotification(words, 'Try Again');
  await agent.call(method, before + 1);
}

/** A message for a running turn. */
async function runningTurns(t: Case): Promise<void> {
  const gate = new Gate();
  const ends: (() => void)[] = [];
  const agent = await t.open({
    initialize: () => ({ protocolVersion: 1, authMethods: methods, _meta: { steering: { supported: true } } }),
    ...gate.of({ '_session/steering': () => ({ outcome: 'injected' }) }),
    'session/prompt': () => new Promise((resolve) => ends.push(() => resolve({ stopReason: 'end_turn' }))),
  });
  await t.page.send('Begin');
  await agent.call('session/prompt');
  await t.page.send('Mind the tests');
  gate.isIn = false;
  await t.page.click(way('Add to this turn'));
  await t.page.sees({ ...card, hasText: 'Your message is saved' });
  await t.page.sees({ ...waiting, hasText: 'Mind the tests' });
  ends.shift()?.();
  await t.page.misses(way('Stop'));
  await t.page.click(way('With an account'));
  await agent.call('authenticate');
  await t.page.sees(way('Send again'));
  await agent.catchUp();
  assert.equal(prompts(agent), 1);
  await t.page.click(way('Send again'));
  const { params } = await agent.call('session/prompt', 2);
  assert.deepEqual((params as Params)['prompt'], [{ type: 'text', text: 'Mind the tests' }]);
  ends.shift()?.();
  await t.page.misses(way('Stop'));
}

/** Which services the models come from: on their page, and when the agent starts. */
async function modelProviders(t: Case): Promise<void> {
  const gate = new Gate();
  const place = 'editor';
  const onPage = (name: string) => ({ role: 'button', name, exact: true, place }) as const;
  const handlers: Record<string, Handler> = {
    ...offers(methods, { providers: {} }),
    ...gate.of({
      'providers/list': () => ({ providers: [{ providerId: 'main', supported: ['anthropic'], required: false }] }),
      'providers/set': () => ({}),
    }),
  };
  const agent = await t.open(handlers);
  gate.isIn = false;
  const opened = vscode.commands.executeCommand('parley.configureProviders');
  await t.page.acceptsQuickPick(agentName);
  await opened;
  await t.page.sees({ text: 'needs you to log in', place });
  await t.page.sees(card);
  await t.page.click(onPage('Log In…'));
  await t.editor.picks('With an account');
  await agent.call('authenticate');
  await t.page.misses(card);
  await t.page.fill('Base URL', 'https://gateway.example/v1', { name: 'main', place });
  gate.isIn = false;
  await t.page.click(onPage('Save'));
  await t.page.sees(card);
  await t.page.click(way('With an account'));
  await t.page.misses(card);
  await agent.catchUp();
  assert.equal(count(agent, 'providers/set'), 1);
  await t.page.click(onPage('Try again'));
  // What was written is still there.
  await t.page.click(onPage('Save'));
  await agent.call('providers/set', 2);
  // The page has looked once more.
  await t.page.sees({ text: 'Your settings are sent each time the agent starts.', place });

  gate.isIn = false;
  const restarted = t.nextAgent(handlers);
  agent.act({ exit: 1 });
  await t.page.click({ role: 'button', name: 'Restart and continue' });
  const next = await restarted;
  await next.call('session/new');
  await t.page.sees({ role: 'article', name: 'Notice', hasText: 'Some model provider settings weren’t applied' });
  await t.page.click(way('With an account'));
  await t.page.misses(card);
  await t.page.click({ css: '[data-provider=main] .btns .btn:last-child', place });
  await t.page.sees({ css: '[data-provider=main]', hasText: 'Not set:', place });
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
