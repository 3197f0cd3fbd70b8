import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import type { TranscriptSnapshot } from '../../src/shared/transcript/ops';
import type { Entry } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import { agentMessage, asking, pageWithSession, sessionA, snapshot, userMessage } from './samples';
import { longMarkdown, read } from './transcriptSamples';

const browser = useBrowser();

async function open(entries: readonly Entry[], options: ChatOptions & Partial<TranscriptSnapshot> = {}): Promise<Chat> {
  const { terminals = [], omitted = 0, view, ...rest } = options;
  const chat = await browser.open(rest);
  await chat.showPage(pageWithSession());
  const base = snapshot({ activity: { state: 'running', since: Date.now() } }, entries);
  await chat.showSession(sessionA, { ...base, terminals, omitted, ...(view ? { view } : {}) });
  return chat;
}

const article = (chat: Chat, name: string) => chat.page.getByRole('article', { name, exact: true });

test('follows the end until the user scrolls up, and jumps back', async () => {
  const chat = await open([userMessage('u', 'A first line'), agentMessage('m', longMarkdown(20_000))]);
  const distance = () => chat.page.$eval('.pl-feed', (feed) => feed.scrollHeight - feed.scrollTop - feed.clientHeight);
  await chat.page.waitForFunction(() => document.querySelectorAll('.pl-md-group').length > 4);
  assert.ok((await distance()) < 2);
  await chat.page.locator('.pl-feed').hover();
  await chat.page.mouse.wheel(0, -400);
  await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  await chat.still();
  const top = await chat.page.$eval('.pl-feed', (feed) => feed.scrollTop);
  await chat.apply(sessionA, 0, [
    { op: 'appendText', id: 'm' as EntryId, block: 0, text: longMarkdown(4000) },
    { op: 'insert', entry: read('r', 'new.ts') },
  ]);
  assert.ok(Math.abs((await chat.page.$eval('.pl-feed', (feed) => feed.scrollTop)) - top) < 3);
  await chat.page.getByRole('button', { name: '1 new' }).click();
  await chat.page.waitForFunction(() => {
    const feed = document.querySelector('.pl-feed');
    return feed && feed.scrollHeight - feed.scrollTop - feed.clientHeight < 2;
  });
  const pin = chat.page.getByRole('button', { name: /^Go to your message: / });
  assert.match(await pin.innerText(), /A first line/);
  await pin.click();
  assert.equal(await article(chat, 'You').evaluate((element) => element === document.activeElement), true);
  await chat.close();
});

test('counts only entries below the part in view as new', async () => {
  const chat = await open([agentMessage('m', longMarkdown(6000)), agentMessage('n', 'The end')]);
  const feed = chat.page.locator('.pl-feed');
  const jump = chat.page.locator('.pl-jump button');
  const scrollBy = async (by: number) => {
    await feed.hover();
    await chat.page.mouse.wheel(0, by);
    await chat.still();
  };
  await chat.still();
  await scrollBy(-60);
  const insert = (id: string) => ({ op: 'insert', entry: agentMessage(id, `Message ${id}`) }) as const;
  const inSight = async (name: string) => {
    const [box, edge] = [await chat.page.getByText(name, { exact: true }).boundingBox(), await feed.boundingBox()];
    assert.ok(box && edge);
    return box.y + box.height <= edge.y + edge.height;
  };
  await chat.apply(sessionA, 0, [insert('a'), insert('b'), insert('c'), insert('d')]);
  await chat.still();
  assert.equal(await inSight('Message a'), false);
  assert.equal(await jump.innerText(), '4 new');
  await scrollBy(90);
  assert.deepEqual([await inSight('Message a'), await inSight('Message d')], [true, false]);
  assert.match(await jump.innerText(), /^[123] new$/);
  await chat.close();
});

test("does not treat folding above as the reader's scrolling", async () => {
  const chat = await open([userMessage('u', 'Go'), agentMessage('n', longMarkdown(3000)), agentMessage('m', 'End')]);
  const feed = chat.page.locator('.pl-feed');
  const distance = () => feed.evaluate((at) => at.scrollHeight - at.scrollTop - at.clientHeight);
  await chat.page.waitForFunction(() => (document.querySelector('.pl-feed')?.scrollTop ?? 0) > 500);
  const places = await feed.evaluate((at) => {
    const before = at.scrollTop;
    const [first] = at.querySelectorAll<HTMLElement>('article');
    const next = first?.nextElementSibling as HTMLElement;
    next.style.display = 'none';
    const folded = at.scrollTop;
    next.style.display = '';
    next.style.paddingBottom = '300px';
    return [before, folded, at.scrollHeight - at.scrollTop - at.clientHeight];
  });
  assert.ok((places[1] ?? 0) < (places[0] ?? 0) && (places[2] ?? 0) > 300, places.join(', '));
  await chat.page.waitForFunction(() => {
    const at = document.querySelector('.pl-feed');
    return at && at.scrollHeight - at.scrollTop - at.clientHeight < 2;
  });
  await chat.apply(sessionA, 0, [{ op: 'appendText', id: 'm' as EntryId, block: 0, text: longMarkdown(2000) }]);
  assert.ok((await distance()) < 2);
  assert.equal(await chat.page.getByRole('button', { name: 'Jump to latest' }).isVisible(), false);
  await feed.focus();
  await chat.page.keyboard.press('PageUp');
  await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  await chat.close();
});

test('answering the newest request by key keeps following the end', async () => {
  const chat = await open([userMessage('u', 'Go'), agentMessage('m', longMarkdown(8000)), asking('a')]);
  const group = chat.page.getByRole('group', { name: /^Permission: / });
  // Until the text above is drawn, the request moves, and keys don't count.
  await chat.still();
  await chat.page.locator('[role=group][data-ready=true]').waitFor();
  await group.focus();
  await chat.page.keyboard.press('1');
  await chat.posted('answerPermission');
  const option = { optionId: 'allow', name: 'Allow', kind: 'allow_once' } as const;
  const permission = { state: 'answered', option, by: 'you' } as const;
  await chat.apply(sessionA, 0, [
    { op: 'patch', id: 'a' as EntryId, kind: 'tool_call', fields: { status: 'completed', permission } },
  ]);
  await chat.apply(sessionA, 1, [{ op: 'insert', entry: agentMessage('n', longMarkdown(8000)) }]);
  await chat.still();
  const distance = await chat.page.$eval('.pl-feed', (feed) => feed.scrollHeight - feed.scrollTop - feed.clientHeight);
  assert.ok(distance < 9, `${distance} px from the end`);
  await chat.close();
});

test('only keys that scroll count as the reader’s scrolling', async () => {
  const chat = await open([userMessage('u', 'Go'), agentMessage('m', longMarkdown(8000))]);
  await chat.still();
  const feed = chat.page.getByRole('feed');
  const isAtEnd = () => feed.evaluate((at) => at.scrollHeight - at.scrollTop - at.clientHeight < 9);
  /** Folds something above the end, which moves the place up, and adds more below before the page looks again. */
  const foldAndGrow = (times: number) =>
    feed.evaluate((at, by) => {
      const content = at.querySelector<HTMLElement>('.pl-col');
      if (!content) throw new Error('There is no content.');
      content.style.marginBlockStart = `${-400 * by}px`;
      const folded = at.scrollTop;
      content.style.paddingBlockEnd = `${1500 * by}px`;
      return folded;
    }, times);
  for (const [at, key] of ['1', 'Enter', 'Escape', 'Control+Enter', 'PageUp'].entries()) {
    await feed.focus();
    await chat.page.keyboard.press(key);
    if (key === 'PageUp') await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    await foldAndGrow(at + 1);
    await chat.still();
    assert.equal(await isAtEnd(), key !== 'PageUp', key);
  }
  await chat.close();
});

test('holds the list still while text is selected', async () => {
  const chat = await open([userMessage('u', 'Go'), agentMessage('m', longMarkdown(8000))]);
  await chat.still();
  await chat.page.evaluate(() => {
    const last = document.querySelector('.pl-md-group:not(:empty) p');
    if (last) document.getSelection()?.selectAllChildren(last);
  });
  await chat.still();
  const top = await chat.page.$eval('.pl-feed', (feed) => feed.scrollTop);
  await chat.apply(sessionA, 0, [{ op: 'appendText', id: 'm' as EntryId, block: 0, text: longMarkdown(3000) }]);
  assert.equal(await chat.page.$eval('.pl-feed', (feed) => feed.scrollTop), top);
  assert.notEqual(await chat.page.evaluate(() => document.getSelection()?.toString()), '');
  await chat.close();
});

test('arrow keys visit entries, Enter opens, Escape returns to the composer', async () => {
  const chat = await open([userMessage('u', 'Go'), read('r', 'a.ts'), agentMessage('m', 'Done')]);
  await article(chat, 'Claude').focus();
  await chat.page.keyboard.press('ArrowUp');
  const call = article(chat, 'Tool call: Read a.ts');
  assert.equal(await call.evaluate((element) => element === document.activeElement), true);
  await chat.page.keyboard.press('Enter');
  await chat.page.waitForSelector('.pl-tool.open');
  assert.equal(await call.getByRole('button').first().getAttribute('aria-expanded'), 'true');
  await chat.page.keyboard.press('Escape');
  assert.equal(await chat.message.evaluate((element) => element === document.activeElement), true);
  await chat.close();
});

test('fetches older entries at the top without moving the reader', async () => {
  const entries = Array.from({ length: 40 }, (_, index) =>
    agentMessage(`n${index}`, `Message ${index}\n\n${'text '.repeat(60)}`),
  );
  const chat = await open(entries, { omitted: 20 });
  await chat.page.locator('.pl-feed').hover();
  await chat.page.mouse.wheel(0, -60_000);
  const [asked] = await chat.posted('fetchOlder');
  assert.equal(asked?.before, 'n0');
  await chat.still();
  const place = () =>
    chat.page
      .locator('article', { hasText: 'Message 0' })
      .first()
      .evaluate((element) => element.getBoundingClientRect().top);
  const before = await place();
  const older = Array.from({ length: 20 }, (_, index) => agentMessage(`o${index}`, `Older ${index}`));
  await chat.receive({ type: 'older', session: sessionA, entries: older, omitted: 0 });
  assert.ok(Math.abs((await place()) - before) < 4, `${before} → ${await place()}`);
  assert.equal(
    await chat.page
      .locator('article')
      .first()
      .evaluate((element) => element.textContent.trim()),
    'Older 0',
  );
  await chat.close();
});

test('drops the oldest entries of long sessions and fetches them again', async () => {
  const chat = await open([userMessage('u', 'Go'), read('r', 'a.ts')]);
  const articles = chat.page.locator('.pl-feed article');
  const insert = (id: string) => ({ op: 'insert', entry: agentMessage(id, `Message ${id}`) }) as const;
  const fetched = async (count: number) => {
    await chat.page.locator('.pl-feed').hover();
    await chat.page.mouse.wheel(0, -600_000);
    await chat.page.waitForFunction(
      (wanted) => window.fakeHost.posted.filter(({ type }) => type === 'fetchOlder').length === wanted,
      count,
    );
    return (await chat.posted('fetchOlder')).at(-1)?.before;
  };
  await chat.apply(
    sessionA,
    0,
    Array.from({ length: 900 }, (_, index) => insert(`n${index}`)),
  );
  await chat.still();
  assert.match(await articles.last().innerText(), /Message n899/);
  assert.equal(await chat.page.locator('.pl-jump').isVisible(), false, 'The reader is still at the end.');

  await chat.page.locator('.pl-feed').hover();
  await chat.page.mouse.wheel(0, -600);
  await chat.page.locator('.pl-jump button').waitFor();
  await chat.apply(
    sessionA,
    900,
    Array.from({ length: 500 }, (_, index) => insert(`later${index}`)),
  );
  await chat.still();
  assert.equal(await fetched(1), 'n500', 'Nothing is dropped while the reader is elsewhere.');
  await chat.page.locator('.pl-jump button').click();
  await chat.still();
  assert.match(await articles.last().innerText(), /Message later499/);
  assert.equal(await fetched(2), 'later100');
  await chat.close();
});

test('fetches an unloaded entry, scrolls to it, and focuses it', async () => {
  const entries = Array.from({ length: 40 }, (_, index) =>
    agentMessage(`n${index}`, `Message ${index}\n\n${'text '.repeat(60)}`),
  );
  const chat = await open(entries, { omitted: 20 });
  const focused = () => chat.page.evaluate(() => document.activeElement?.textContent.trim().slice(0, 10));
  await chat.receive({ type: 'revealEntry', session: sessionA, entry: entries[20]!.id });
  await chat.page.waitForFunction(() => document.activeElement?.textContent.trim().startsWith('Message 20'));
  const fetches = (await chat.allPosted()).filter(({ type }) => type === 'fetchOlder');
  assert.deepEqual(fetches, [], 'Nothing is fetched for what is there.');
  const older = Array.from({ length: 20 }, (_, index) => agentMessage(`o${index}`, `Older ${index}`));
  await chat.receive({ type: 'revealEntry', session: sessionA, entry: older[3]!.id });
  const [asked] = await chat.posted('fetchOlder');
  assert.equal(asked?.before, 'n0');
  await chat.receive({ type: 'older', session: sessionA, entries: older, omitted: 0 });
  await chat.page.waitForFunction(() => document.activeElement?.textContent.trim().startsWith('Older 3'));
  assert.equal(await focused(), 'Older 3');
  const box = await chat.page.locator('article', { hasText: 'Older 3' }).first().boundingBox();
  assert.ok(box && box.y >= 0 && box.y < 700, `${box?.y}`);
  await chat.close();
});

test("keeps the reader's place when truncated or given a new snapshot", async () => {
  const entries = Array.from({ length: 30 }, (_, index) =>
    agentMessage(`n${index}`, `Message ${index}\n\n${'text '.repeat(80)}`),
  );
  const chat = await open([userMessage('u', 'Go'), ...entries]);
  await chat.still();
  await chat.page.locator('.pl-feed').hover();
  await chat.page.mouse.wheel(0, -1500);
  await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  await chat.still();
  const first = () =>
    chat.page.evaluate(() => document.elementFromPoint(200, 200)?.closest('article')?.textContent.slice(0, 12));
  const before = await first();
  await chat.showSession(sessionA, { ...snapshot({}, [userMessage('u', 'Go'), ...entries]), rev: 0 });
  await chat.page.waitForFunction(
    (text) =>
      document
        .elementFromPoint(200, 200)
        ?.closest('article')
        ?.textContent.startsWith(text ?? ''),
    before,
  );
  await chat.apply(sessionA, 0, [{ op: 'truncate', from: 'n5' as EntryId }]);
  assert.equal(await chat.page.getByRole('article', { name: 'Claude' }).count(), 5);
  await chat.close();
});
