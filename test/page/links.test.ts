import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser } from './chat';
import { pageWithSession, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();
const note = 'This text came from a link. Read it before you send it.';

test('says that a draft came from a link', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, [userMessage('u1', 'Add retry.')]));
  const box = chat.page.getByRole('textbox', { name: 'Message' });
  const shown = chat.page.getByRole('note').filter({ hasText: note });
  await box.fill('Mine');
  await chat.receive({ type: 'addDraft', text: 'Fix it', attachments: [], isFromLink: true });
  await shown.waitFor();
  assert.equal(await box.inputValue(), 'Mine\n\nFix it');
  assert.deepEqual(
    (await chat.allPosted()).filter(({ type }) => type === 'sendPrompt'),
    [],
  );
  await box.press('End');
  await box.press('!');
  assert.equal(await shown.count(), 1);
  await box.press('Enter');
  await shown.waitFor({ state: 'detached' });
  await chat.receive({ type: 'addDraft', text: 'Fix it', attachments: [], isFromLink: true });
  await shown.waitFor();
  await box.fill('');
  await shown.waitFor({ state: 'detached' });
  await chat.close();
});

test('copies a link to a turn from its message', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, [userMessage('u1', 'Add retry.')]));
  await chat.page.getByRole('article', { name: /^You/ }).hover();
  await chat.button('More for this message').click();
  await chat.page.getByRole('menuitem', { name: 'Copy link to turn' }).click();
  const posted = (await chat.allPosted()).filter(({ type }) => type === 'copyLink');
  assert.deepEqual(posted, [{ type: 'copyLink', session: sessionA, entry: 'u1' }]);
  await chat.close();
});
