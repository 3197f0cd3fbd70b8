import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '../root.mjs';
import { scene } from './harness';
import { until } from './poll';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };
const numbered = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');

scene(
  'reviews changes by keyboard alone, takes one back, and returns',
  { agents, files: { 'a.txt': numbered, 'b.txt': 'old\n' } },
  async ({ workbench, chat, openChat, screenshot }) => {
    const { page, folder } = workbench;
    const [a, b, c] = [join(folder, 'a.txt'), join(folder, 'b.txt'), join(folder, 'c.txt')];
    await openChat();
    const written = numbered.replace('line 3\n', 'line three\n').replace('line 20\n', 'line twenty\n');
    const steps = [
      { write: a, text: written },
      { write: b, text: 'new\n' },
      { write: c, text: 'fresh\n' },
    ];
    await chat.submit(JSON.stringify(steps));
    await chat.untilIdle();
    await workbench.runCommand('Parley: Review Changes');
    await page.getByRole('tab', { name: 'Told: 3 of 3 files left' }).waitFor();
    const review = workbench.editorView();
    const current = (name: string | RegExp) =>
      review.getByRole('group', { name }).and(review.locator(':focus')).waitFor();
    await current('Change 1 of 2, line 3');
    await screenshot('review-page');
    await page.keyboard.press('n');
    await current('Change 2 of 2, line 20');
    await page.keyboard.press('p');
    await page.keyboard.press('k');
    await current('Change 1 of 1, line 20');
    await page.keyboard.press('u');
    await page.getByRole('tab', { name: 'Told: 2 of 3 files left' }).waitFor();
    await until(
      async () => (await readFile(a, 'utf8')) === numbered.replace('line 3\n', 'line three\n'),
      () => readFile(a, 'utf8'),
    );
    // The next file can be decided half a second later.
    await review.getByRole('button', { name: 'Keep b.txt', exact: true, disabled: false }).waitFor();
    await page.keyboard.press('Shift+U');
    await page.getByRole('tab', { name: 'Told: 1 of 3 files left' }).waitFor();
    await review.getByRole('button', { name: 'Keep c.txt', exact: true, disabled: false }).waitFor();
    await page.keyboard.press('Shift+K');
    await review
      .getByRole('heading', { name: 'All 3 files reviewed · 2 kept, 1 undone, 1 change undone in a kept file' })
      .waitFor();
    await screenshot('review-page-end');
    assert.equal(await readFile(b, 'utf8'), 'old\n');

    // Takes back the keep, and then the undo.
    await page.keyboard.press('Control+z');
    await page.getByRole('tab', { name: 'Told: 1 of 3 files left' }).waitFor();
    await page.keyboard.press('Control+z');
    await page.getByRole('tab', { name: 'Told: 2 of 3 files left' }).waitFor();
    await until(
      async () => (await readFile(b, 'utf8')) === 'new\n',
      () => readFile(b, 'utf8'),
    );
    await page.keyboard.press('o');
    await page.getByRole('tab', { name: /^b\.txt/, selected: true }).waitFor();
    await workbench.runCommand('Parley: Review Changes');
    await current('Change 1 of 1, line 1');
    await page.keyboard.press('Escape');
    await chat.message.and(chat.page.locator(':focus')).waitFor();
  },
);
