import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import type { QueuedPrompt } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { agentMessage, asking, pageWithSession, sessionA, snapshot, userMessage } from './samples';
import { longMarkdown } from './transcriptSamples';

const browser = useBrowser();

const earlier = [userMessage('u1', 'First question'), agentMessage('m1', longMarkdown(12_000))];
const running = { state: 'running', since: 1 } as const;

async function open(): Promise<Chat> {
  const chat = await browser.open({ height: 600 });
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, earlier));
  await chat.still();
  return chat;
}

/** Sends a message by Enter, and shows it as the host does. */
async function send(chat: Chat, text: string): Promise<void> {
  await chat.message.fill(text);
  await chat.message.press('Enter');
  await chat.posted('sendPrompt');
  await chat.apply(sessionA, 0, [
    { op: 'insert', entry: userMessage('u2', text, 2) },
    { op: 'view', fields: { activity: running } },
  ]);
  await chat.still();
}

/** The distance of an entry's upper edge from that of the transcript. */
const topOf = (chat: Chat, text: string) =>
  chat.page
    .locator('.pl-feed article', { hasText: text })
    .first()
    .evaluate((element) => {
      const feed = element.closest('.pl-feed') ?? element;
      return Math.round(element.getBoundingClientRect().top - feed.getBoundingClientRect().top);
    });

const scrollTop = (chat: Chat) => chat.page.$eval('.pl-feed', (feed) => Math.round(feed.scrollTop));
const wayBack = (chat: Chat) => chat.page.getByRole('button', { name: 'Back to where you were' });

test('brings a sent message to the top, with its answer below', async () => {
  const chat = await open();
  await send(chat, 'Second question');
  assert.equal(await topOf(chat, 'Second question'), 8);
  assert.equal(await wayBack(chat).count(), 0);
  await chat.apply(sessionA, 2, [{ op: 'insert', entry: agentMessage('m2', 'A short answer', 2) }]);
  await chat.still();
  assert.equal(await topOf(chat, 'Second question'), 8);
  assert.ok((await topOf(chat, 'A short answer')) < 120);
  await chat.apply(sessionA, 3, [
    { op: 'appendText', id: 'm2' as EntryId, block: 0, text: `\n\n${longMarkdown(6000)}` },
  ]);
  await chat.still();
  const distance = await chat.page.$eval('.pl-feed', (feed) => feed.scrollHeight - feed.scrollTop - feed.clientHeight);
  assert.ok(distance < 2, 'A long answer is followed.');
  const room = await chat.page.$eval('.pl-col', (column) => getComputedStyle(column).marginBottom);
  assert.equal(room, '0px');
  await chat.close();
});

test('counts no answer as new that comes into the room in view', async () => {
  const chat = await open();
  await send(chat, 'Second question');
  await chat.page.locator('.pl-feed').hover();
  await chat.page.mouse.wheel(0, -100);
  await chat.still();
  const jump = chat.page.locator('.pl-jump button:not([hidden])');
  assert.equal(await jump.innerText(), 'Jump to latest');
  await chat.apply(sessionA, 2, [{ op: 'insert', entry: agentMessage('m2', 'A short answer', 2) }]);
  await chat.page.getByText('A short answer').waitFor();
  await chat.still();
  assert.ok((await topOf(chat, 'A short answer')) < 220);
  assert.equal(await jump.innerText(), 'Jump to latest');
  await chat.close();
});

test('keeps a sent message at the top when its turn ends', async () => {
  const chat = await open();
  await send(chat, 'Second question');
  await chat.apply(sessionA, 2, [
    { op: 'insert', entry: agentMessage('m2', 'A short answer', 2) },
    { op: 'view', fields: { activity: { state: 'idle' } } },
    { op: 'summarize', id: 'm2' as EntryId, summary: { startedAt: 1, endedAt: 5000 } },
  ]);
  await chat.page.getByRole('note', { name: /^Turn ended/ }).waitFor();
  await chat.still();
  assert.equal(await topOf(chat, 'Second question'), 8);
  await chat.close();
});

test('returns a reader who had scrolled up to their place', async () => {
  const chat = await open();
  await chat.page.locator('.pl-feed').hover();
  await chat.page.mouse.wheel(0, -900);
  await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  await chat.still();
  const before = await scrollTop(chat);
  // The pointer's wheel counts as the reader's for a second, and the message is sent after that.
  await send(chat, 'Second question');
  assert.equal(await topOf(chat, 'Second question'), 8);
  await wayBack(chat).click();
  await chat.still();
  assert.ok(Math.abs((await scrollTop(chat)) - before) < 3, `${before} → ${await scrollTop(chat)}`);
  assert.equal(await wayBack(chat).count(), 0);
  await chat.page.getByRole('button', { name: 'Jump to latest' }).click();
  await chat.still();
  assert.equal(await topOf(chat, 'Second question'), 8);
  await chat.close();
});

test('shows a request although the reader is just returning to their place', async () => {
  const chat = await open();
  await chat.page.locator('.pl-feed').hover();
  await chat.page.mouse.wheel(0, -900);
  await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  await chat.still();
  await send(chat, 'Second question');
  await chat.apply(sessionA, 2, [{ op: 'insert', entry: { ...asking('t'), turn: 2 } }]);
  await chat.page.getByRole('group', { name: /^Permission/ }).waitFor();
  await wayBack(chat).click();
  await chat.receive({ type: 'focusRequest' });
  await chat.still();
  const request = chat.page.getByRole('group', { name: /^Permission/ });
  await request.and(chat.page.locator(':focus')).waitFor();
  const isInSight = await request.evaluate((element) => {
    const feed = element.closest('.pl-feed')?.getBoundingClientRect();
    const { top, bottom } = element.getBoundingClientRect();
    return feed !== undefined && top >= feed.top && bottom <= feed.bottom + 1;
  });
  assert.equal(isInSight, true);
  await chat.close();
});

test('leaves a reader in place who scrolls after sending', async () => {
  const chat = await open();
  await chat.message.fill('Second question');
  await chat.message.press('Enter');
  await chat.posted('sendPrompt');
  await chat.page.locator('.pl-feed').hover();
  await chat.page.mouse.wheel(0, -900);
  await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  await chat.still();
  const before = await scrollTop(chat);
  await chat.apply(sessionA, 0, [{ op: 'insert', entry: userMessage('u2', 'Second question', 2) }]);
  await chat.still();
  assert.equal(await scrollTop(chat), before);
  // The wheel holds the page for a second. A message that was brought to the top would move it after that.
  assert.equal(await wayBack(chat).count(), 0);
  const room = await chat.page.$eval('.pl-col', (column) => getComputedStyle(column).marginBottom);
  assert.equal(room, '0px');
  await chat.close();
});

test('brings a queued message to the top only at the end', async () => {
  const chat = await open();
  const queue: readonly QueuedPrompt[] = [{ id: 'queued:1', text: 'Queued question' }];
  const next = (id: string) =>
    [
      { op: 'view', fields: { queue: [] } },
      { op: 'insert', entry: userMessage(id, `Queued question ${id}`, 2) },
    ] as const;
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { activity: running, queue } }]);
  await chat.apply(sessionA, 1, next('a'));
  await chat.still();
  assert.equal(await topOf(chat, 'Queued question a'), 8);
  await chat.apply(sessionA, 3, [{ op: 'view', fields: { queue } }]);
  await chat.page.locator('.pl-feed').hover();
  await chat.page.mouse.wheel(0, -900);
  await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  await chat.still();
  const before = await scrollTop(chat);
  await chat.apply(sessionA, 4, next('b'));
  await chat.still();
  assert.equal(await scrollTop(chat), before);
  await chat.close();
});
