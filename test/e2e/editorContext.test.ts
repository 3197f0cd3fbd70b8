import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { until } from '../integration/poll';
import { inRoot } from '../root.mjs';
import type { Workbench } from '../workbench/workbench.mjs';
import type { Chat } from './chat';
import { scenes } from './harness';
import { waitingChanges } from './reviewParts';

const agents = {
  Repeater: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'repeatsPrompt.mjs')] },
};
const files = {
  'src/basket.js': 'first\nsecond\nthird\n',
  'docs/guide.md': '# Guide\n',
  'broken.json': '{\n  "a": 1,,\n}\n',
};

/** The chip of the active editor with this name, on or off. */
const chip = (chat: Chat, name: string, isOn: boolean) =>
  chat.page.getByRole('button', { name: `Active editor: ${name}`, exact: true, pressed: isOn });

/** Sends a message and returns what the agent got, as it repeats it. */
async function repeated(chat: Chat, text: string): Promise<string> {
  const answers = chat.article('Repeater').filter({ hasText: 'end' });
  const before = await answers.count();
  await chat.send(text);
  await answers.nth(before).waitFor();
  await chat.untilIdle();
  return answers.nth(before).innerText();
}

async function choose(workbench: Workbench, place: Locator, item: string): Promise<void> {
  await place.click({ button: 'right' });
  const entry = workbench.page.getByRole('menuitem', { name: item }).first();
  // A menu that has just opened ignores the mouse button, but not a key.
  await entry.hover();
  await workbench.page.keyboard.press('Enter');
  await entry.waitFor({ state: 'detached' });
}

const explorerRow = ({ page }: Workbench, name: string) =>
  page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();

scenes(
  { agents, files, settings: { 'workbench.editor.enablePreview': false } },
  {
    'the selection follows the editor into the message, and a key in the chat turns it off': async ({
      workbench,
      chat,
      openChat,
      screenshot,
    }) => {
      await openChat();
      await workbench.openFile('src/basket.js');
      await chip(chat, 'basket.js', true).waitFor();
      const uri = `file://${workbench.file('src/basket.js')}`;
      assert.match(await repeated(chat, 'One'), new RegExp(`resource_link ${uri}$`, 'm'));
      await workbench.page.locator('.editor-instance .view-line', { hasText: 'first' }).click();
      await workbench.page.keyboard.press('Control+Home');
      await workbench.page.keyboard.press('Shift+ArrowDown');
      await workbench.page.keyboard.press('Shift+ArrowDown');
      await chip(chat, 'basket.js:1–2', true).waitFor();
      assert.match(await repeated(chat, 'Two'), new RegExp(`resource ${uri}#L1-L2 "first.nsecond.n"$`, 'm'));
      await chat.article('You').last().filter({ hasText: 'basket.js' }).waitFor();
      await screenshot('editor context');
      await chip(chat, 'basket.js:1–2', true).focus();
      await workbench.page.keyboard.press('Enter');
      await chip(chat, 'basket.js:1–2', false).waitFor();
      assert.doesNotMatch(await repeated(chat, 'Three'), /basket/);
      await chip(chat, 'basket.js:1–2', false).click();
      await chip(chat, 'basket.js:1–2', true).waitFor();
      await workbench.changeSettings({ 'parley.context.activeEditor': false });
      await chip(chat, 'basket.js:1–2', true).waitFor({ state: 'detached' });
      await workbench.changeSettings({ 'parley.context.activeEditor': undefined });
      await chip(chat, 'basket.js:1–2', true).waitFor();
    },

    'Add to Chat is in the menus of folders, tabs, and editors': async ({ workbench, chat, openChat }) => {
      await openChat();
      await workbench.runCommand('File: Focus on Files Explorer');
      await choose(workbench, explorerRow(workbench, 'docs'), 'Add to Chat');
      await chat.button('Remove docs').waitFor();
      await workbench.openFile('src/basket.js');
      await workbench.openFile('docs/guide.md');
      // An editor that gets the focus closes a menu.
      await workbench.page.locator('.monaco-editor.focused', { hasText: 'Guide' }).waitFor();
      await choose(workbench, workbench.page.locator('.tabs-container .tab', { hasText: 'basket.js' }), 'Add to Chat');
      await chat.button('Remove basket.js').waitFor();
      await choose(workbench, workbench.page.locator('.editor-instance .view-line').first(), 'Add to Chat');
      await chat.button('Remove guide.md').waitFor();
      const got = await repeated(chat, 'Look');
      assert.match(got, new RegExp(`resource_link file://${workbench.file('docs')}/$`, 'm'));
      assert.match(got, /src\/basket\.js "first/);
      assert.match(got, /guide\.md "# Guide/);
    },

    'a session starts in a folder of the Explorer': async ({ workbench, chat, openChat }) => {
      await openChat();
      await workbench.runCommand('File: Focus on Files Explorer');
      await choose(workbench, explorerRow(workbench, 'docs'), 'Start Session Here');
      await chat.transcript.waitFor();
      assert.match(await repeated(chat, 'Where?'), new RegExp(`folder ${workbench.file('docs')}$`, 'm'));
    },

    'a problem is fixed by keyboard: the request is in the message, and the user sends it': async ({
      workbench,
      chat,
      openChat,
    }) => {
      const { page } = workbench;
      await openChat();
      await chat.write('A draft');
      await workbench.openFile('broken.json');
      await page.locator('.editor-instance .squiggly-error').first().waitFor();
      await page.locator('.editor-instance .view-line', { hasText: '"a"' }).click();
      await workbench.runCommand('Parley: Explain Problem with Agent');
      await chat.message.and(chat.page.locator(':focus')).waitFor();
      const text = await chat.message.inputValue();
      assert.match(text, /^A draft\n\nExplain this problem in broken\.json, line 2:\n\n> .+ \(json/);
      await chat.button('Remove broken.json:2').waitFor();
      assert.equal(await chat.article('You').count(), 0);
      await page.locator('.editor-instance .view-line', { hasText: '"a"' }).click();
      await page.keyboard.press('End');
      await page.locator('.statusbar-item', { hasText: 'Ln 2, Col 11' }).waitFor();
      await workbench.runCommand('Quick Fix...');
      await page.locator('.action-widget .monaco-list-row', { hasText: 'Fix with Agent' }).click();
      await until(async () =>
        (await chat.message.inputValue()).includes('\n\nFix this problem in broken.json, line 2:'),
      );
      await workbench.runCommand('Parley: Add Problems to Chat…');
      await page.locator('.quick-input-list .monaco-list-row').first().click();
      await page.keyboard.press('Enter');
      await chat.button('Remove 1 problem.txt').waitFor();
    },

    'a change of git is attached as its difference': async ({ workbench, chat, openChat }) => {
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
          cwd: workbench.folder,
        });
      git('init', '-q', '-b', 'main');
      git('add', '.');
      git('commit', '-qm', 'one');
      await appendFile(workbench.file('src/basket.js'), 'fourth\n');
      await openChat();
      await workbench.runCommand('Source Control: Focus on Changes View');
      const row = workbench.page.locator('.scm-view .monaco-list-row', { hasText: 'basket.js' }).first();
      await choose(workbench, row, 'Add to Chat');
      await chat.button('Remove basket.js.diff').waitFor();
      assert.match(await repeated(chat, 'Review this'), /resource attachment:\/\/\/basket\.js\.diff .*\+fourth/);
      // The next scene begins without changes.
      git('commit', '-qam', 'two');
      await waitingChanges(workbench).waitFor({ state: 'hidden' });
    },

    'the selection of a terminal is attached, and the clipboard is as before': async ({
      workbench,
      chat,
      openChat,
    }) => {
      const { page } = workbench;
      await openChat();
      await workbench.runCommand('Terminal: Create New Terminal');
      await page.locator('.terminal-wrapper.active .xterm-screen').waitFor();
      await page.keyboard.type('echo parley-$((40+2))\n');
      await page.evaluate(() => navigator.clipboard.writeText('mine'));
      await workbench.runCommand('Terminal: Select All');
      await workbench.runCommand('Parley: Add Terminal Selection to Chat');
      await chat.button(/^Remove Terminal .*\.txt/).waitFor();
      // The clipboard can be read only by the part of the window that has the focus.
      await page.locator('.terminal-wrapper.active .xterm-screen').click();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'mine');
      assert.match(await repeated(chat, 'What is this?'), /attachment:\/\/\/Terminal.*parley-/);
      await workbench.runCommand('Terminal: Kill All Terminals');
    },
  },
);
