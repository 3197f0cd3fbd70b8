import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { pageWithSession, plan, sessionA, snapshot } from './samples';

/* What an agent works on until it is reached, above the composer. */

const browser = useBrowser();

async function showGoal(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  const goal = {
    objective: 'All tests of the upload client pass, also with a slow connection\u202e',
    status: 'active',
    iterations: 3,
    tokens: 48_300,
    seconds: 192,
    reason: 'Two tests still fail: resumes after a lost part, and gives up after 5 tries.',
  } as const;
  const fields = { goal, canSetGoal: true, plans: [plan], suggestions: ['Run the tests again', 'Commit this'] };
  await chat.showSession(sessionA, snapshot(fields));
  await chat.page.getByRole('region', { name: 'Goal' }).waitFor();
}

testLooks(browser, [{ name: 'goal', widths: [290, 420], inTab: 1200, reach: showGoal }]);

test('a goal is shown as the agent tells it, changed, and cleared', async () => {
  const chat = await browser.open({ width: 420 });
  await showGoal(chat);
  const strip = chat.page.getByRole('region', { name: 'Goal' });
  const words = await strip.innerText();
  assert.match(words, /with a slow connection\\u\{202e\}/);
  assert.match(words, /active · 3 rounds · 48\.3k tokens · 3 m 12 s/);
  assert.match(words, /Two tests still fail/);
  await strip.getByRole('button', { name: 'Change' }).click();
  await strip.getByRole('button', { name: 'Clear' }).click();
  await chat.button('Add Context').click();
  await chat.page.getByRole('menuitem', { name: 'Set goal…' }).click();
  const change = (action: string) => ({ type: 'changeGoal', session: sessionA, action });
  assert.deepEqual(await chat.posted('changeGoal'), [change('set'), change('clear'), change('set')]);
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { goal: 'none', canSetGoal: false } }]);
  await strip.waitFor({ state: 'detached' });
  await chat.button('Add Context').click();
  assert.equal(await chat.page.getByRole('menuitem', { name: 'Set goal…' }).count(), 0);
  await chat.close();
});
