import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { scene } from './harness';

/** How long the first request of the tour may take from the opening of the chat, on a machine that tests share. */
const firstRequestMs = 30_000;

scene('Try plays the tour to its end with one key, and the end leads to Add Agent…', {}, async (scene) => {
  const { workbench, chat } = scene;
  const { keyboard } = workbench.page;
  await scene.openChat();
  const began = Date.now();
  await chat.button('Try Tour agent').focus();
  await keyboard.press('Enter');
  const request = chat.permission('Create parley-tour.md');
  await request.waitFor({ timeout: firstRequestMs });
  console.log(`# From Try to the tour's first request: ${Date.now() - began} ms`);
  assert.match(await chat.article('You').innerText(), /Show me around/);
  await scene.screenshot('tour-first-request');
  for (const title of ['Create parley-tour.md', 'ls']) {
    // The focus may scroll the request into sight, and while it moves it takes no answers.
    await chat.permission(title).focus();
    await chat.untilAnswerable(title);
    await keyboard.press('1');
    await chat.permission(title).waitFor({ state: 'detached' });
  }
  await chat.untilText(chat.article('Tour agent'), 'That’s the tour');
  assert.match(await readFile(workbench.file('parley-tour.md'), 'utf8'), /# Parley tour/);
  const next = chat.article('Notice').getByRole('button', { name: 'Add Agent…' });
  await next.waitFor();
  await next.focus();
  await scene.screenshot('tour-end');
  await keyboard.press('Enter');
  const opened = workbench.page.locator('.quick-input-widget:visible, .notification-list-item:visible');
  await opened.first().waitFor();
  await keyboard.press('Escape');
});
