import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser } from './chat';
import { pageState, pageWithSession, sessionA, snapshot } from './samples';

const browser = useBrowser();
const [claude, ...others] = pageState().agents;
const agents = [{ ...claude!, account: 'Claude Max (owl@forest.example)' }, ...others];
const words = 'Account: Claude Max (owl@forest.example)';

for (const [theme, width] of [
  ['dark', 420],
  ['light', 320],
  ['highContrast', 900],
] as const) {
  test(`who is logged in stands at the agent, in ${theme} and ${width} px`, async () => {
    const chat = await browser.open({ theme, width, host: width === 900 ? 'editor' : 'view' });
    await chat.showPage(pageState({ agents }));
    await chat.page.getByText(words).waitFor();
    await chat.toolkit();
    await chat.screenshot(`account-${width}-${theme}`);
    assert.deepEqual(await chat.accessibilityProblems(), []);
    assert.equal(await chat.hasHorizontalScroll(), false);
    await chat.showPage(pageState());
    await chat.page.getByText(words).waitFor({ state: 'detached' });
    await chat.close();
  });
}

test('the header of a session tells it, too', async () => {
  const chat = await browser.open({});
  await chat.showPage(pageWithSession([], { agents }));
  await chat.showSession(sessionA, snapshot());
  const header = chat.page.locator('.pl-title');
  await header.getByText(words).waitFor({ state: 'attached' });
  assert.match((await header.getAttribute('title')) ?? '', /Account: Claude Max/);
  await chat.close();
});
