import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser } from './chat';
import { testLooks } from './look';
import { pageWithSession, sessionA, snapshot, userMessage } from './samples';
import type { Chat } from './chat';

const browser = useBrowser();
const entries = [userMessage('u1', 'Add retry to the upload client.')];
const following = { type: 'following', session: sessionA, isOn: true, canGoBack: true, canGoForward: false } as const;

async function show(chat: Chat, isOn: boolean): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, entries));
  await chat.receive({ ...following, isOn });
}

testLooks(browser, [{ name: 'following', widths: [290, 420], reach: (chat) => show(chat, true) }]);

test('turns following on and off, and goes where the agent has been', async () => {
  const chat = await browser.open();
  await show(chat, false);
  const header = chat.page.locator('header');
  const follow = header.getByRole('button', { name: 'Follow Claude' });
  assert.equal(await follow.getAttribute('aria-pressed'), 'false');
  assert.equal(await header.getByRole('button', { name: 'Previous place of Claude' }).count(), 0);
  await follow.click();
  await show(chat, true);
  assert.equal(await follow.getAttribute('aria-pressed'), 'true');
  await header.getByRole('button', { name: 'Previous place of Claude' }).focus();
  await chat.page.keyboard.press('Enter');
  // There is no next place.
  await header.getByRole('button', { name: 'Next place of Claude' }).focus();
  await chat.page.keyboard.press('Enter');
  await follow.click();
  const posted = (await chat.allPosted()).filter(({ type }) => type === 'follow');
  assert.deepEqual(posted, [
    { type: 'follow', session: sessionA, action: 'on' },
    { type: 'follow', session: sessionA, action: 'back' },
    { type: 'follow', session: sessionA, action: 'off' },
  ]);
  await chat.close();
});

test('has no switch for an agent on another machine', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ place: 'elsewhere' }, entries));
  await chat.page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  assert.equal(await chat.page.getByRole('button', { name: 'Follow Claude' }).count(), 0);
  await chat.close();
});
