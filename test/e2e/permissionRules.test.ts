import assert from 'node:assert/strict';
import { scene } from './harness';
import { Chat } from './chat';

/** The request of “/tour terminal”, which the tour agent sends in the same way each time. */
const command = 'ls';

scene(
  'saves a rule that answers the next request until deleted',
  {},
  async ({ workbench, chat, openChat, screenshot }) => {
    await openChat();
    await chat.send('/tour terminal');
    await chat.untilAnswerable(command);
    await chat.button('More answers').click();
    await chat.page.getByRole('menuitem', { name: 'Always allow…' }).click();
    const pattern = chat.page.getByRole('textbox', { name: 'Command', exact: true });
    await pattern.fill('cat *');
    await chat.button('Allow and remember').click();
    // What doesn't fit the request isn't saved, and the request stays open.
    await chat.page.getByRole('alert').filter({ hasText: 'doesn’t cover the request' }).waitFor();
    await pattern.fill('ls -la *');
    await chat.page.getByLabel('Applies to').selectOption('session');
    await screenshot('rule-in-request');
    await chat.button('Allow and remember').click();
    await chat.permission(command).waitFor({ state: 'detached' });
    await chat.untilIdle();

    // The session is open again after a reload, with its rule.
    await workbench.reloadByCommand();
    await openChat();
    await chat.send('/tour terminal');
    await chat.untilIdle();
    const call = chat.toolCall(command).last();
    await chat.untilText(call, 'Allowed by rule: ls -la *');
    if ((await chat.button('Show rule').count()) === 0) await call.getByRole('button').first().click();
    await chat.button('Show rule').last().click();
    const page = new Chat(workbench.editorView());
    const rule = page.page.getByRole('listitem').filter({ hasText: 'Allows commands that match “ls -la *”' });
    await rule.and(page.page.locator(':focus')).waitFor();
    await rule.filter({ hasText: 'Session “A tour of Parley”' }).filter({ hasText: 'Tour agent' }).waitFor();
    await screenshot('rules-page');
    await page.button(/^Delete: Allows commands/).click();
    await page.page.getByText('There are no rules yet.').waitFor();
    await chat.send('/tour terminal');
    await chat.answer(command);
    await chat.untilIdle();
  },
);

scene(
  'allows everything after a warning, visibly, until the window reloads',
  {},
  async ({ workbench, chat, openChat, screenshot }) => {
    const status = workbench.page.locator('.part.statusbar [id="parley.parley-acp.parley.everything"]');
    const warning = chat.page.getByText('Tour agent is allowed everything in this session');
    await openChat();
    await chat.send('/text');
    await chat.untilIdle();
    await workbench.runCommand('Parley: Allow Everything in This Session');
    const question = workbench.dialog();
    await question.getByText('Allow everything Tour agent asks for in this session?').waitFor();
    await question.getByRole('button', { name: 'Allow Everything' }).click();
    await warning.waitFor();
    await status.waitFor();
    await chat.send('/tour terminal');
    await chat.untilIdle();
    await chat.untilText(chat.toolCall(command).last(), 'Allowed because everything is allowed in this session');
    await screenshot('allow-everything');
    await workbench.reloadByCommand();
    await openChat();
    await chat.send('/tour terminal');
    await chat.answer(command);
    await chat.untilIdle();
    assert.equal(await warning.count(), 0);
    assert.equal(await status.count(), 0);
  },
);
