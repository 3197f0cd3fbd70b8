import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { changedFiles, pageWithSession, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();

async function show(chat: Chat, count: number, errors: number): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, [userMessage('u1', 'Add retry to the upload client.')]));
  await chat.receive({ type: 'changes', session: sessionA, files: changedFiles });
  await chat.receive({ type: 'newProblems', session: sessionA, count, errors });
}

testLooks(browser, [
  { name: 'new-problems', widths: [290, 1200], inTab: true, reach: (chat) => show(chat, 2, 1) },
  { name: 'new-warning', widths: [290, 1200], reach: (chat) => show(chat, 1, 0) },
]);

test("shows a turn's problems, sends them, and removes them when resolved", async () => {
  const chat = await browser.open();
  await show(chat, 2, 1);
  const strip = chat.page.getByRole('region', { name: 'New problems' });
  await strip.getByRole('button', { name: '2 new problems' }).click();
  await strip.getByRole('button', { name: 'Send to Agent' }).focus();
  await chat.page.keyboard.press('Enter');
  const posted = (await chat.allPosted()).filter(({ type }) => type === 'newProblemsAction');
  assert.deepEqual(posted, [
    { type: 'newProblemsAction', session: sessionA, action: 'show' },
    { type: 'newProblemsAction', session: sessionA, action: 'send' },
  ]);
  await chat.receive({ type: 'newProblems', session: sessionA, count: 0, errors: 0 });
  await strip.waitFor({ state: 'detached' });
  await chat.close();
});
