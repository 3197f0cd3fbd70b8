import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AgentError } from '../agent';
import { configuredAgentName, secretValue } from '../connections';
import { row, rowInWindow } from '../row';

row('B19', 'neither shows nor logs secrets', async (t) => {
  const agent = await t.start(
    {
      'session/prompt': (_params, self) => {
        self.say(`my key is not ${secretValue}`);
        self.act({ stderr: `token=${secretValue}\n` });
        throw new AgentError(-32603, `refused ${secretValue}`, { headers: { Authorization: `Bearer ${secretValue}` } });
      },
    },
    { agent: configuredAgentName },
  );
  await agent.call('session/new');
  await t.prompt('go');
  await t.page.sees({ role: 'alert', hasText: 'refused' });
  assert.deepEqual(await t.page.texts({ role: 'alert', hasText: secretValue }), []);
  // The newest of the logs is the first in the list.
  const log = await t.editor.protocolLog(configuredAgentName);
  assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, 'parley-log');
  assert.match(log, /session\/prompt/);
  assert.ok(!log.includes(secretValue));
});

row('G06', 'runs an agent of the settings as configured', async (t) => {
  const agent = await t.start({}, { agent: configuredAgentName });
  await agent.call('session/new');
  assert.deepEqual(agent.hello.args, ['two words', t.workspace]);
  assert.equal(agent.hello.env['CONFORMANCE_TOKEN'], secretValue);
  assert.equal(agent.hello.cwd, '/');
});

rowInWindow('O04', 'requests edit suggestions only if user and agent want them', async (t) => {
  const file = join(await t.folder(), 'suggested.ts');
  await writeFile(file, 'one\n');
  const nes = {
    events: {
      document: { didOpen: {}, didChange: { syncKind: 'incremental' }, didClose: {}, didSave: {}, didFocus: {} },
    },
    context: { recentFiles: {}, editHistory: {}, userActions: {}, openFiles: {}, diagnostics: {} },
  };
  const handlers = (agentCapabilities: object) => ({
    initialize: () => ({ protocolVersion: 1, agentCapabilities }),
    'nes/start': () => ({ sessionId: 'nes1' }),
    'nes/suggest': () => ({ suggestions: [] }),
    'nes/close': () => ({}),
  });
  const isOfSuggestions = (method: unknown) => /^(nes|document)\//.test(String(method));
  const asksFor = async (setting: boolean, agentCapabilities: object) => {
    await t.set('parley.nextEditSuggestions.enabled', setting ? true : undefined);
    const agent = await t.open(handlers(agentCapabilities));
    const { params } = await agent.call('initialize');
    const { clientCapabilities } = params as { readonly clientCapabilities: object };
    assert.deepEqual(['nes' in clientCapabilities, 'positionEncodings' in clientCapabilities], [setting, setting]);
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    return { agent, editor };
  };
  for (const [setting, capabilities] of [
    [false, { nes }],
    [true, {}],
  ] as const) {
    const { agent, editor } = await asksFor(setting, capabilities);
    await editor.edit((change) => change.insert(new vscode.Position(0, 3), '!'));
    await vscode.commands.executeCommand('editor.action.inlineSuggest.trigger');
    await t.turn(agent);
    assert.deepEqual(agent.calls.filter(isOfSuggestions), []);
    await t.close();
    await agent.ended;
  }
  const refusing = await t.open({
    ...handlers({ nes }),
    'nes/start': () => {
      throw new AgentError(-32000, 'Suggestions need a login');
    },
  });
  await t.page.sees({ text: 'can’t suggest edits' });
  await t.close();
  await refusing.ended;
  const { agent, editor } = await asksFor(true, { nes });
  await agent.call('document/didOpen');
  await editor.edit((change) => change.insert(new vscode.Position(0, 0), '> '));
  await agent.call('document/didChange');
  await vscode.commands.executeCommand('editor.action.inlineSuggest.trigger');
  await agent.call('nes/suggest');
  await editor.document.save();
  await agent.call('document/didSave');
  // The window goes on without the setting, and the agent without the suggestions.
  await t.set('parley.nextEditSuggestions.enabled', undefined);
  await agent.call('nes/close');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await t.turn(agent, ({ say }) => say('still here'));
  assert.ok(agent.calls.includes('nes/start'));
});

row('O02', 'rejects methods of proxies', async (t) => {
  const agent = await t.open();
  for (const method of ['proxy/initialize', 'proxy/successor']) assert.equal(await agent.errorCode(method), -32601);
  assert.ok(!agent.calls.some((method) => String(method).startsWith('proxy/')));
});
