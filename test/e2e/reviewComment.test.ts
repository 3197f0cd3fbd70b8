import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '../root.mjs';
import { scene, type Scene } from './harness';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };
const files = { 'a.txt': 'one\ntwo\nthree\n' };
const text = 'one\nchanged\nthree\n';

/** Lets an agent change a file and opens it. */
async function changedFile({ workbench, chat, openChat }: Scene) {
  await openChat();
  const path = join(workbench.folder, 'a.txt');
  await chat.submit(JSON.stringify([{ write: path, text }]));
  await chat.untilIdle();
  await workbench.openFile('a.txt');
  const { page } = workbench;
  // While the editor renews its lenses, there are two of each.
  const lens = workbench.lens('Comment').first();
  const box = page.locator('.quick-input-widget:visible', { hasText: 'Comment on this change' });
  const shown = page.locator('.part.editor .editor-instance .view-lines').first();
  return { path, page, lens, box, shown };
}

scene('types a comment into an input box, not the file', { agents, files }, async (parts) => {
  const { path, page, lens, box } = await changedFile(parts);
  const input = box.locator('input');
  await lens.click();
  await input.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Keep the word');
  await page.keyboard.press('Escape');
  await box.waitFor({ state: 'detached' });

  // Once more by the palette: what was written is there, and gets the rest.
  await page.locator('.part.editor .editor-instance .view-line', { hasText: 'changed' }).first().click();
  await parts.workbench.runCommand('Parley: Comment on Change');
  await input.and(page.locator(':focus')).waitFor();
  await page.keyboard.type(' two please');
  assert.equal(await input.inputValue(), 'Keep the word two please');
  await parts.screenshot('review-comment');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await box.getByText('Type a comment to send.').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await readFile(path, 'utf8'), text);
  assert.equal(await page.locator('.tabs-container .tab.dirty').count(), 0);
});

scene('words typed before a slow input box reach the comment', { agents, files }, async (parts) => {
  const { path, page, lens, box, shown } = await changedFile(parts);
  const host = (await parts.server.processes()).find(({ command }) => command.includes('--type=extensionHost'));
  assert.ok(host);
  const heard = join(parts.workbench.folder, '..', 'heard.txt');
  const words = JSON.stringify([{ hear: heard }]);
  await page.locator('.part.editor .editor-instance .view-line', { hasText: 'three' }).first().click();
  await lens.waitFor();
  process.kill(host.pid, 'SIGSTOP');
  try {
    await lens.click();
    await page.keyboard.type(words.slice(0, 5));
  } finally {
    process.kill(host.pid, 'SIGCONT');
  }
  await box.getByText('Starts with what you typed before').waitFor();
  await page.keyboard.type(words.slice(5));
  await page.keyboard.press('Enter');
  await box.waitFor({ state: 'detached' });
  await parts.chat.untilIdle();
  assert.match(await readFile(heard, 'utf8'), /This is about your change in a\.txt, line 2:/);
  assert.equal((await shown.innerText()).replaceAll('\u00a0', ' ').includes('['), false);
  // The words and their removal are steps of undo, so the file counts as unsaved.
  await page.locator('.part.editor .editor-instance .view-line', { hasText: 'three' }).first().click();
  await page.keyboard.press('ControlOrMeta+S');
  await page.locator('.tabs-container .tab.dirty').waitFor({ state: 'detached' });
  assert.equal(await readFile(path, 'utf8'), text);
});
