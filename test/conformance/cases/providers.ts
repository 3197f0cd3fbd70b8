import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Handler, Params, ScriptedAgent } from '../agent';
import { agentName } from '../connections';
import { row } from '../row';

const secret = 'forest-key-4711-heron';
const headers = { Authorization: `Bearer ${secret}` };
const place = 'editor';
const main = { name: 'main', place } as const;
const june = { name: 'june', place } as const;

/** An agent that remembers what it is told, as long as its process lives; one provider is named as agents of June 2026 did. */
function handlers(): Record<string, Handler> {
  const current = new Map<unknown, unknown>([['june', { apiType: 'openai', baseUrl: 'https://models.example' }]]);
  const listed = [
    { providerId: 'main', supported: ['anthropic', '_of-tomorrow'], required: false },
    { id: 'june', supported: ['openai'], required: true },
  ];
  return {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: { providers: {} } }),
    'providers/list': () => ({
      providers: [7, ...listed.map((one) => ({ ...one, current: current.get(one.id ?? one.providerId) ?? null }))],
    }),
    'providers/set': ({ providerId, apiType, baseUrl }) => {
      current.set(providerId, { apiType, baseUrl });
      return {};
    },
    'providers/disable': ({ providerId }) => {
      current.delete(providerId);
      return {};
    },
  };
}

async function sent(agent: ScriptedAgent, method: string, count = 1): Promise<Params> {
  return (await agent.call(method, count))['params'] as Params;
}

row('O01', "lists, sets, and disables providers before each process's first session", async (t) => {
  const button = (name: string) => t.page.click({ role: 'button', name, exact: true, place });
  const sees = (text: string) => t.page.sees({ text, place });
  const agent = await t.open(handlers());
  assert.ok(!agent.calls.some((method) => String(method).startsWith('providers/')), 'nothing is stored, nothing sent');
  const opened = vscode.commands.executeCommand('parley.configureProviders');
  await t.page.acceptsQuickPick(agentName);
  await opened;
  assert.deepEqual(await sent(agent, 'providers/list'), {});
  await sees('Off.');
  await sees('In use: openai at https://models.example');

  await t.page.fill('Base URL', 'https://gateway.example/v1', main);
  await button('Add header');
  await t.page.fill('Header name', 'X-Old', main);
  await t.page.fill('Value of X-Old', 'feather', main);
  await button('Save');
  const first = { providerId: 'main', apiType: 'anthropic', baseUrl: 'https://gateway.example/v1' };
  assert.deepEqual(await sent(agent, 'providers/set'), { ...first, headers: { 'X-Old': 'feather' } });
  await sees('In use: anthropic at https://gateway.example/v1');
  await button('Remove X-Old');
  await button('Add header');
  await t.page.fill('Header name', 'Authorization', main);
  await t.page.fill('Value of Authorization', headers.Authorization, main);
  await button('Save');
  assert.deepEqual(await sent(agent, 'providers/set', 2), { ...first, headers });
  await sees('Saved.');

  // One that is required cannot be turned off, and is named as the agent names it.
  assert.equal((await t.page.texts({ role: 'button', name: 'Turn off', place })).length, 1);
  await t.page.fill('Base URL', 'https://other.example', june);
  await t.page.click({ css: '[data-provider=june] [type=submit]', place });
  const old = { providerId: 'june', id: 'june', apiType: 'openai', baseUrl: 'https://other.example', headers: {} };
  assert.deepEqual(await sent(agent, 'providers/set', 3), old);
  await sees('In use: openai at https://other.example');

  // A new process is told all of it before it opens a session.
  const restarted = t.nextAgent(handlers());
  agent.act({ exit: 1 });
  await t.page.click({ role: 'button', name: 'Restart and continue' });
  const next = await restarted;
  await next.call('session/new');
  assert.deepEqual(next.calls, ['initialize', 'providers/set', 'providers/set', 'session/new']);
  assert.deepEqual(
    [await sent(next, 'providers/set'), await sent(next, 'providers/set', 2)],
    [{ ...first, headers }, old],
  );
  await next.catchUp();

  // Saved without typing it again, the stored value is sent.
  await t.page.fill('Base URL', 'http://gateway.example/v2', main);
  await sees('Not encrypted');
  await button('Save');
  assert.deepEqual(await sent(next, 'providers/set', 3), { ...first, baseUrl: 'http://gateway.example/v2', headers });
  await sees('In use: anthropic at http://gateway.example/v2');
  await button('Turn off');
  assert.deepEqual(await sent(next, 'providers/disable'), { providerId: 'main' });
  await sees('Off.');

  const shown = [...(await t.page.texts({ css: 'body' })), ...(await t.page.texts({ css: 'body', place }))].join('\n');
  assert.ok(!shown.includes(secret));
  assert.equal(
    await t.page.attribute({ role: 'textbox', name: 'Value of Authorization', place }, 'placeholder'),
    'Saved',
  );
  const log = await t.editor.protocolLog(agentName);
  assert.match(log, /providers\/set/);
  assert.ok(!log.includes(secret));
  await vscode.commands.executeCommand('workbench.action.closeActiveEditor');

  // The page keeps the agent; without both it ends, and its next start begins with what is stored.
  await t.close();
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await next.ended;
  const last = await t.open(handlers());
  assert.deepEqual(last.calls.slice(0, 4), ['initialize', 'providers/set', 'providers/disable', 'session/new']);

  const again = vscode.commands.executeCommand('parley.configureProviders');
  await t.page.acceptsQuickPick(agentName);
  await again;
  for (const { name } of [main, june]) {
    await t.page.click({ css: `[data-provider=${name}] .btns .btn:last-child`, place });
    await t.page.sees({ css: `[data-provider=${name}]`, hasText: 'Not set:', place });
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
});
