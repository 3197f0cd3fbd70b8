import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser } from './chat';
import { pageState, pageWithSession, sessionA, snapshot } from './samples';

const browser = useBrowser();
const [claude, ...others] = pageState().agents;
const agents = [{ ...claude!, account: 'Claude Max (owl@forest.example)' }, ...others];
const words = 'Account: Claude Max (owl@forest.example)';

test('removes the account of an agent that no longer reports it', async () => {
  const chat = await browser.open();
  await chat.showPage(pageState({ agents }));
  await chat.page.getByText(words).waitFor();
  await chat.showPage(pageState());
  await chat.page.getByText(words).waitFor({ state: 'detached' });
  await chat.close();
});

test('shows the account in the header of a session', async () => {
  const chat = await browser.open({});
  await chat.showPage(pageWithSession([], { agents }));
  await chat.showSession(sessionA, snapshot());
  const header = chat.page.locator('.pl-title');
  await header.getByText(words).waitFor({ state: 'attached' });
  assert.match((await header.getAttribute('title')) ?? '', /Account: Claude Max/);
  await chat.close();
});
