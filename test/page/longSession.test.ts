import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId, ToolCallId } from '../../src/shared/values/ids';
import { useBrowser, type Chat } from './chat';
import { mixedEntries, mixedOps, mixedTerminals, serveOlder } from './longSessions';
import { agentMessage, asking, pageWithSession, sessionA, snapshot, toolCall, userMessage } from './samples';

const browser = useBrowser();
const total = 4000;
/** What a reload shows at first. */
const shown = 400;
/** Fewer nodes than this, however long the session is. */
const maxNodes = 15_000;

async function open(from: number, to: number): Promise<Chat> {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  const base = snapshot({ activity: { state: 'running', since: Date.now() } }, mixedEntries(from, to));
  await chat.showSession(sessionA, { ...base, omitted: from, terminals: mixedTerminals(to, from) });
  await chat.still();
  return chat;
}

/** Counts the nodes of the document and the entries in it. */
function counted(chat: Chat): Promise<{ nodes: number; articles: number }> {
  return chat.page.evaluate(() => {
    let nodes = 0;
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
    while (walker.nextNode()) nodes++;
    return { nodes, articles: document.querySelectorAll('[role=feed] article').length };
  });
}

async function assertSmall(chat: Chat): Promise<void> {
  const { nodes, articles } = await counted(chat);
  assert.ok(nodes < maxNodes, `${nodes} nodes`);
  assert.ok(articles > 3 && articles < 250, `${articles} entries`);
}

/** The first entry in sight, and its distance from the upper edge of the transcript. */
function inSight(chat: Chat, selector = '[role=feed] article'): Promise<{ text: string; top: number }> {
  return chat.page.evaluate((wanted) => {
    const feed = document.querySelector('[role=feed]');
    const edge = feed?.getBoundingClientRect().top ?? 0;
    const first = [...document.querySelectorAll(wanted)].find(
      (article) => article.getBoundingClientRect().bottom > edge + 1,
    );
    return { text: (first?.textContent ?? '').slice(0, 60), top: (first?.getBoundingClientRect().top ?? 0) - edge };
  }, selector);
}

test('keeps few of 4,000 entries on the page as they arrive', async () => {
  const chat = await open(0, 10);
  for (let at = 10, rev = 0; at < total; at += 665) {
    const ops = mixedOps(at, at + 665);
    await chat.apply(sessionA, rev, ops);
    rev += ops.length;
    await assertSmall(chat);
  }
  await chat.still();
  await assertSmall(chat);
  assert.equal(await chat.page.locator('.pl-jump').isVisible(), false, 'The reader is still at the end.');
  await chat.page.getByText('Paragraph 3999.').first().waitFor();
  assert.deepEqual(chat.errors, []);
  await chat.close();
});

test('shows the end of each burst of entries in the next frame', async () => {
  const chat = await open(0, 10);
  const bursts: string[] = [];
  for (let at = 10, rev = 0; at < 5000; at += 1110) {
    const ops = mixedOps(at, at + 1110);
    bursts.push(JSON.stringify({ type: 'ops', session: sessionA, from: rev, to: rev + ops.length, ops }));
    rev += ops.length;
  }
  // One burst per frame: the second arrives after the layout of the first, and before the rows around it are looked at.
  const counts = await chat.page.evaluate(async (messages) => {
    const found: number[] = [];
    for (const json of messages) {
      window.dispatchEvent(new MessageEvent('message', { data: JSON.parse(json) as unknown }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      found.push(document.querySelectorAll('[role=feed] article').length);
    }
    return found;
  }, bursts);
  assert.ok(
    counts.every((count) => count > 3),
    counts.join(', '),
  );
  await chat.close();
});

test('stays small while the reader scrolls back through 4,000 entries', async () => {
  const chat = await open(total - shown, total);
  await serveOlder(chat, total);
  const feed = chat.page.locator('[role=feed]');
  await feed.hover();
  await chat.page.mouse.wheel(0, -300);
  await chat.page.locator('.pl-jump').waitFor();
  for (let fetches = 1; fetches <= (total - shown) / shown; fetches++) {
    await chat.page.evaluate(() => document.querySelector('[role=feed]')?.scrollTo(0, 0));
    await chat.page.waitForFunction(
      (count) => window.fakeHost.posted.filter(({ type }) => type === 'fetchOlder').length >= count,
      fetches,
    );
    await chat.still();
    await assertSmall(chat);
  }
  await feed.evaluate((element) => element.scrollTo(0, 0));
  await chat.page.getByText('Request 0: the next step, please.', { exact: true }).waitFor();
  await assertSmall(chat);
  await chat.page.getByRole('button', { name: 'Jump to latest' }).click();
  await chat.page.getByText('Paragraph 3999.').first().waitFor();
  await chat.still();
  await assertSmall(chat);
  assert.deepEqual(chat.errors, []);
  await chat.close();
});

test("keeps the reader's place while entries come and go around it", async () => {
  const chat = await open(total - shown, total);
  const feed = chat.page.locator('[role=feed]');
  await feed.hover();
  for (const distance of [-500, -900, -3000, -2500, 1800, -4000]) {
    await chat.page.mouse.wheel(0, distance);
    await chat.still();
    const before = await inSight(chat);
    // Rows are drawn, measured, and removed in later frames.
    await chat.page.evaluate(async () => {
      for (let frame = 0; frame < 20; frame++) await new Promise(requestAnimationFrame);
    });
    const after = await inSight(chat);
    assert.equal(after.text, before.text);
    assert.ok(Math.abs(after.top - before.top) < 2, `${before.top} → ${after.top}`);
  }
  const before = await inSight(chat);
  await chat.apply(sessionA, 0, mixedOps(total, total + 300));
  await chat.still();
  const after = await inSight(chat);
  assert.equal(after.text, before.text);
  assert.ok(Math.abs(after.top - before.top) < 2, `${before.top} → ${after.top}`);
  await chat.close();
});

test('scrolls by no more than the step when scrolling slowly', async () => {
  const chat = await open(total - shown, total);
  await chat.page.locator('[role=feed]').hover();
  await chat.page.mouse.wheel(0, -200);
  await chat.still();
  let off = 0;
  for (let step = 0; step < 40; step++) {
    const moved = await chat.page.evaluate(async () => {
      const feed = document.querySelector('[role=feed]');
      const edge = feed?.getBoundingClientRect();
      const article = [...document.querySelectorAll('[role=feed] article')].find(
        (one) => one.getBoundingClientRect().bottom > (edge?.top ?? 0) + 200,
      );
      const before = article?.getBoundingClientRect().top ?? 0;
      feed?.scrollBy(0, -120);
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      return (article?.getBoundingClientRect().top ?? 0) - before;
    });
    off = Math.max(off, Math.abs(moved - 120));
  }
  assert.ok(off < 3, `off by ${off} px`);
  await chat.close();
});

test('keeps open requests, focus, and selection on the page when scrolled away', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  const entries = [...mixedEntries(0, 20), asking('ask'), ...mixedEntries(20, 200)];
  const view = { activity: { state: 'requires_action', since: Date.now() } } as const;
  await chat.showSession(sessionA, { ...snapshot(view, entries), terminals: mixedTerminals(200) });
  await chat.still();
  const request = chat.page.getByRole('group', { name: /^Permission: / });
  assert.equal(await request.count(), 1);
  await chat.button('Show request').click();
  await chat.page.waitForFunction(() => document.activeElement?.closest('.asking') !== null);
  await chat.still();
  assert.ok(((await request.boundingBox())?.y ?? -1) > 0);

  // The focus stays in the request while the reader is at the end.
  const feed = chat.page.locator('[role=feed]');
  await feed.hover();
  await chat.page.mouse.wheel(0, 500_000);
  await chat.still();
  assert.equal(await chat.page.evaluate(() => document.activeElement?.closest('.asking') !== null), true);
  await assertSmall(chat);

  // And so does a selection.
  const words = () => chat.page.evaluate(() => document.getSelection()?.toString());
  await chat.page.evaluate(() => {
    const text = [...document.querySelectorAll('[role=feed] article p')].at(-1);
    if (text) document.getSelection()?.selectAllChildren(text);
  });
  const selected = await words();
  assert.ok(selected && selected.length > 10);
  await chat.page.mouse.wheel(0, -8000);
  await chat.still();
  assert.equal(await words(), selected);
  await chat.close();
});

test('keys reach entries off the page, which keep their state', async () => {
  const chat = await open(0, 300);
  const active = () => chat.page.evaluate(() => document.activeElement?.textContent.trim() ?? '');
  const last = chat.page.locator('[role=feed] article').last();
  await last.focus();
  await chat.page.keyboard.press('Home');
  await chat.still();
  assert.match(await active(), /^You: Request 0:/);
  // The second entry is a thought. It is open again after the reader was at the end.
  await chat.page.keyboard.press('ArrowDown');
  await chat.page.keyboard.press('Enter');
  await chat.page.getByText('Thought 1. Thought 1.').waitFor();
  await chat.page.keyboard.press('End');
  await chat.still();
  assert.match(await active(), /^Paragraph 299\./);
  assert.equal(await chat.page.getByText('Thought 1. Thought 1.').count(), 0);
  await chat.page.keyboard.press('Home');
  await chat.page.getByText('Thought 1. Thought 1.').waitFor();
  await chat.still();
  await chat.receive({ type: 'revealEntry', session: sessionA, entry: 'e155' as EntryId });
  await chat.page.waitForFunction(() => document.activeElement?.textContent.trim().startsWith('Answer 155'));
  await chat.still();
  const box = await chat.page.locator('article', { hasText: 'Answer 155' }).boundingBox();
  assert.ok(box && box.y >= 0 && box.y < 700, `${box?.y}`);
  await chat.close();
});

test('renders only the visible part of a long run of a subagent', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  const steps = Array.from({ length: 1000 }, (_, at) =>
    toolCall(`k${at}`, { title: `step ${at}`, status: 'completed', parent: 'sub' as ToolCallId }),
  );
  const row = toolCall('sub', {
    title: 'Look around',
    toolKind: 'think',
    status: 'in_progress',
    toolCallId: 'sub' as ToolCallId,
  });
  const running = { activity: { state: 'running', since: Date.now() } } as const;
  await chat.showSession(
    sessionA,
    snapshot(running, [userMessage('u', 'Go'), row, ...steps, agentMessage('m', 'Still at it')]),
  );
  await chat.still();
  await assertSmall(chat);
  await chat.page.getByText('1000 steps').waitFor();
  const feed = chat.page.locator('[role=feed]');
  await feed.hover();
  for (const distance of [-600, -3000, -9000]) {
    await chat.page.mouse.wheel(0, distance);
    await chat.still();
    await assertSmall(chat);
    const before = await inSight(chat, '.pl-kids > article');
    assert.match(before.text, /step/);
    await chat.apply(sessionA, 0, []);
    await chat.page.evaluate(async () => {
      for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
    });
    const after = await inSight(chat, '.pl-kids > article');
    assert.deepEqual(after, before);
  }
  await chat.receive({ type: 'revealEntry', session: sessionA, entry: 'k500' as EntryId });
  await chat.page.waitForFunction(() => document.activeElement?.textContent.includes('step 500'));
  await assertSmall(chat);
  await chat.close();
});

test("copies selected entries that aren't on the page, too", async () => {
  const chat = await open(0, 200);
  const copied = await chat.page.evaluate(() => {
    document.getSelection()?.selectAllChildren(document.body);
    const clipboardData = new DataTransfer();
    const event = new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('[role=feed]')?.dispatchEvent(event);
    return { text: clipboardData.getData('text/plain'), isOurs: event.defaultPrevented };
  });
  assert.ok(copied.isOurs);
  const places = ['Request 0: the next step', 'Answer 5', 'npm test 8', 'Request 100:', 'Paragraph 199.'].map((words) =>
    copied.text.indexOf(words),
  );
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
  assert.ok(!places.includes(-1), places.join(', '));
  await chat.close();
});

test("tells screen readers each entry's position in the whole session", async () => {
  const chat = await open(total - shown, total);
  const last = chat.page.locator('[role=feed] article').last();
  await chat.page.waitForFunction(
    (size) => document.querySelector(`article[aria-posinset="${size}"][aria-setsize="${size}"]`) !== null,
    total,
  );
  assert.equal(await last.getAttribute('aria-posinset'), String(total));
  await chat.apply(sessionA, 0, [{ op: 'insert', entry: agentMessage('more', 'More') }]);
  await chat.page.waitForFunction(
    (size) => document.querySelector(`article[aria-posinset="${size}"][aria-setsize="${size}"]`) !== null,
    total + 1,
  );
  await chat.close();
});

test("the pinned message scrolls to a message that isn't rendered", async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  const answers = Array.from({ length: 200 }, (_, at) => agentMessage(`a${at}`, `Answer ${at}. `.repeat(30)));
  await chat.showSession(sessionA, snapshot({}, [userMessage('u', 'The question\nand more'), ...answers]));
  await chat.still();
  assert.equal(await chat.page.getByRole('article', { name: 'You' }).count(), 0);
  await chat.page.getByRole('button', { name: 'Go to your message: The question' }).click();
  const article = chat.page.getByRole('article', { name: 'You' });
  assert.equal(await article.evaluate((element) => element === document.activeElement), true);
  await chat.still();
  const box = await article.boundingBox();
  assert.ok(box && box.y >= 0 && box.y < 100, `${box?.y}`);
  await chat.close();
});
