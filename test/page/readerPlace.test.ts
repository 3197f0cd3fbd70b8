import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { TranscriptOp } from '../../src/shared/transcript/ops';
import { useBrowser, type Chat } from './chat';
import { agentMessage, pageState, pageWithSession, sessionA, snapshot } from './samples';

const browser = useBrowser();

const articles = 150;

/** An entry of the transcript, and how far the upper edge of what the reader sees is into it, in px. */
interface Place {
  readonly anchor: string;
  readonly offset: number;
}

const paragraph = (at: number) => agentMessage(`a${at}`, `Paragraph number ${at}. `.repeat(12));

/** In the page: the place that is `wanted`, or the one that the page has kept, once the reader is there. */
function reached(wanted: Place | null): Place | undefined {
  const stored = JSON.parse(sessionStorage.getItem('vscode-state') ?? '{}') as { scroll?: Place & { atEnd: boolean } };
  const place = wanted ?? (stored.scroll?.atEnd === false ? stored.scroll : undefined);
  const feed = document.querySelector('[role=feed]');
  const words = `Paragraph number ${place?.anchor.slice(1)}. `;
  const article = [...(feed?.querySelectorAll('article') ?? [])].find((one) => one.textContent.startsWith(words));
  if (!place || !feed || !article) return undefined;
  const into = feed.getBoundingClientRect().top - article.getBoundingClientRect().top;
  return Math.abs(into - place.offset) < 3 ? place : undefined;
}

/** Where the reader is, as soon as the page has kept it: a busy machine scrolls for a while. */
async function kept(chat: Chat): Promise<Place> {
  const found = await (await chat.page.waitForFunction(reached, null)).jsonValue();
  return found ?? assert.fail();
}

/** The number of the article at the upper edge. */
function atTop(chat: Chat): Promise<number> {
  return chat.page.getByRole('feed', { name: 'Transcript' }).evaluate((feed) => {
    const edge = feed.getBoundingClientRect().top;
    const first = [...feed.querySelectorAll('article')].find((one) => one.getBoundingClientRect().bottom > edge + 1);
    return Number(/\d+/.exec(first?.textContent ?? '')?.[0]);
  });
}

/** Shows a session of many paragraphs: before they are drawn they are thought to be lower than they are. */
async function showLong(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(
    sessionA,
    snapshot(
      {},
      Array.from({ length: articles }, (_, at) => paragraph(at)),
    ),
  );
}

/** Waits until the page has kept that the reader is at the end, or that they are not. */
async function keptAtEnd(chat: Chat, wanted: boolean): Promise<void> {
  await chat.page.waitForFunction((is) => {
    const stored: unknown = JSON.parse(sessionStorage.getItem('vscode-state') ?? '{}');
    return (stored as { scroll?: { atEnd: boolean } }).scroll?.atEnd === is;
  }, wanted);
  await chat.still();
}

/** Turns the wheel, until the page has taken note of it. */
async function wheel(chat: Chat, distance: number): Promise<void> {
  await chat.page.getByRole('feed', { name: 'Transcript' }).hover();
  await chat.page.mouse.wheel(0, distance);
  await keptAtEnd(chat, false);
  await chat.still();
}

/** Makes the page again, as after a reload of the window: the sessions come back a moment later. */
async function makeAgain(chat: Chat, place: Place): Promise<void> {
  await chat.reload();
  await chat.showPage(pageState());
  await chat.button('Add Agent…').waitFor();
  await showLong(chat);
  const isBack = await chat.page.waitForFunction(reached, place).then(
    () => true,
    () => false,
  );
  assert.ok(isBack, `article ${await atTop(chat)} is at the top, wanted was ${JSON.stringify(place)}`);
  await chat.still();
  assert.deepEqual(await chat.page.evaluate(reached, place), place, 'and stays there');
}

// Far from the end nothing has been on screen before: what is there takes its height only when it comes near.
for (const distance of [900, 4000]) {
  test(`a reloaded page returns ${distance} px up to the reader's place`, async () => {
    const chat = await browser.open();
    await showLong(chat);
    await wheel(chat, -distance);
    const place = await kept(chat);
    const at = Number(place.anchor.slice(1));
    assert.ok(at > 0 && at < articles - 1, `the reader is at article ${at}`);
    await makeAgain(chat, place);
    await chat.close();
  });
}

test('restores the place of a reader who selected text meanwhile', async () => {
  const chat = await browser.open();
  await showLong(chat);
  await wheel(chat, -300);
  await chat.button('Jump to latest').click();
  // What was noted before is kept now: nothing is read again but for what happens next.
  await keptAtEnd(chat, true);
  const at = await atTop(chat);
  await chat.page.evaluate((nth) => {
    const texts = [...document.querySelectorAll('[role=feed] article p')];
    const text = texts.find((one) => one.textContent.startsWith(`Paragraph number ${nth}. `));
    if (text) document.getSelection()?.selectAllChildren(text);
  }, at + 2);
  const more = paragraph(articles);
  const ops: TranscriptOp[] = [
    { op: 'insert', entry: more },
    { op: 'appendText', id: more.id, block: 0, text: 'And more. '.repeat(200) },
  ];
  await chat.apply(sessionA, 0, ops);
  await chat.button('Jump to latest').waitFor();
  const place = await kept(chat);
  assert.ok(Math.abs(Number(place.anchor.slice(1)) - at) <= 1, `${place.anchor} was kept, a${at} is at the top`);
  await makeAgain(chat, place);
  await chat.close();
});

test('does not scroll a reader of unseen entries back down', async () => {
  const chat = await browser.open();
  await showLong(chat);
  await chat.still();
  const end = await atTop(chat);
  await wheel(chat, -300);
  const place = await atTop(chat);
  assert.ok(place < end && place >= end - 4, `from article ${end} to ${place}`);
  assert.equal(await chat.button('Jump to latest').isVisible(), true);
  await chat.close();
});
