import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { Chat } from '../e2e/chat';
import { useDesk } from './desk';

const desk = useDesk();

/** An agent that plays this script. */
const plays = (script: object) => ({
  'parley.agents': {
    Codex: { command: process.execPath, args: [resolve('test/fixtures/agents/scripted.mjs'), JSON.stringify(script)] },
  },
});

test('a message is typed, allowed, and answered, and a file is written', async () => {
  const toolCall = { toolCallId: 'c', title: 'Edit notes.md', kind: 'edit', status: 'pending' };
  const options = [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ];
  const steps = [
    { request: 'session/request_permission', params: { sessionId: '$session', toolCall, options } },
    { request: 'fs/write_text_file', params: { sessionId: '$session', path: '$cwd/notes.md', content: 'written\n' } },
    { say: 'It is written.' },
  ];
  const window = await desk.open({ settings: plays({ turns: [{ steps }] }) });
  const chat = new Chat(await window.chat());
  await window.run('parley.newSession', { agent: 'Codex' });
  await chat.send('Write it');
  await chat.answer('Edit notes.md');
  await chat.untilIdle();
  await chat.untilText(chat.article('Codex'), 'It is written.');
  assert.equal(await readFile(join(window.folder, 'notes.md'), 'utf8'), 'written\n');
  assert.deepEqual(window.violations, []);
});

test('lists, boxes, documents, and pages are used as in a window', async () => {
  const window = await desk.open({ settings: plays({ turns: [{ steps: [{ say: 'Hello.' }] }] }) });
  const chat = new Chat(await window.chat());
  void window.run('parley.newSession');
  await window.inputs.picks('Codex');
  await chat.send('Hello');
  await chat.untilText(chat.article('Codex'), 'Hello.');
  const renamed = window.run('parley.renameSession');
  await window.inputs.enters('Session name', 'The first');
  await renamed;
  await chat.page.getByRole('heading', { name: 'The first' }).waitFor();
  await window.run('parley.showProtocolLog');
  assert.match(window.documents.text, /session\/prompt/);
  window.settings.set('parley.toolDetail', 'full');
  await window.run('parley.showUsage');
  await (await window.panel()).getByRole('heading').first().waitFor();
  void window.run('parley.deleteSession');
  await window.notifications.answers('Deleted “The first”', 'Undo');
  await chat.page.getByRole('heading', { name: 'The first' }).waitFor();
  assert.deepEqual(window.violations, []);
});
