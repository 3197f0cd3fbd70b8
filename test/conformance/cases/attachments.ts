import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Params, ScriptedAgent } from '../agent';
import type { Case } from '../case';
import { row, rowInWindow } from '../row';

const can = (promptCapabilities: object, meta: object = {}) => ({
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { promptCapabilities }, ...meta }),
});

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Puts a file into the workspace and adds it to the message that is being written. */
async function add(t: Case, name: string, bytes: string | Uint8Array): Promise<string> {
  const uri = vscode.Uri.file(join(await t.folder(), name));
  await writeFile(uri.fsPath, bytes);
  await vscode.commands.executeCommand('parley.addToChat', uri);
  await t.page.sees({ role: 'button', name: `Remove ${name}` });
  return uri.toString();
}

/** The blocks of the newest prompt. */
async function blocks(agent: ScriptedAgent, count = 1): Promise<unknown> {
  const { params } = await agent.call('session/prompt', count);
  return (params as { prompt: unknown }).prompt;
}

// Four agents, one after the other.
row('P01', 'sends text and links always, images only if supported, with notice', async (t) => {
  const plain = await t.open(can({}));
  const uri = await add(t, 'a.ts', 'let a;\n');
  await add(t, 'dot.png', png);
  await t.page.send('Look');
  assert.deepEqual(await blocks(plain), [
    { type: 'text', text: 'Look' },
    { type: 'resource_link', uri, name: 'a.ts' },
  ]);
  await t.page.sees({ role: 'article', name: 'Notice', hasText: 'doesn’t support images' });
  await t.page.sees({ role: 'article', name: 'You', hasText: 'a.ts' });
  await t.close();
  const seeing = await t.open(can({ image: true }));
  await add(t, 'dot.png', png);
  await t.page.send('And you?');
  assert.deepEqual(await blocks(seeing), [
    { type: 'text', text: 'And you?' },
    { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
  ]);
  await t.page.misses({ role: 'article', name: 'Notice', hasText: 'doesn’t support images' });
  await t.close();
  const deaf = await t.open(can({}));
  const voice = await add(t, 'voice.wav', 'RIFF');
  await t.page.send('Listen');
  assert.deepEqual(await blocks(deaf), [
    { type: 'text', text: 'Listen' },
    { type: 'resource_link', uri: voice, name: 'voice.wav', mimeType: 'audio/wav' },
  ]);
  await t.page.sees({ role: 'article', name: 'Notice', hasText: 'it got the file’s path instead' });
  await t.close();
  const hearing = await t.open(can({ audio: true }));
  await add(t, 'voice.mp3', 'ID3');
  await t.page.send('Listen');
  assert.deepEqual(await blocks(hearing), [
    { type: 'text', text: 'Listen' },
    { type: 'audio', data: Buffer.from('ID3').toString('base64'), mimeType: 'audio/mpeg' },
  ]);
  await t.page.sees({ css: 'article[aria-label^="You"] audio[aria-label="voice.mp3"]' });
  await t.page.misses({ role: 'article', name: 'Notice', hasText: 'doesn’t support audio' });
});

rowInWindow('P02', 'sends a file as visible text if supported, else as link', async (t) => {
  const agent = await t.open(can({ embeddedContext: true }));
  const uri = await add(t, 'a.ts', 'let a;\n');
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(1, 0), 'unsaved\n');
  assert.ok(await vscode.workspace.applyEdit(edit));
  const binary = await add(t, 'b.bin', Uint8Array.from([0, 1, 2, 0]));
  await t.page.send('Look');
  assert.deepEqual(await blocks(agent), [
    { type: 'text', text: 'Look' },
    { type: 'resource', resource: { uri, text: 'let a;\nunsaved\n' } },
    { type: 'resource_link', uri: binary, name: 'b.bin' },
  ]);
  await document.save();
  const editor = await vscode.window.showTextDocument(document);
  editor.selection = new vscode.Selection(1, 0, 2, 0);
  await vscode.commands.executeCommand('parley.addToChat', document.uri);
  await t.page.sees({ role: 'button', name: 'Remove a.ts:2' });
  await t.page.send('These lines');
  assert.deepEqual(await blocks(agent, 2), [
    { type: 'text', text: 'These lines' },
    { type: 'resource', resource: { uri: `${uri}#L2`, text: 'unsaved\n' } },
  ]);
  await t.page.write('And @a.t');
  await t.page.click({ role: 'option', name: 'a.ts' });
  await t.page.click({ role: 'button', name: 'Remove a.ts' });
  await t.page.write('');
  await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
});

row('O03', 'adds a queued message to the running turn if supported', async (t) => {
  const agent = await t.open(can({}, { _meta: { steering: { supported: true } } }));
  let end: () => void = () => undefined;
  agent.on('session/prompt', () => new Promise((resolve) => (end = () => resolve({ stopReason: 'end_turn' }))));
  agent.on('_session/steering', () => ({ outcome: 'injected' }));
  await t.page.send('Begin');
  await agent.call('session/prompt');
  await t.page.send('Mind the tests');
  await t.page.click({ role: 'button', name: 'Add to this turn' });
  const { params } = await agent.call('_session/steering');
  const { _meta, ...said } = params as Params;
  assert.deepEqual(said, { sessionId: 's1', prompt: [{ type: 'text', text: 'Mind the tests' }] });
  assert.deepEqual(_meta, { steering: { idleBehavior: 'promptRequired' } });
  await t.page.sees({ role: 'article', name: 'You', hasText: 'Mind the tests' });
  await t.page.misses({ css: '[aria-label="Queued messages"]' });
  agent.on('_session/steering', () => ({ outcome: 'failed' }));
  await t.page.send('And this');
  await t.page.click({ role: 'button', name: 'Add to this turn' });
  await t.page.sees({ role: 'article', name: 'Notice', hasText: 'it stays queued' });
  await t.page.sees({ css: '[aria-label="Queued messages"]', hasText: 'And this' });
  end();
  assert.deepEqual(await blocks(agent, 2), [{ type: 'text', text: 'And this' }]);
  // The turn ends before the agent hears of the message: it begins one of its own, or leaves that to Parley.
  agent.on('_session/steering', async () => {
    end();
    await agent.catchUp();
    agent.on('session/prompt', () => ({ stopReason: 'end_turn' }));
    return { outcome: 'startedNewTurn' };
  });
  await t.page.send('One more thing');
  await t.page.click({ role: 'button', name: 'Add to this turn' });
  await t.page.sees({ role: 'article', name: 'You', hasText: 'One more thing' });
  await t.page.misses({ css: '[aria-label="Queued messages"]' });
  agent.say('of a turn of my own');
  await t.page.sees({ text: 'of a turn of my own' });
  await t.page.misses({ css: '[role=feed][aria-busy=true]' });
  await t.turn(agent, ({ say }) => say('as ever'), 'Go on');
  await t.page.sees({ text: 'as ever' });
  assert.deepEqual(await blocks(agent, 3), [{ type: 'text', text: 'Go on' }]);
  const entries = (await t.page.texts({ css: '[role=feed] article' })).join('\n');
  assert.match(entries, /And this[^]*One more thing[^]*of a turn of my own[^]*Go on/);
  const messages = (await t.page.texts({ css: '[role=feed] .pl-user p' })).join('\n');
  assert.equal(messages.split('One more thing').length, 2);
  await t.close();
  const plain = await t.open(can({}));
  plain.on('session/prompt', () => new Promise((resolve) => (end = () => resolve({ stopReason: 'end_turn' }))));
  await t.page.send('Begin');
  await plain.call('session/prompt');
  await t.page.send('Not into this one');
  await t.page.sees({ css: '[aria-label="Queued messages"]', hasText: 'Not into this one' });
  await t.page.misses({ role: 'button', name: 'Add to this turn' });
  end();
  await plain.call('session/prompt', 2);
  end();
  assert.ok(!plain.calls.includes('_session/steering'));
});
