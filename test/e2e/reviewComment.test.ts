import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '../root.mjs';
import { scene } from './harness';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };

scene(
  'types into one comment box per change, not the file',
  { agents, files: { 'a.txt': 'one\ntwo\nthree\n' }, timeoutMs: 240_000 },
  async ({ workbench, chat, openChat, screenshot }) => {
    await openChat();
    const path = join(workbench.folder, 'a.txt');
    const text = 'one\nchanged\nthree\n';
    await chat.submit(JSON.stringify([{ write: path, text }]));
    await chat.untilIdle();
    await workbench.openFile('a.txt');
    const { page } = workbench;
    const lens = page.locator('.codelens-decoration a').filter({ hasText: 'Comment' });
    const boxes = page.locator('.review-widget:visible');
    const written = boxes.locator('.edit-container .view-lines');
    const hasKeyboard = () => boxes.locator('.edit-container .monaco-editor.focused').waitFor();
    await lens.click();
    await hasKeyboard();
    await page.keyboard.type('Keep the word');
    await written.getByText('Keep the word').waitFor();
    await page.locator('.part.editor .editor-instance .view-line', { hasText: 'three' }).first().click();

    // Once more by the lens, and by the palette: the box that is open has what was written, and gets the rest.
    await lens.click();
    await hasKeyboard();
    await page.keyboard.press('End');
    await page.keyboard.type(' two');
    await page.locator('.part.editor .editor-instance .view-line', { hasText: 'changed' }).first().click();
    await workbench.runCommand('Parley: Comment on Change');
    await hasKeyboard();
    await page.keyboard.press('End');
    await page.keyboard.type(' please');
    await written.getByText('Keep the word two please').waitFor();
    await screenshot('review-comment');
    assert.equal(await boxes.count(), 1);
    assert.equal(await readFile(path, 'utf8'), text);
    assert.equal(await page.locator('.tabs-container .tab.dirty').count(), 0);
    // The box stays with what was typed until the user discards it, also in the next scene.
    await boxes.locator('.action-label.codicon-trash').first().click();
    await boxes.first().waitFor({ state: 'detached' });
  },
);
