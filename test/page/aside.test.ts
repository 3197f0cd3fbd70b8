import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { agentMessage, pageWithSession, sessionA, sessionB, snapshot, userMessage } from './samples';

/* A question that isn't part of the conversation, and its answer above the composer. */

const browser = useBrowser();

const question = 'Which file has the default of the delay between two tries?';
const answer = 'It’s in <b>src/upload/retry.ts</b>:\n\n    const delay = 250;\n\nThe option “delay” replaces it.\u202e';

async function showAside(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  const entries = [userMessage('u1', 'How do we retry?', 1), agentMessage('a1', 'With a growing delay.', 1)];
  await chat.showSession(sessionA, snapshot({ canAskAside: true }, entries));
  await chat.receive({ type: 'asideOf', session: sessionA, aside: { question, state: 'asked', text: '' } });
  await chat.page.getByText('Asking Claude…').waitFor();
  await chat.receive({ type: 'asideOf', session: sessionA, aside: { question, state: 'answered', text: answer } });
  await chat.button('Insert into message').waitFor();
}

testLooks(browser, [{ name: 'aside', widths: [290, 420], inTab: 1200, reach: showAside }]);

test('an answer aside is plain text, inserted into the message or dismissed', async () => {
  const chat = await browser.open({ width: 420 });
  await showAside(chat);
  assert.deepEqual(await chat.posted('fetchAside'), [{ type: 'fetchAside', session: sessionA }]);
  const card = chat.page.getByRole('region', { name: 'Aside' });
  assert.match(await card.innerText(), /It’s in <b>src\/upload\/retry\.ts<\/b>:[\s\S]*\\u\{202e\}/);
  await chat.message.fill('First this.');
  await chat.button('Insert into message').click();
  assert.match(await chat.message.inputValue(), /^First this\.\n\nIt’s in <b>/);
  await card.getByRole('button', { name: 'Dismiss' }).click();
  const dismiss = { type: 'dismissAside', session: sessionA };
  assert.deepEqual(await chat.posted('dismissAside'), [dismiss, dismiss]);
  await chat.receive({ type: 'asideOf', session: sessionA });
  await card.waitFor({ state: 'detached' });
  await chat.receive({ type: 'asideOf', session: sessionB, aside: { question, state: 'failed', text: 'Too late' } });
  await chat.button('Add Context').click();
  await chat.page.getByRole('menuitem', { name: 'Ask aside…' }).click();
  assert.deepEqual(await chat.posted('askAside'), [{ type: 'askAside', session: sessionA }]);
  assert.equal(await card.count(), 0);
  await chat.close();
});
