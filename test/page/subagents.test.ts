import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId, RequestKey } from '../../src/shared/values/ids';
import type { Entry, SessionView } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import { testLooks } from './look';
import { agentMessage, asking, pageWithSession, sessionA, snapshot, toolCall, userMessage } from './samples';
import { of, read, subagent, subagentEntries } from './subagentSamples';

const browser = useBrowser();
const running: Partial<SessionView> = { activity: { state: 'running', since: Date.now() } };
const ended = { state: 'idle', stopReason: 'end_turn', endedAt: Date.now() } as const;

async function open(entries: readonly Entry[], view = running, options: ChatOptions = {}): Promise<Chat> {
  const chat = await browser.open(options);
  await show(chat, entries, view);
  return chat;
}

async function show(chat: Chat, entries: readonly Entry[], view = running): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot(view, entries));
}

const row = (chat: Chat, title = 'Check time zone edge cases') =>
  chat.page.getByRole('article', { name: `Subagent: ${title}`, exact: true });
const head = (chat: Chat, title?: string) => row(chat, title).locator('.tog').first();
/** The names of the articles below a row, one level deep. */
const below = (chat: Chat, title?: string) =>
  row(chat, title)
    .locator('> .pl-kids > article')
    .evaluateAll((articles) => articles.map((article) => article.getAttribute('aria-label')));

test("shows a subagent's entries below its row under its name", async () => {
  const chat = await open([userMessage('u', 'Go'), subagent('a'), agentMessage('m', 'I wait.')]);
  await chat.apply(sessionA, 0, [
    { op: 'insert', entry: of('a', agentMessage('c', 'Two tests')) },
    { op: 'insert', entry: of('a', read('r', 'zones.ts')) },
    { op: 'insert', entry: of('a', subagent('deep', { title: 'Zones' })) },
    { op: 'insert', entry: of('deep', agentMessage('d', 'Deeper')) },
    { op: 'appendText', id: 'm' as EntryId, block: 0, text: ' Still.' },
    { op: 'appendText', id: 'c' as EntryId, block: 0, text: ' pin the zone.' },
  ]);
  // Steps of steps stand beside them.
  assert.deepEqual(await below(chat), [
    'Check time zone edge cases',
    'Tool call: Read zones.ts',
    'Subagent: Zones',
    'Zones',
  ]);
  assert.deepEqual(
    await chat.page.locator('.pl-col > article').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
    ['You', 'Subagent: Check time zone edge cases', 'Claude'],
  );
  assert.equal(await row(chat).locator('.pl-kids > .pl-prose').first().innerText(), 'Two tests pin the zone.');
  assert.match(await head(chat).innerText(), /Subagent\s*Check time zone edge cases\s*2 steps\s*0:5\d\s*in progress/);
  assert.deepEqual(chat.errors, []);
  await chat.close();
});

test("unfolds a working subagent's row and folds it unless it asks", async () => {
  const chat = await open([
    userMessage('u', 'Go'),
    subagent('a', { description: 'All zones\n\nOne by one' }),
    of('a', read('r', 'a.ts')),
  ]);
  assert.equal(await head(chat).getAttribute('aria-expanded'), 'true');
  assert.equal(await row(chat).getByText('One by one').isVisible(), true);
  await chat.apply(sessionA, 0, [
    {
      op: 'replace',
      entry: subagent('a', { ...ended, startedAt: ended.endedAt - 52_000, description: 'All zones\n\nOne by one' }),
    },
  ]);
  await chat.page.waitForFunction(
    () => document.querySelector('.pl-sub .tog')?.getAttribute('aria-expanded') === 'false',
  );
  assert.equal(await row(chat).locator('> .pl-kids').isVisible(), false);
  // The first line of what it is about stands in the row, the rest of it is folded away.
  assert.equal(await row(chat).locator('.about').count(), 0);
  assert.match(await head(chat).innerText(), /All zones\s*1 step\s*52 s\s*completed/);
  await chat.apply(sessionA, 1, [{ op: 'insert', entry: of('a', asking('ask')) }]);
  await chat.page.waitForSelector('.pl-sub .pl-perm[data-ready]');
  await chat.receive({ type: 'focusRequest' });
  assert.equal(await chat.page.evaluate(() => document.activeElement?.closest('.pl-sub') !== null), true);
  const option = { optionId: 'allow', name: 'Allow', kind: 'allow_once' } as const;
  const answered = { ...asking('ask'), permission: { state: 'answered', option, by: 'you' } } as const;
  await chat.apply(sessionA, 2, [{ op: 'replace', entry: of('a', answered) }]);
  await chat.page.waitForSelector('.pl-sub > .pl-kids', { state: 'hidden' });
  const question = { state: 'asked', request: 'form' as RequestKey, ask: { mode: 'form', fields: [] } } as const;
  const form: Entry = { kind: 'elicitation', id: 'f' as EntryId, turn: 1, message: 'Which zone?', question };
  await chat.apply(sessionA, 3, [{ op: 'insert', entry: of('a', form) }]);
  await chat.page.getByRole('form', { name: 'Which zone?' }).waitFor();
  await chat.close();
});

test('offers Stop for stoppable subagents and keeps the focus', async () => {
  const chat = await open([userMessage('u', 'Go'), subagent('a'), subagent('b', { title: 'Other', canCancel: false })]);
  assert.equal(await chat.page.getByRole('button', { name: 'Stop Other' }).count(), 0);
  await chat.button('Stop Check time zone edge cases').press('Enter');
  assert.deepEqual(await chat.posted('stopSubagent'), [{ type: 'stopSubagent', session: sessionA, subagent: 'a' }]);
  await chat.apply(sessionA, 0, [
    { op: 'replace', entry: subagent('a', { ...ended, stopReason: 'cancelled' }) },
    { op: 'replace', entry: subagent('b', { title: 'Other', state: 'unknown' }) },
  ]);
  assert.equal(await chat.page.getByRole('button', { name: 'Stop Check time zone edge cases' }).count(), 0);
  assert.match(await head(chat).innerText(), /cancelled/);
  assert.equal(await row(chat).evaluate((element) => element === document.activeElement), true);
  assert.match(await head(chat, 'Other').innerText(), /unknown state/);
  assert.equal(await chat.button('Stop Other').isVisible(), true);
  await chat.close();
});

test("counts a subagent's time after the turn without a busy session", async () => {
  const chat = await open([userMessage('u', 'Go'), subagent('a')], { activity: { state: 'idle' } });
  const time = () => row(chat).locator('.end [aria-hidden]').innerText();
  const before = await time();
  await chat.page.waitForFunction(
    (old) => document.querySelector('.pl-sub .end [aria-hidden]')?.textContent !== old,
    before,
  );
  assert.equal(await chat.page.getByRole('feed').getAttribute('aria-busy'), 'false');
  assert.equal(await chat.page.locator('.pl-work').isVisible(), false);
  await chat.close();
});

test('arrow keys visit its entries in order and folded rows once', async () => {
  const entries = [
    userMessage('u', 'Go'),
    subagent('a'),
    of('a', agentMessage('c', 'One')),
    of('a', read('r', 'a.ts')),
  ];
  const chat = await open([...entries, agentMessage('m', 'Two')]);
  const walk = async (keys: readonly string[]) => {
    const names: (string | null | undefined)[] = [];
    for (const key of keys) {
      await chat.page.keyboard.press(key);
      names.push(await chat.page.evaluate(() => document.activeElement?.getAttribute('aria-label')));
    }
    return names;
  };
  await row(chat).focus();
  const title = 'Check time zone edge cases';
  assert.deepEqual(await walk(['ArrowDown', 'ArrowDown', 'ArrowDown']), [title, 'Tool call: Read a.ts', 'Claude']);
  await row(chat).focus();
  await chat.page.keyboard.press('Enter');
  await chat.page.waitForFunction(
    () => document.querySelector('.pl-sub .tog')?.getAttribute('aria-expanded') === 'false',
  );
  assert.deepEqual(await walk(['ArrowDown', 'ArrowUp']), ['Claude', `Subagent: ${title}`]);
  await chat.close();
});

test('shows entries apart until their row exists, then below it', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  const late = [of('a', agentMessage('c2', 'Later')), agentMessage('m', 'Of the parent')];
  await chat.showSession(sessionA, { ...snapshot(running, late), omitted: 3 });
  const child = chat.page.getByRole('article').filter({ hasText: 'Later' });
  assert.equal(await child.getAttribute('aria-label'), 'Subagent');
  assert.equal(await child.evaluate((element) => element.classList.contains('lone')), true);
  const entries = [userMessage('u', 'Go'), subagent('a', ended), of('a', agentMessage('c1', 'Earlier'))];
  await chat.receive({ type: 'older', session: sessionA, entries, omitted: 0 });
  await chat.page.waitForFunction(() => document.querySelectorAll('.pl-sub > .pl-kids > article').length === 2);
  assert.equal(await row(chat).getByText('Later').isVisible(), true);
  // Drawn a moment later than placed.
  await row(chat).locator('.pl-kids > article:first-child').filter({ hasText: 'Earlier' }).waitFor();
  await row(chat).locator('.pl-kids > article:last-child').filter({ hasText: 'Later' }).waitFor();
  assert.equal(await chat.page.locator('.lone').count(), 0);
  await chat.close();
});

test("renders a long run of a subagent as cheaply as its parent's", async () => {
  const calls = Array.from({ length: 800 }, (_, at) =>
    toolCall(`t${at}`, { title: `step ${at}`, status: 'completed' }),
  );
  const spent = async (entries: readonly Entry[]) => {
    const chat = await open([userMessage('u', 'Go'), subagent('a')]);
    const started = performance.now();
    for (let at = 0; at < entries.length; at += 50) {
      await chat.apply(
        sessionA,
        at,
        entries.slice(at, at + 50).map((entry) => ({ op: 'insert', entry })),
      );
    }
    const took = performance.now() - started;
    await chat.still();
    const shown = await chat.page.locator('.pl-tool').count();
    assert.ok(shown > 10 && shown < 250, `${shown} rows`);
    await chat.close();
    return took;
  };
  const own = await spent(calls);
  const nested = await spent(calls.map((call) => of('a', call)));
  assert.ok(nested < own * 3 + 500, `${nested} ms nested, ${own} ms in a row`);
});

testLooks(browser, [
  {
    name: 'subagents',
    height: 900,
    reach: async (chat) => {
      await show(chat, subagentEntries(), running);
      await chat.page.waitForSelector('.pl-perm[data-ready]');
      await head(chat, 'Measure the bundle').click();
    },
  },
]);
