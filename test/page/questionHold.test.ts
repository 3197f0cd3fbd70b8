import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import type { Entry } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { agentMessage, asking, pageWithSession, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();
const fill = 'A paragraph of text that fills the screen.\n\n'.repeat(40);

/** A chat that follows its end, with a question and a message below it that grows. */
async function open(...more: readonly Entry[]) {
  const chat = await browser.open();
  const entries = [
    userMessage('u', 'Go'),
    agentMessage('m0', fill),
    asking('t'),
    agentMessage('m', 'Starts.\n\n'),
    ...more,
  ];
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ activity: { state: 'running', since: 0 } }, entries));
  let rev = 0;
  return {
    chat,
    question: chat.page.locator('.pl-perm').first(),
    /** The message `id` says one line more. */
    stream: async (id = 'm') => {
      const text = `The line of number ${rev}.\n\n`;
      await chat.apply(sessionA, rev++, [{ op: 'appendText', id: id as EntryId, block: 0, text }]);
    },
    apply: async (op: Parameters<Chat['apply']>[2][number]) => chat.apply(sessionA, rev++, [op]),
  };
}

const distance = (chat: Chat) =>
  chat.page.$eval('.pl-feed', (feed) => feed.scrollHeight - feed.scrollTop - feed.clientHeight);
/** Resolves once the end of the transcript is in sight. A line that has come is scrolled to with the next frame. */
const untilAtEnd = (chat: Chat) =>
  chat.page.waitForFunction(() => {
    const feed = document.querySelector('.pl-feed');
    return feed && feed.scrollHeight - feed.scrollTop - feed.clientHeight < 2;
  });
const jump = (chat: Chat) => chat.page.locator('.pl-jump button');

test('holds a visible question in place and accepts a click', async () => {
  const { chat, question, stream, apply } = await open();
  await chat.still();
  const before = await question.boundingBox();
  assert.ok(before && before.y > 0);
  // As long as a question must stand still before it takes an answer, and on.
  const lines = async (from: number) => {
    for (let now = from; now - from < 900; now = await chat.page.evaluate(() => performance.now())) await stream();
  };
  await lines(await chat.page.evaluate(() => performance.now()));
  for (let line = 0; line < 40; line++) await stream();
  assert.deepEqual(await question.boundingBox(), before);
  assert.ok((await distance(chat)) > 200, 'more has come than there is room for');
  await apply({ op: 'insert', entry: agentMessage('m2', 'One more') });
  assert.equal(await jump(chat).innerText(), '1 new');
  const { x, y } = (await question.getByRole('button').first().boundingBox()) ?? { x: 0, y: 0 };
  await chat.page.mouse.click(x + 20, y + 10);
  assert.equal((await chat.posted('answerPermission')).length, 1);
  const option = { optionId: 'allow', name: 'Allow', kind: 'allow_once' } as const;
  const permission = { state: 'answered', option, by: 'user' } as const;
  await apply({ op: 'patch', id: 't' as EntryId, kind: 'tool_call', fields: { permission } as object });
  // What was held back is caught up with, and the end is followed as before.
  await untilAtEnd(chat);
  await stream('m2');
  await untilAtEnd(chat);
  assert.equal(await jump(chat).isVisible(), false);
  await chat.close();
});

test('holds a visible question in place while content above it grows', async () => {
  const { chat, question, stream } = await open();
  await chat.still();
  for (let line = 0; line < 20; line++) await stream();
  const before = await question.boundingBox();
  for (let line = 0; line < 10; line++) await stream('m0');
  const after = await question.boundingBox();
  assert.ok(before && after && Math.abs(after.y - before.y) < 1, `${before?.y} → ${after?.y}`);
  await chat.close();
});

test('the reader can leave a held question and jump to the end', async () => {
  const { chat, question, stream } = await open();
  await chat.still();
  for (let line = 0; line < 60; line++) await stream();
  assert.ok((await distance(chat)) > 200);
  await jump(chat).click();
  assert.ok((await distance(chat)) < 2);
  for (let line = 0; line < 20; line++) await stream();
  assert.ok((await distance(chat)) < 2, 'a question that is out of sight holds nothing back');
  await question.scrollIntoViewIfNeeded();
  await chat.still();
  await chat.page.locator('.pl-feed').hover();
  await chat.page.mouse.wheel(0, -300);
  await chat.still();
  const place = await chat.page.$eval('.pl-feed', (feed) => feed.scrollTop);
  for (let line = 0; line < 5; line++) await stream();
  assert.ok(Math.abs((await chat.page.$eval('.pl-feed', (feed) => feed.scrollTop)) - place) < 3);
  await chat.close();
});

test('brings the oldest open question into sight after an answer', async () => {
  const chat = await browser.open({ height: 640 });
  const entries = [userMessage('u', 'Go'), asking('t1'), asking('t2'), asking('t3')];
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ activity: { state: 'requires_action', since: 0 } }, entries));
  const requests = chat.page.locator('.pl-perm');
  await requests.first().scrollIntoViewIfNeeded();
  await chat.page.locator('.pl-perm[data-keyed][data-ready]').first().waitFor();
  await requests.first().focus();
  await chat.page.keyboard.press('1');
  const option = { optionId: 'allow', name: 'Allow', kind: 'allow_once' } as const;
  const fields = { permission: { state: 'answered', option, by: 'user' }, status: 'completed' } as object;
  await chat.apply(sessionA, 0, [{ op: 'patch', id: 't1' as EntryId, kind: 'tool_call', fields }]);
  await chat.page.locator('.pl-perm').nth(2).waitFor({ state: 'detached' });
  await chat.still();
  const feed = await chat.page.locator('.pl-feed').boundingBox();
  const next = await chat.page
    .locator('article', { has: chat.page.locator('.pl-perm') })
    .first()
    .boundingBox();
  assert.ok(feed && next, 'both are on the page');
  assert.ok(next.y >= feed.y - 1 && next.y + next.height <= feed.y + feed.height + 1, JSON.stringify({ feed, next }));
  assert.equal(await requests.first().getAttribute('data-keyed'), '', 'keys answer the request that is read');
  await chat.close();
});

test('counts a question among older, fetched entries as waiting', async () => {
  const chat = await browser.open();
  const entries = Array.from({ length: 10 }, (_, at) =>
    agentMessage(`n${at}`, `Message ${at}\n\n${'text '.repeat(200)}`),
  );
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, { ...snapshot({}, entries), omitted: 2 });
  await chat.still();
  const strip = chat.page.getByRole('region', { name: 'Requests' });
  assert.equal(await strip.count(), 0);
  await chat.receive({ type: 'older', session: sessionA, entries: [userMessage('u', 'Go'), asking('t')], omitted: 0 });
  assert.match(await strip.innerText(), /is waiting for you/);
  await chat.close();
});
