import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AgentError } from '../agent';
import { row } from '../row';

/* What is wrong in an answer costs nothing but itself. */

row('B10', 'treats a result of null as empty', async (t) => {
  const required = () => {
    throw new AgentError(-32000, 'Authentication required');
  };
  const modes = { currentModeId: 'a', availableModes: ['a', 'b'].map((id) => ({ id, name: id })) };
  const initialize = () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true, auth: { logout: {} } },
    authMethods: [{ id: 'web', name: 'With an account' }],
  });
  const agent = await t.start({
    initialize,
    'session/new': required,
    authenticate: (_params, self) => {
      self.on('session/new', () => ({ sessionId: 's1', modes }));
      return null;
    },
    'session/set_mode': () => null,
    'session/prompt': () => null,
    logout: () => null,
  });
  await t.page.click({ role: 'button', name: 'With an account', exact: true });
  await agent.call('session/new', 2);
  await t.page.choose('Mode', 'b');
  await agent.call('session/set_mode');
  await t.prompt('go');
  await t.page.misses({ css: '[role=feed] [role=alert]' });
  assert.equal(await t.page.value('Mode'), 'b');
  const out = vscode.commands.executeCommand('parley.logout');
  await t.page.acceptsQuickPick('Conformance');
  await out;
  await t.page.sees({ text: 'Logged out of Conformance' });
  const next = t.nextAgent({ initialize, 'session/load': () => null });
  agent.act({ exit: 1 });
  await t.page.startsAgain();
  const loaded = await next;
  await loaded.call('session/load');
  await t.turn(loaded, ({ say }) => say('loaded from nothing'));
  await t.page.sees({ text: 'loaded from nothing' });
  assert.ok(!loaded.calls.includes('session/new'));
});

row('B17', "keeps a list's other items if one is invalid", async (t) => {
  const option = (id: string) => ({
    id,
    name: `Option ${id}`,
    type: 'select',
    currentValue: 'v',
    options: [{ value: 'v', name: 'Value' }, 7, { name: 'no value' }],
  });
  const agent = await t.start({
    initialize: () => ({
      protocolVersion: 1,
      authMethods: [{ id: 'ok', name: 'Fine' }, 3, {}, { name: 'Nameless' }, { id: 'too', name: 'Fine, too' }],
      agentCapabilities: { sessionCapabilities: { list: {} }, promptCapabilities: 'x', loadSession: true },
    }),
    'session/new': () => {
      throw new AgentError(-32000, 'Authentication required');
    },
    authenticate: (_params, self) => {
      const configOptions = [option('one'), { id: 5 }, null, { ...option('bad'), currentValue: 5 }, option('two')];
      self.on('session/new', () => ({ sessionId: 's1', configOptions }));
    },
    'session/list': () => {
      const kept = (id: string) => ({ sessionId: id, cwd: t.workspace, title: `Kept ${id}` });
      return { sessions: [kept('first'), 7, { sessionId: 'no folder' }, null, { ...kept('last'), updatedAt: 5 }] };
    },
  });
  await t.page.sees({ role: 'button', name: 'Fine', exact: true });
  await t.page.misses({ role: 'button', name: 'Nameless' });
  await t.page.click({ role: 'button', name: 'Fine, too', exact: true });
  assert.deepEqual((await agent.call('authenticate'))['params'], { methodId: 'too' });
  await t.page.reveals('Option one');
  await t.page.reveals('Option two');
  assert.deepEqual(await t.page.texts({ css: '[aria-label="Option bad"]' }), []);
  await t.turn(agent, ({ update }) => {
    const text = (value: string) => ({ type: 'content', content: { type: 'text', text: value } });
    const content = [text('kept one'), 3, { type: 'content' }, { type: 'diff', path: 5 }, text('kept two')];
    const locations = [{}, { path: '/w/there.txt', line: 'x' }];
    const call = { toolCallId: 'c', title: 'Mixed', status: 'completed', content, locations };
    update({ sessionUpdate: 'tool_call', ...call });
    const availableCommands = [{ name: 'good', description: 'd' }, {}, 'bad', { name: 'better', description: 5 }];
    update({ sessionUpdate: 'available_commands_update', availableCommands });
    const step = { content: 'A step', priority: 'urgent', status: 'somehow' };
    update({ sessionUpdate: 'plan', entries: [step, {}, 'x', { ...step, content: 'Another step' }] });
  });
  await t.page.sees({ text: '0 of 2' });
  await t.page.opens('Mixed');
  for (const hasText of ['kept one', 'kept two']) await t.page.sees({ role: 'article', name: 'Mixed', hasText });
  await t.page.write('/');
  await t.page.sees({ role: 'option', name: 'better' });
  assert.equal((await t.page.texts({ css: '[role=listbox][aria-label="Commands"] [role=option]' })).length, 2);
  await t.page.write('');
  await vscode.commands.executeCommand('parley.openSession');
  await t.editor.filters('Kept');
  for (const title of ['Kept first', 'Kept last']) await t.editor.lists(title);
  assert.doesNotMatch((await t.editor.entries()).join('\n'), /no folder/);
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
});
