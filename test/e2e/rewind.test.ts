import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { inRoot } from '../root.mjs';
import { scene, type Scene } from './harness';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };

/** Lets the agent say something. */
const says = (text: string) => ({
  tell: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
});

/** Chooses a message and what to restore, by the words that their rows contain. */
async function returnTo(scene: Scene, message: string, what: string): Promise<void> {
  const { workbench } = scene;
  await workbench.runCommand('Parley: Return to Message…');
  const rows = workbench.page.locator('.quick-input-widget:visible .monaco-list-row');
  await rows.filter({ hasText: message }).waitFor();
  await scene.screenshot('return-to-message');
  await rows.filter({ hasText: message }).click();
  await rows.filter({ hasText: what }).waitFor();
  await scene.screenshot('return-to-message-scope');
  await rows.filter({ hasText: what }).click();
}

scene(
  'resends an earlier message with and without restoring its files',
  { agents, settings: { 'parley.defaultAgent': 'Told' }, files: { 'a.txt': 'one\n' } },
  async (scene) => {
    const { workbench, chat, openChat } = scene;
    const path = workbench.file('a.txt');
    const bytes = () => readFile(path, 'utf8');
    const heard = workbench.file('heard.txt');
    const heardAgain = workbench.file('heardAgain.txt');
    const notice = (text: string) => chat.article('Notice').filter({ hasText: text });
    const field = chat.page.getByRole('textbox', { name: 'Edited message' });
    const focused = field.and(chat.page.locator(':focus'));

    await openChat();
    await chat.send(JSON.stringify([{ write: path, text: 'two\n' }, says('It is two.')]));
    await chat.untilIdle();
    await chat.send(JSON.stringify([{ write: path, text: 'three\n' }, says('It is three.')]));
    await chat.untilText(chat.article('Told'), 'It is three.');
    await chat.untilIdle();
    assert.equal(await bytes(), 'three\n');

    await returnTo(scene, 'three', 'Conversation and files');
    await focused.waitFor();
    await field.fill(JSON.stringify([{ hearAll: heard }, says('Heard it.')]));
    await chat.button('Restore and send').click();
    await chat.untilText(chat.article('Told'), 'Heard it.');
    await chat.untilIdle();
    assert.equal(await bytes(), 'two\n');
    await notice('New session: Told receives the messages above as text').waitFor();
    await chat.article('You').first().and(chat.page.locator('[aria-description]')).waitFor();
    assert.equal(await chat.article('You').count(), 2);
    const received = await readFile(heard, 'utf8');
    assert.equal(received.split('Agent (Told):\n  It is two.').length, 2, received);
    assert.doesNotMatch(received, /three/);
    await scene.screenshot('rewound');

    await returnTo(scene, 'hearAll', 'Conversation only');
    await focused.waitFor();
    await field.fill(JSON.stringify([{ hearAll: heardAgain }, says('Heard it again.')]));
    await field.press('Enter');
    await chat.untilText(chat.article('Told'), 'Heard it again.');
    await chat.untilIdle();
    assert.equal(await bytes(), 'two\n');
    const again = await readFile(heardAgain, 'utf8');
    assert.equal(again.split('Agent (Told):\n  It is two.').length, 2, again);

    await returnTo(scene, 'two', 'Files only');
    const preview = chat.page.getByRole('group', { name: 'Restore files' });
    await preview.getByRole('button', { name: 'Restore', exact: true }).click();
    await notice('Restored').waitFor();
    assert.equal(await bytes(), 'one\n');
    assert.equal(existsSync(heardAgain), false);

    // The scene ends with one session, as others do.
    for (const count of [2, 1]) {
      const last = (await chat.article('Told').last().innerText()).split('\n')[0] ?? '';
      await workbench.runCommand('Parley: Close Session');
      await chat.article('Told').filter({ hasText: last }).waitFor({ state: 'detached' });
      assert.equal(await chat.transcript.count(), 1, `${count} sessions are left`);
    }
  },
);
