import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FindQuery, FoundEntry } from '../../src/shared/pages/findQuery';
import type { EntryId } from '../../src/shared/values/ids';
import type { Entry } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import {
  agentMessage,
  listing,
  pageState,
  pageWithSession,
  sessionA,
  sessionB,
  snapshot,
  toolCall,
  userMessage,
} from './samples';

const browser = useBrowser();

const thought: Entry = {
  kind: 'agent_thought',
  id: 't1' as EntryId,
  turn: 1,
  content: [{ type: 'text', text: 'The retry may be in upload.ts.' }],
  startedAt: 1,
  endedAt: 2,
};
const entries: readonly Entry[] = [
  userMessage('u1', 'Where is the retry?'),
  thought,
  agentMessage('a1', 'The **retry** is in `upload.ts`. Another retry is in `list.ts`.'),
  toolCall('c1'),
  userMessage('u2', 'Thanks'),
];

async function open(shown: readonly Entry[] = entries, omitted = 0): Promise<Chat> {
  const chat = await browser.open();
  await chat.page.evaluate(() => {
    const counting = window as unknown as { seen: string[] };
    counting.seen = [];
    window.addEventListener('keydown', ({ key }) => counting.seen.push(key));
  });
  await chat.showPage(pageWithSession([listing(sessionB)]));
  await chat.showSession(sessionA, { ...snapshot({}, [...shown]), omitted });
  return chat;
}

const field = (chat: Chat) => chat.page.getByRole('textbox', { name: 'Find', exact: true });
const count = (chat: Chat) => chat.page.locator('.pl-find .count');

async function openFind(chat: Chat): Promise<void> {
  await chat.page.keyboard.press('Control+f');
  await field(chat).waitFor();
}

/** Answers the newest search as the host does. */
async function answer(chat: Chat, found: readonly (readonly [string, number])[] | undefined): Promise<FindQuery> {
  const search = (await chat.posted('findInSession')).at(-1);
  assert.ok(search);
  const { id } = search;
  await chat.receive({
    type: 'foundInSession',
    session: sessionA,
    id,
    ...(found && { found: found as unknown as FoundEntry[] }),
  });
  return search.query;
}

/** The marked texts, and the one of the current match. */
const marks = (chat: Chat) =>
  chat.page.evaluate(() => {
    const texts = (name: string) => [...(CSS.highlights.get(name) ?? [])].map((range) => (range as Range).toString());
    return { all: texts('pl-find'), current: texts('pl-find-current') };
  });

const untilMarked = (chat: Chat, entry: string) =>
  chat.page.waitForFunction((part) => {
    const [range] = [...(CSS.highlights.get('pl-find-current') ?? [])] as Range[];
    return range?.startContainer.parentElement?.closest('article')?.textContent.includes(part) === true;
  }, entry);

test('Ctrl+F searches the whole session and marks matches', async () => {
  const chat = await open();
  await chat.message.focus();
  await openFind(chat);
  await chat.page.keyboard.type('retry');
  assert.equal(
    (
      await answer(chat, [
        ['u1', 1],
        ['t1', 1],
        ['a1', 2],
      ])
    ).text,
    'retry',
  );
  assert.equal(await count(chat).innerText(), '1 of 4');
  await untilMarked(chat, 'Where is');
  assert.deepEqual((await marks(chat)).current, ['retry']);
  assert.deepEqual(
    await chat.page.evaluate(() => (window as unknown as { seen: string[] }).seen.filter((key) => key === 'f')),
    [],
  );
  assert.equal(await field(chat).evaluate((input) => input === document.activeElement), true);
  assert.deepEqual(chat.errors, []);
  await chat.close();
});

test('finds what is typed while the widget is still loading', async () => {
  const chat = await open();
  let load: () => void = () => undefined;
  const mayLoad = new Promise<void>((resolve) => (load = resolve));
  await chat.page.route('**/chunks/findWidget-*', async (route) => {
    await mayLoad;
    await route.continue();
  });
  await chat.message.focus();
  await chat.page.keyboard.press('Control+f');
  await chat.page.keyboard.type('retrx');
  await chat.page.keyboard.press('Backspace');
  await chat.page.keyboard.type('y');
  load();
  await field(chat).waitFor();
  await chat.page.waitForFunction(() => document.activeElement?.matches('.pl-find input'));
  assert.equal(await field(chat).inputValue(), 'retry');
  assert.equal(await chat.message.inputValue(), '');
  assert.equal((await answer(chat, [])).text, 'retry');
  await chat.page.keyboard.type('!');
  assert.equal(await field(chat).inputValue(), 'retry!');
  await chat.close();
});

for (const width of [290, 420]) {
  test(`opening and closing moves nothing on a page of ${width} px`, async () => {
    const chat = await open(Array.from({ length: 30 }, (_, at) => userMessage(`m${at}`, `Message ${at}`)));
    await chat.page.setViewportSize({ width, height: 500 });
    const feed = chat.page.getByRole('feed');
    const place = (name: string) =>
      chat.page.getByText(name, { exact: true }).evaluate((element) => element.getBoundingClientRect().top);
    for (const [name, to] of [
      ['Message 29', 1e6],
      ['Message 14', 500],
    ] as const) {
      await feed.evaluate((element, top) => element.scrollTo({ top }), to);
      await chat.still();
      const before = await place(name);
      await openFind(chat);
      await chat.still();
      assert.equal(await place(name), before, `${name}, open`);
      await chat.page.keyboard.press('Escape');
      await chat.still();
      assert.equal(await place(name), before, `${name}, closed`);
    }
    await chat.close();
  });
}

test('Enter and F3 visit the matches, opening folded thoughts', async () => {
  const chat = await open();
  await openFind(chat);
  await chat.page.keyboard.type('retry');
  await answer(chat, [
    ['u1', 1],
    ['t1', 1],
    ['a1', 2],
  ]);
  await chat.page.keyboard.press('Enter');
  assert.equal(await count(chat).innerText(), '2 of 4');
  await untilMarked(chat, 'may be in');
  await chat.page.keyboard.press('F3');
  await chat.page.keyboard.press('F3');
  assert.equal(await count(chat).innerText(), '4 of 4');
  await untilMarked(chat, 'Another');
  await chat.page.keyboard.press('Enter');
  assert.equal(await count(chat).innerText(), '1 of 4');
  await chat.page.keyboard.press('Shift+Enter');
  assert.equal(await count(chat).innerText(), '4 of 4');
  await chat.close();
});

test('scrolls a wide diff sideways to a match', async () => {
  const wide = `${'a long beginning of a line '.repeat(8)}needle ${'and its end '.repeat(8)}`;
  const diff = { type: 'diff', path: '/w/a.txt', oldText: '', newText: `needle\n${wide}\n` } as const;
  const chat = await open([userMessage('u1', 'Go'), toolCall('c1', { toolKind: 'edit', content: [diff] })]);
  const place = () =>
    chat.page.locator('.pl-diff').evaluate((element) => {
      const [first, second] = [...element.querySelectorAll('*')]
        .filter(({ childElementCount, textContent }) => childElementCount === 0 && textContent.includes('needle'))
        .map(({ firstChild }) => {
          const range = new Range();
          const at = firstChild?.textContent?.indexOf('needle') ?? 0;
          range.setStart(firstChild!, at);
          range.setEnd(firstChild!, at + 6);
          return range.getBoundingClientRect();
        });
      const { left, right } = element.getBoundingClientRect();
      return { first: first!.left >= left, second: second!.left >= left && second!.right <= right };
    });
  await chat.page.locator('.pl-diff').waitFor();
  assert.deepEqual(await place(), { first: true, second: false });
  await openFind(chat);
  await field(chat).fill('needle');
  await answer(chat, [['c1', 2]]);
  await chat.page.keyboard.press('Enter');
  await chat.still();
  assert.deepEqual(await place(), { first: false, second: true });
  await chat.page.keyboard.press('Enter');
  await chat.still();
  assert.deepEqual(await place(), { first: true, second: false });
  await chat.close();
});

test("fetches a match that isn't loaded, and Escape focuses its entry", async () => {
  const chat = await open(entries, 20);
  await openFind(chat);
  await chat.page.keyboard.type('harbor');
  await answer(chat, [['o3', 1]]);
  assert.equal(await count(chat).innerText(), '1 of 1');
  const [asked] = await chat.posted('fetchOlder');
  assert.equal(asked?.before, 'u1');
  const older = Array.from({ length: 20 }, (_, index) =>
    agentMessage(`o${index}`, index === 3 ? 'The harbor is here' : `Older ${index}`),
  );
  await chat.receive({ type: 'older', session: sessionA, entries: older, omitted: 0 });
  await untilMarked(chat, 'The harbor');
  await chat.page.keyboard.press('Escape');
  assert.equal(await chat.page.evaluate(() => document.activeElement?.textContent.trim()), 'The harbor is here');
  assert.equal(await field(chat).isVisible(), false);
  assert.deepEqual((await marks(chat)).all, []);
  await chat.close();
});

test('sends the search options and reports an invalid pattern', async () => {
  const chat = await open();
  await openFind(chat);
  await chat.page.keyboard.type('(');
  await chat.page.keyboard.press('Alt+r');
  await chat.button('Match case').click();
  const query = await answer(chat, undefined);
  assert.deepEqual(query, { text: '(', matchCase: true, wholeWord: false, isRegex: true });
  assert.equal(await count(chat).innerText(), 'Invalid pattern');
  assert.equal(await chat.button('Use regular expression').getAttribute('aria-pressed'), 'true');
  await chat.close();
});

test('updates the count as the transcript grows without scrolling', async () => {
  const chat = await open();
  await openFind(chat);
  await chat.page.keyboard.type('retry');
  await answer(chat, [
    ['u1', 1],
    ['a1', 2],
  ]);
  await chat.page.keyboard.press('Enter');
  const before = (await chat.posted('findInSession')).length;
  await chat.apply(sessionA, 0, [{ op: 'insert', entry: agentMessage('a2', 'A new retry') }]);
  await chat.page.waitForFunction(
    (known) => window.fakeHost.posted.filter(({ type }) => type === 'findInSession').length > known,
    before,
  );
  await answer(chat, [
    ['u1', 1],
    ['a1', 2],
    ['a2', 1],
  ]);
  assert.equal(await count(chat).innerText(), '2 of 4');
  await chat.close();
});

test('changes do not replace a running search but start another afterwards', async () => {
  const chat = await open();
  await openFind(chat);
  await chat.page.keyboard.type('r');
  const searches = async () => (await chat.posted('findInSession')).length;
  assert.equal(await searches(), 1);
  await chat.apply(sessionA, 0, [{ op: 'insert', entry: agentMessage('a2', 'A new retry') }]);
  await answer(chat, [['u1', 1]]);
  assert.equal(await count(chat).innerText(), '1 of 1');
  await chat.page.waitForFunction(
    () => window.fakeHost.posted.filter(({ type }) => type === 'findInSession').length === 2,
  );
  await answer(chat, [
    ['u1', 1],
    ['a2', 1],
  ]);
  assert.equal(await count(chat).innerText(), '1 of 2');
  await chat.close();
});

test("Alt+Up and Alt+Down visit the user's messages, even unloaded ones", async () => {
  const chat = await open(entries, 20);
  const focused = () => chat.page.evaluate(() => document.activeElement?.querySelector('p')?.textContent);
  await chat.page.locator('.pl-feed').focus();
  await chat.page.keyboard.press('ArrowUp');
  await chat.page.keyboard.press('Alt+ArrowUp');
  await chat.page.waitForFunction(() => document.activeElement?.textContent.includes('Where is') === true);
  assert.equal(await focused(), 'Where is the retry?');
  await chat.page.keyboard.press('Alt+ArrowDown');
  await chat.page.waitForFunction(() => document.activeElement?.textContent.includes('Thanks') === true);
  await chat.page.keyboard.press('Alt+ArrowUp');
  await chat.page.waitForFunction(() => document.activeElement?.textContent.includes('Where is') === true);
  await chat.page.keyboard.press('Alt+ArrowUp');
  const [asked] = await chat.posted('goToEarlierTurn');
  assert.equal(asked?.before, 'u1');
  await chat.close();
});

test('gives each turn a level 2 heading above those of answers', async () => {
  const chat = await open([userMessage('u1', 'Explain\nin detail'), agentMessage('a1', '# Overview\n\n## Details')]);
  const levels = () =>
    chat.page
      .locator('.pl-feed :is(h1, h2, h3, h4)')
      .evaluateAll((found) => found.map((heading) => `${heading.localName} ${heading.textContent.trim()}`));
  await chat.page.getByRole('heading', { name: 'Details' }).waitFor();
  assert.deepEqual(await levels(), ['h2 You: Explain', 'h3 Overview', 'h4 Details']);
  await chat.close();
});

test('copies an answer or turn by button, and an entry by key', async () => {
  const chat = await open();
  const answerEntry = chat.page.locator('article', { hasText: 'Another retry' });
  await answerEntry.hover();
  await answerEntry.getByRole('button', { name: 'Copy answer' }).click();
  await answerEntry.getByRole('button', { name: 'Copy turn as Markdown' }).click();
  await chat.page.locator('article', { hasText: 'Where is' }).focus();
  await chat.page.keyboard.press('Control+c');
  const posted = await chat.posted('copyMarkdown');
  assert.deepEqual(
    posted.map(({ entry, scope }) => `${entry} ${scope}`),
    ['a1 entry', 'a1 turn', 'u1 entry'],
  );
  await chat.close();
});

test("excludes the line at a turn's end from searches", async () => {
  const answered = agentMessage('a1', 'Claude is done.');
  const turnSummary = { startedAt: 1000, endedAt: 7000 };
  const chat = await open([userMessage('u1', 'Done?'), { ...answered, turnSummary } as Entry]);
  await chat.page.getByRole('note', { name: 'Turn ended: Claude, 6 s' }).waitFor();
  await openFind(chat);
  await chat.page.keyboard.type('claude');
  await answer(chat, [['a1', 1]]);
  await untilMarked(chat, 'Claude');
  assert.deepEqual((await marks(chat)).all, ['Claude']);
  await chat.close();
});

test('lists the turns with a button in the header', async () => {
  const chat = await open();
  await chat.button('Go to turn').click();
  await chat.posted('showTurns');
  await chat.receive({ type: 'revealEntry', session: sessionA, entry: 'u1' as EntryId, isPreview: true });
  assert.equal(await chat.page.evaluate(() => document.activeElement?.tagName), 'BUTTON');
  await chat.close();
});

test('cancelling the list of turns restores the scroll position', async () => {
  const chat = await browser.open({ width: 420, height: 500 });
  const many = Array.from({ length: 40 }, (_, at) => [
    userMessage(`q${at}`, `Question ${at}`, at + 1),
    agentMessage(`r${at}`, `Answer ${at}\n\n${'text '.repeat(60)}`, at + 1),
  ]).flat();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, many));
  const feed = chat.page.locator('.pl-feed');
  const inSight = (text: string) => chat.page.locator('article', { hasText: text }).last();
  const preview = async (at: number) => {
    await chat.receive({ type: 'revealEntry', session: sessionA, entry: `q${at}` as EntryId, isPreview: true });
    await chat.page.waitForFunction((text) => {
      const top = document.querySelector('.pl-feed')?.getBoundingClientRect().top ?? 0;
      const one = [...document.querySelectorAll('article')].find((entry) => entry.textContent.includes(text));
      return one !== undefined && Math.abs(one.getBoundingClientRect().top - top) < 60;
    }, `Question ${at}`);
  };
  const cancel = () => chat.receive({ type: 'endPreview', session: sessionA });
  // From the end, which the page follows again.
  await preview(3);
  await preview(7);
  await cancel();
  await inSight('Answer 39').waitFor();
  await chat.page.waitForFunction(() => {
    const one = document.querySelector('.pl-feed');
    return one !== null && one.scrollHeight - one.clientHeight - one.scrollTop < 2;
  });
  // From a place in the middle.
  await feed.hover();
  await chat.page.mouse.wheel(0, -1500);
  await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  await chat.still();
  const first = () =>
    chat.page.evaluate(() => {
      const top = document.querySelector('.pl-feed')?.getBoundingClientRect().top ?? 0;
      const one = [...document.querySelectorAll('.pl-col > article')].find(
        (entry) => entry.getBoundingClientRect().bottom > top,
      );
      return [one?.textContent.slice(0, 12), Math.round((one?.getBoundingClientRect().top ?? 0) - top)];
    });
  const before = await first();
  await preview(2);
  await cancel();
  await chat.page.waitForFunction((text) => {
    const top = document.querySelector('.pl-feed')?.getBoundingClientRect().top ?? 0;
    const one = [...document.querySelectorAll('.pl-col > article')].find(
      (entry) => entry.getBoundingClientRect().bottom > top,
    );
    return one?.textContent.startsWith(text);
  }, String(before[0]));
  await chat.still();
  assert.deepEqual(await first(), before);
  // Without a session, there is nothing to jump to.
  await chat.showPage(pageState());
  await chat.page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'detached' });
  await chat.close();
});

testLooks(browser, [
  {
    name: 'find',
    widths: [290, 1200],
    reach: async (chat) => {
      await chat.showPage(pageWithSession());
      await chat.showSession(sessionA, snapshot({}, [...entries]));
      await openFind(chat);
      await chat.page.keyboard.type('retry');
      await answer(chat, [
        ['u1', 1],
        ['t1', 1],
        ['a1', 2],
      ]);
      await chat.page.keyboard.press('Shift+Enter');
      await untilMarked(chat, 'Another');
    },
  },
  {
    name: 'answerActions',
    widths: [290, 1200],
    reach: async (chat) => {
      await chat.showPage(pageWithSession());
      await chat.showSession(sessionA, snapshot({}, [...entries]));
      const entry = chat.page.locator('article', { hasText: 'Another retry' });
      await entry.focus();
      await entry.hover();
      await chat.button('Copy answer').waitFor();
    },
    again: (chat) => chat.page.locator('article', { hasText: 'Another retry' }).hover(),
  },
]);
