import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { inRoot } from '../root.mjs';
import type { Workbench } from '../workbench/workbench.mjs';
import type { Chat } from './chat';
import { scene } from './harness';
import { until } from './poll';
import { waitingChanges } from './reviewParts';

const agentFile = (name: string) => inRoot('test', 'fixtures', 'agents', name);
const modes = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'plan', name: 'Plan' },
    { id: 'bypassPermissions', name: 'Bypass permissions' },
  ],
};
const request = (toolCallId: string) => ({
  request: 'session/request_permission',
  params: {
    toolCall: { toolCallId, title: 'Delete the build', kind: 'delete', status: 'pending' },
    options: [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
  },
});
const script = JSON.stringify({
  newSession: { modes },
  answers: { 'session/set_mode': {} },
  turns: [
    { steps: [{ say: 'Working' }, { waitForCancel: true }], stopReason: 'cancelled' },
    { steps: [request('c1'), { say: 'Answered' }] },
    { steps: [request('c2'), { say: 'Then not' }] },
    { steps: [{ say: 'As you wish' }] },
  ],
});
const scripted = { Scripted: { command: process.execPath, args: [agentFile('scripted.mjs'), script] } };
const told = { Told: { command: process.execPath, args: [agentFile('doesAsTold.mjs')] } };

const ask = (toolCallId: string, toolCall: Readonly<Record<string, unknown>>) => ({
  request: 'session/request_permission',
  params: {
    toolCall: { toolCallId, status: 'pending', ...toolCall },
    options: [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
  },
});
const change = {
  title: 'Edit a.txt',
  kind: 'edit',
  locations: [{ path: '$cwd/a.txt' }],
  content: [{ type: 'diff', path: '$cwd/a.txt', oldText: 'old\n', newText: 'new\n' }],
};
const command = { title: 'npm test', kind: 'execute', rawInput: { command: 'npm test' } };
const dailyScript = JSON.stringify({
  turns: [
    { steps: [{ repeat: 60, steps: [{ say: 'Line $n\n\n' }] }, { say: 'The last line' }] },
    {
      steps: [
        ask('e1', change),
        { request: 'fs/write_text_file', params: { path: '$cwd/a.txt', content: 'new\n' } },
        { update: { sessionUpdate: 'tool_call_update', toolCallId: 'e1', status: 'completed' } },
        ask('c1', command),
        { update: { sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'failed' } },
        { say: 'Not tested' },
      ],
    },
    { steps: [ask('c2', command), { say: 'Tested' }] },
    { steps: [ask('c3', command), { say: 'Tested again' }] },
  ],
});
const daily = { Daily: { command: process.execPath, args: [agentFile('scripted.mjs'), dailyScript] } };

const focusOf = (chat: Chat, element: Locator) => element.and(chat.page.locator(':focus')).waitFor();
const press = (workbench: Workbench, key: string) => workbench.page.keyboard.press(key);

scene(
  'stops, switches, answers, and changes sessions by keyboard alone',
  { agents: scripted },
  async ({ workbench, chat, screenshot }) => {
    const { keyboard } = workbench.page;
    await workbench.openFile('money.js');
    await press(workbench, 'Shift+Alt+P');
    await focusOf(chat, chat.message);
    await keyboard.type('Go');
    await press(workbench, 'Enter');
    await chat.untilText(chat.article('Scripted'), 'Working', 60_000);

    // The popup is inside, so Escape closes only that.
    await keyboard.type('@mon');
    const popup = chat.page.getByRole('listbox', { name: 'Mentions' });
    await popup.waitFor();
    await press(workbench, 'Escape');
    await popup.waitFor({ state: 'detached' });
    await chat.button('Stop').waitFor();
    for (let letter = 0; letter < '@mon'.length; letter++) await press(workbench, 'Backspace');
    // What is left of the mention opens the popup again, until all of it is gone.
    await popup.waitFor({ state: 'detached' });
    await press(workbench, 'Escape');
    await chat.untilIdle(20_000);
    await chat.article('Notice').filter({ hasText: 'Stopped' }).waitFor();
    await focusOf(chat, chat.message);

    // Shift+Tab skips the mode that asks nothing, and the focus stays.
    const announced = chat.page.locator('[aria-live=polite]');
    const mode = chat.page.getByRole('combobox', { name: 'Mode', exact: true });
    const shown = () => mode.evaluate((element) => (element as HTMLSelectElement).value);
    await press(workbench, 'Shift+Tab');
    await announced.filter({ hasText: 'Mode: Plan' }).waitFor();
    assert.equal(await shown(), 'plan');
    await press(workbench, 'Shift+Tab');
    await announced.filter({ hasText: 'Mode: Ask' }).waitFor();
    assert.equal(await shown(), 'ask');
    await focusOf(chat, chat.message);
    await press(workbench, 'Alt+ArrowUp');
    await focusOf(chat, chat.transcript.getByRole('article').last());
    await press(workbench, '?');
    await chat.page.getByRole('dialog', { name: 'Keys in the chat' }).waitFor();
    await screenshot('keys');
    await press(workbench, 'Escape');
    await press(workbench, 'Escape');
    await focusOf(chat, chat.message);

    await keyboard.type('Ask me');
    await press(workbench, 'Enter');
    await chat.permission('Delete the build').waitFor();
    await press(workbench, 'Control+1');
    await workbench.page.locator('.part.editor .monaco-editor.focused').first().waitFor();
    await press(workbench, 'Shift+Alt+W');
    await focusOf(chat, chat.permission('Delete the build'));
    await chat.untilAnswerable('Delete the build');
    await press(workbench, '1');
    await chat.untilText(chat.article('Scripted').last(), 'Answered');
    await chat.untilIdle();

    // What is typed goes along with the rejection.
    await press(workbench, 'Shift+Alt+P');
    await focusOf(chat, chat.message);
    await keyboard.type('Ask again');
    await press(workbench, 'Enter');
    await chat.permission('Delete the build').waitFor();
    await keyboard.type('Keep the build');
    await chat.page.getByRole('button', { name: 'Reject and send message' }).waitFor();
    await chat.untilAnswerable('Delete the build');
    await screenshot('reject-with-words');
    await press(workbench, 'Control+Shift+Enter');
    await chat.page.getByText('You rejected this and wrote a message').waitFor();
    await chat.untilText(chat.article('Scripted').last(), 'As you wish');
    await chat.untilText(chat.article('You').last(), 'Keep the build');
    await chat.untilIdle();

    await press(workbench, 'Shift+Alt+N');
    const tabs = chat.page.getByRole('tab');
    await tabs.nth(1).waitFor();
    await focusOf(chat, chat.message);
    const selected = (at: number) => tabs.nth(at).and(chat.page.locator('[aria-selected=true]')).waitFor();
    await selected(1);
    for (const [key, at] of [
      ['Shift+Alt+PageUp', 0],
      ['Shift+Alt+PageDown', 1],
      ['Shift+Alt+PageDown', 0],
    ] as const) {
      await press(workbench, key);
      await selected(at);
      await focusOf(chat, chat.message);
    }
    await workbench.runCommand('Parley: Close Session');
  },
);

scene(
  'sends, allows, reviews, and saves a rule by keyboard alone',
  { agents: daily, files: { 'a.txt': 'old\n' } },
  async ({ workbench, chat, openChat, screenshot }) => {
    const { page } = workbench;
    const send = async (text: string) => {
      await focusOf(chat, chat.message);
      await page.keyboard.type(text);
      await press(workbench, 'Enter');
    };
    const answer = async (title: string, key: string) => {
      await chat.untilAnswerable(title);
      await press(workbench, key);
      await chat.permission(title).waitFor({ state: 'detached' });
    };
    /** Goes from one control to the next, or back, until this one has the focus. */
    const goTo = async (element: Locator, key: 'Tab' | 'Shift+Tab') => {
      await element.waitFor();
      const focused = element.and(chat.page.locator(':focus'));
      for (let presses = 0; presses < 60 && (await focused.count()) === 0; presses++) await press(workbench, key);
      await focused.waitFor();
    };
    await openChat();
    /** Goes to the message from another part of the window. */
    const toMessage = async () => {
      await press(workbench, 'Control+Shift+E');
      await page.locator('.explorer-folders-view .monaco-list:focus').waitFor();
      await press(workbench, 'Shift+Alt+P');
      await focusOf(chat, chat.message);
    };
    await toMessage();
    await send('Say much');
    await chat.untilText(chat.article('Daily'), 'The last line', 60_000);
    await chat.untilIdle();

    // A message that is sent from far above comes to the top, and the way back leads there.
    await press(workbench, 'Alt+ArrowUp');
    await focusOf(chat, chat.transcript.getByRole('article').last());
    await press(workbench, 'Home');
    await focusOf(chat, chat.transcript.getByRole('article').first());
    await press(workbench, 'Escape');
    await send('Change the file');
    const sent = chat.article('You').filter({ hasText: 'Change the file' });
    await sent.waitFor();
    const fromTop = () =>
      sent.evaluate((element) => {
        const feed = element.closest('[role=feed]');
        return feed ? element.getBoundingClientRect().top - feed.getBoundingClientRect().top : NaN;
      });
    await until(
      async () => Math.abs(await fromTop()) < 20,
      async () => `The message is ${await fromTop()} px below the top.`,
    );
    await chat.permission('Edit a.txt').waitFor();
    const wayBack = chat.button('Back to where you were');
    await goTo(wayBack, 'Shift+Tab');
    await press(workbench, 'Enter');
    await wayBack.waitFor({ state: 'detached' });

    // The request is answered from the empty message.
    await press(workbench, 'Shift+Alt+W');
    await focusOf(chat, chat.permission('Edit a.txt'));
    await press(workbench, 'Escape');
    await focusOf(chat, chat.message);
    await answer('Edit a.txt', 'Control+Enter');
    // Where the reader has gone back to, the next request is out of sight, and no key answers it.
    await chat.permission('npm test').waitFor();
    await press(workbench, 'Shift+Alt+W');
    await focusOf(chat, chat.permission('npm test'));
    await press(workbench, 'Escape');
    await focusOf(chat, chat.message);
    await answer('npm test', 'Control+Backspace');
    await chat.untilText(chat.article('Daily').last(), 'Not tested');
    await chat.untilIdle();
    await focusOf(chat, chat.message);

    await waitingChanges(workbench).filter({ hasText: /^1$/ }).waitFor();
    await press(workbench, 'Shift+Alt+G');
    await page.getByRole('tab', { name: 'Daily: 1 file left' }).waitFor();
    const review = workbench.editorView();
    await review.getByRole('group', { name: 'Change 1 of 1, line 1' }).and(review.locator(':focus')).waitFor();
    await press(workbench, 'k');
    await review.getByRole('heading', { name: 'The file is reviewed · 1 kept' }).waitFor();
    await screenshot('daily-review');
    await press(workbench, 'Escape');

    await send('Test it');
    await chat.permission('npm test').waitFor();
    const more = chat.button('More answers');
    await more.waitFor();
    await press(workbench, 'Shift+Alt+W');
    await focusOf(chat, chat.permission('npm test'));
    await goTo(more, 'Tab');
    await chat.untilAnswerable('npm test');
    await press(workbench, 'Enter');
    await focusOf(chat, chat.page.getByRole('menuitem', { name: 'Always allow…' }));
    await press(workbench, 'Enter');
    await focusOf(chat, chat.page.getByRole('combobox', { name: 'Rule', exact: true }));
    // A rule for the workspace would be there in the next test, too.
    const scope = chat.page.getByLabel('Applies to');
    await goTo(scope, 'Tab');
    await press(workbench, 'ArrowUp');
    assert.equal(await scope.inputValue(), 'session');
    await goTo(chat.page.getByRole('textbox', { name: 'Command', exact: true }), 'Shift+Tab');
    await press(workbench, 'Enter');
    await chat.permission('npm test').waitFor({ state: 'detached' });
    await chat.untilText(chat.article('Daily').last(), 'Tested');
    await chat.untilIdle();
    await toMessage();
    await send('Test it again');
    await chat.untilText(chat.article('Daily').last(), 'Tested again');
    await chat.untilText(chat.toolCall('npm test').last(), 'Allowed by rule: npm test *');
    await chat.untilIdle();
  },
);

scene(
  'keeps and undoes changes and adds a selection by keyboard alone',
  { agents: told, files: { 'a.txt': textOf('line'), 'b.txt': 'old\n', 'c.txt': 'old\n' } },
  async ({ workbench, chat, openChat, screenshot }) => {
    const { page } = workbench;
    await openChat();
    const at = (name: string) => join(workbench.folder, name);
    const after = textOf('line')
      .replace('line 5\n', 'five\n')
      .replace('line 12\n', 'twelve\n')
      .replace('line 20\n', '');
    await chat.submit(
      JSON.stringify([
        { write: at('a.txt'), text: after },
        { write: at('b.txt'), text: 'new\n' },
        { write: at('c.txt'), text: 'new\n' },
      ]),
    );
    await chat.untilIdle();
    const left = async (count: number) => {
      const keep = workbench.lens('Keep');
      if (count > 0) await keep.nth(count - 1).waitFor();
      await keep.nth(count).waitFor({ state: 'detached' });
    };
    await workbench.openFile('a.txt');
    await left(3);
    /** Resolves once the cursor is at a change of a file, which the status bar counts. */
    const isAt = async (name: string, line: number, position: string) => {
      await page.locator('.part.editor .tab.active', { hasText: name }).waitFor();
      await page.locator('.statusbar-item', { hasText: `Ln ${line}, Col 1` }).waitFor();
      await page.locator('.statusbar-item', { hasText: position }).waitFor();
    };
    await press(workbench, 'Control+Home');
    await press(workbench, 'Alt+F5');
    await isAt('a.txt', 5, '1 of 5');
    await press(workbench, 'Shift+Alt+Y');
    await left(2);
    await isAt('a.txt', 12, '1 of 4');
    await press(workbench, 'Shift+Alt+Z');
    await left(1);
    await page.locator('.part.editor .view-line', { hasText: 'line 12' }).first().waitFor();
    await isAt('a.txt', 20, '1 of 3');
    await screenshot('review-moves-on');
    await press(workbench, 'Shift+Alt+K');
    await isAt('b.txt', 1, '1 of 2');
    await page.locator('.tabs-container .tab.dirty').waitFor({ state: 'detached' });
    assert.equal(await readFile(at('a.txt'), 'utf8'), after.replace('twelve\n', 'line 12\n'));
    await left(1);
    await press(workbench, 'Shift+Alt+U');
    await isAt('c.txt', 1, '1 of 1');
    await left(1);
    assert.equal(await readFile(at('b.txt'), 'utf8'), 'old\n');
    await page.locator('.statusbar-item', { hasText: '1 of 1' }).click();
    await page.locator('.part.editor .tab.active', { hasText: '1 file left' }).waitFor();

    await workbench.openFile('a.txt');
    await page.locator('.part.editor .monaco-editor.focused').first().waitFor();
    await press(workbench, 'Control+Home');
    await press(workbench, 'Shift+ArrowDown');
    await press(workbench, 'Shift+ArrowDown');
    await press(workbench, 'Shift+Alt+L');
    const attachments = chat.page.getByRole('list', { name: 'Attachments' });
    await attachments.getByRole('button', { name: /^Remove a\.txt/ }).waitFor();
    await focusOf(chat, chat.message);
    await attachments.getByRole('button', { name: /^Remove a\.txt/ }).click();
  },
);

scene('lists commands with the keys that the user has set', {}, async ({ workbench, screenshot }) => {
  const { page } = workbench;
  await workbench.runCommand('Parley: Show Keyboard Shortcuts');
  const row = (command: string) => page.locator('.keybindings-editor .monaco-list-row', { hasText: command });
  await row('Parley: Open Chat').filter({ hasText: 'Shift' }).first().waitFor();
  for (const command of ['Parley: Answer Request', 'Parley: Next Session']) await row(command).first().waitFor();
  assert.equal(await row('View: ').count(), 0, 'The list has no other commands.');
  await screenshot('keyboard-shortcuts');
});

function textOf(word: string): string {
  return Array.from({ length: 40 }, (_, at) => `${word} ${at + 1}\n`).join('');
}
