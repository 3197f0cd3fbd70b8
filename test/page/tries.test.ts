import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey } from '../../src/shared/values/ids';
import type {
  FromTriesPage,
  PageSide,
  PageTry,
  ToTriesPage,
  TriesReport,
  TryToCleanUp,
} from '../../src/shared/changes/triesPage';
import { pageDifferences, unrelatedDifferences } from '../../src/tries/pageDifferences';
import type { TrySide } from '../../src/tries/triedFiles';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import { testLooks } from './look';
import { isOfDiff } from './reviewHost';
import { smallTexts } from './smallText';

/* The comparison of several tries: its table, its keys, and what it asks for. */

const browser = useBrowser();

const [claude, codex, gemini] = ['s1', 's2', 's3'] as [SessionKey, SessionKey, SessionKey];

const aTry = (session: SessionKey, agentName: string, fields: Partial<PageTry> = {}): PageTry => ({
  session,
  agentName,
  name: agentName,
  detail: '',
  state: 'ended',
  ms: 0,
  costs: [],
  files: 0,
  added: 0,
  removed: 0,
  ...fields,
});

/** The user's agents. */
const known = ['Claude', 'Codex', 'Copilot', 'Gemini'];

const report: TriesReport = {
  message: 'Uploads fail now and then on slow links. Add retry with backoff, and a test that proves it.',
  from: 'from main at 4f1c9e2',
  command: 'npm test -- --run upload',
  taken: { files: 1, changes: 1, tries: 1 },
  tries: [
    aTry(claude, 'Claude', {
      detail: 'Opus 5',
      ms: 192_000,
      tokens: 184_000,
      costs: [{ amount: 0.64, currency: 'USD' }],
      check: { state: 'ended', exitCode: 0, ms: 21_000 },
      files: 3,
      added: 102,
      removed: 42,
    }),
    aTry(codex, 'Codex', { state: 'working', check: { state: 'running' }, files: 2, added: 66, removed: 9 }),
    aTry(gemini, 'Gemini', {
      detail: 'A model with a very long name indeed',
      ms: 125_000,
      check: { state: 'ended', exitCode: 1, ms: 23_000 },
      files: 2,
      added: 19,
      removed: 38,
    }),
  ],
  rows: [
    {
      path: 'src/upload/client.ts',
      cells: [
        { kind: 'changed', added: 2, removed: 2, taken: { count: 1, of: 3 } },
        { kind: 'changed', added: 2, removed: 2 },
        { kind: 'changed', added: 1, removed: 1 },
      ],
    },
    {
      path: 'src/vendor/legacy-retry.js',
      cells: [
        { kind: 'deleted', added: 0, removed: 35 },
        undefined,
        { kind: 'deleted', added: 0, removed: 35, sameAs: 0 },
      ],
    },
    {
      path: 'src/upload/retry.ts',
      cells: [{ kind: 'added', added: 48, removed: 0, taken: 'all' }, undefined, undefined],
    },
    { path: 'a-file-with-a-long-name-that-cannot-fit-here.bin', cells: [undefined, { kind: 'added' }, undefined] },
  ],
};

const start = `import { fetch } from './fetch';

export class Client {
  private async sendPart(part: Part): Promise<string> {
    const res = await fetch(part.url, part.init);
    if (!res.ok) throw new UploadError(res.status);
    return res.headers.get('etag') ?? '';
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }
}
`;
const side = (text: string): TrySide => ({ kind: 'text', bytes: Buffer.from(text) });
const sides: Readonly<Record<string, TrySide>> = {
  base: side(start),
  [claude]: side(start.replace('await fetch(', 'await retry(4, ').replace('setTimeout(resolve, ms)', 'later(resolve)')),
  [codex]: side(start.replace('await fetch(', 'await withRetry(').replace('(res.status)', '(res)')),
  [gemini]: side(start.replace('(ms: number)', '(ms = 250)')),
};

/** What the host answers about the open file. */
function differences(left: PageSide, right: PageSide): ToTriesPage {
  const compared = (one: PageSide) => ({ side: sides[one] as TrySide, taken: new Set<string>() });
  const content = pageDifferences(side(start), compared(left), compared(right), []);
  return { type: 'differences', pair: { path: 'src/upload/client.ts', left, right }, content };
}

const posted = async (chat: Chat) => (await chat.allPosted()) as unknown as readonly FromTriesPage[];
const receive = (chat: Chat, message: ToTriesPage) => chat.receive(message as never);

async function open(options: ChatOptions = {}): Promise<Chat> {
  const chat = await browser.open({ page: 'tries', host: 'editor', width: 1200, height: 800, ...options });
  await receive(chat, { type: 'tries', report, locale: 'en', known });
  await chat.page.getByRole('table', { name: 'Files and tries' }).waitFor();
  return chat;
}

/** Opens the file that all tries changed. */
async function openFile(chat: Chat): Promise<void> {
  await chat.button('Compare client.ts from Claude').click();
  await receive(chat, differences(claude, codex));
  await chat.page.getByRole('group', { name: 'Difference 1 of 2, lines 5 to 6, in sendPart' }).waitFor();
}

const focused = (chat: Chat) => chat.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

test('compares facts and files, and says what was not reported', async () => {
  const chat = await open();
  const table = chat.page.getByRole('table', { name: 'Files and tries' });
  await chat.page.getByRole('heading', { name: 'Compare 3 tries', level: 1 }).waitFor();
  const row = (name: string) => table.getByRole('row').filter({ has: chat.page.getByRole('rowheader', { name }) });
  const cells = async (name: string) => {
    const texts = await row(name).getByRole('cell').allInnerTexts();
    return texts.map((text) => text.replace(/\s+/g, ' ').trim());
  };
  assert.deepEqual(await cells('npm test -- --run upload'), ['Passed 21 s', 'Running', 'Failed, exit 1 23 s Output']);
  assert.deepEqual(await cells('Time'), ['3 m 12 s', 'working', '2 m 5 s']);
  assert.deepEqual(await cells('Tokens'), ['184k', 'not reported', 'not reported']);
  assert.deepEqual(await cells('Cost'), ['$0.64', 'not reported', 'not reported']);
  assert.deepEqual(await cells('Changes'), ['3 files +102 −42', '2 files +66 −9', '2 files +19 −38']);
  assert.deepEqual(await cells('legacy-retry.js'), ['−35 deleted Take', 'not changed', '−35 same as Claude Take']);
  await chat.close();
});

test('gives agents the marks that they have in the chat', async () => {
  const chat = await open();
  const marks = await chat.page
    .locator('.pl-cmp .mono-mark')
    .evaluateAll((all) => all.map((mark) => mark.getAttribute('data-letters')));
  // Codex would be Co without Copilot, which made no try.
  assert.deepEqual(marks, ['Cl', 'Co', 'G']);
  await receive(chat, { type: 'tries', report: { ...report, tries: report.tries.slice(0, 1) }, locale: 'en', known });
  assert.equal(await chat.page.locator('.pl-cmp .mono-mark').getAttribute('data-letters'), 'Cl');
  await chat.close();
});

test('asks to take a try, a file, or a side', async () => {
  const chat = await open();
  await chat.button('Take everything from Gemini').click();
  assert.equal(await chat.button('Take everything from Claude').isDisabled(), true);
  await receive(chat, { type: 'done', words: 'Took 2 files from Gemini' });
  await chat.page.getByText('Took 2 files from Gemini').waitFor({ state: 'attached' });
  await chat.button('Take client.ts from Codex').click();
  await receive(chat, { type: 'done', words: '' });
  await chat.button('1 of 3 taken. Undo client.ts from Claude').click();
  await receive(chat, { type: 'done', words: '' });
  await openFile(chat);
  await chat.page
    .getByRole('group', { name: /^Difference 1/ })
    .getByRole('button', { name: 'Take Codex’s' })
    .click();
  await receive(chat, { type: 'done', words: '' });
  const asked = (await posted(chat)).filter(({ type }) => /^(take|undo)/.test(type));
  const pair = { path: 'src/upload/client.ts', left: claude, right: codex };
  const [first, second, third, fourth] = asked;
  assert.deepEqual(
    [first, second, third],
    [
      { type: 'take', session: gemini },
      { type: 'take', session: codex, path: pair.path },
      { type: 'undoFile', session: claude, path: pair.path },
    ],
  );
  assert.ok(fourth?.type === 'takeDifference');
  assert.deepEqual([fourth.pair, fourth.side, fourth.id], [pair, 'right', 'd0']);
  await chat.close();
});

test('moves, takes, and undoes by keyboard', async () => {
  const chat = await open();
  await receive(chat, { type: 'focusTries' });
  assert.equal(await focused(chat), 'Compare client.ts from Claude');
  const { keyboard } = chat.page;
  await keyboard.press('ArrowRight');
  assert.equal(await focused(chat), 'Compare client.ts from Codex');
  await keyboard.press('ArrowDown');
  // The next file that Codex changed.
  assert.equal(await focused(chat), 'Compare a-file-with-a-long-name-that-cannot-fit-here.bin from Codex');
  await keyboard.press('ArrowUp');
  await keyboard.press('ArrowLeft');
  await keyboard.press('Enter');
  await receive(chat, differences(claude, codex));
  assert.equal(await focused(chat), 'Difference 1 of 2, lines 5 to 6, in sendPart');
  await keyboard.press('n');
  assert.equal(await focused(chat), 'Difference 2 of 2, line 11, in wait');
  await keyboard.press('2');
  // Codex left that line as it was.
  await keyboard.press('1');
  await receive(chat, { type: 'done', words: '' });
  await keyboard.press('u');
  await receive(chat, { type: 'done', words: '' });
  await keyboard.press('o');
  await keyboard.press('Shift+N');
  await keyboard.press('Escape');
  const types = (await posted(chat)).map((one) =>
    one.type === 'takeDifference' ? `${one.type} ${one.side}` : one.type,
  );
  assert.deepEqual(types, [
    'ready',
    'compare',
    'takeDifference left',
    'undoFile',
    'openBoth',
    'compare',
    'returnToChat',
  ]);
  await chat.close();
});

test('shows its keys at the foot and in a list', async () => {
  const chat = await open();
  const foot = await chat.page.locator('.pl-rfoot .k').allInnerTexts();
  const words = foot.map((text) => text.replace(/\s+/g, ' ').trim());
  assert.deepEqual(words, ['N P next, previous', '1 2 take left, right', 'U undo', 'O open', '? all keys']);
  await chat.page.getByText('Taken: 1 file, 1 change from 1 try').waitFor();
  await receive(chat, { type: 'focusTries' });
  await chat.page.keyboard.press('?');
  const list = chat.page.getByRole('dialog', { name: 'Keys' });
  await list.getByRole('row', { name: 'Open the file in the editor O' }).waitFor();
  // Keys belong to the list while it is open.
  await chat.page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  assert.equal(await focused(chat), 'Compare client.ts from Claude');
  assert.ok((await posted(chat)).every(({ type }) => type !== 'returnToChat'));
  await chat.close();
});

test('chooses and swaps the sides of the open file', async () => {
  const chat = await open();
  await openFile(chat);
  await chat.button('Right side: Codex').click();
  await chat.page.getByRole('menuitemradio', { name: 'Start' }).click();
  await chat.button('Left side: Claude').waitFor();
  await chat.button('Swap sides').click();
  await receive(chat, differences('base', claude));
  const group = chat.page.getByRole('group', { name: /^Difference 1 of 2/ });
  await group.getByRole('button', { name: 'Take Claude’s' }).waitFor();
  await group.locator('.tk-k').first().waitFor();
  // What all tries started from can't be taken.
  assert.equal(await group.getByRole('button', { name: /^Take/ }).count(), 1);
  const asked = (await posted(chat)).flatMap((one) =>
    one.type === 'compare' ? [[one.pair.left, one.pair.right]] : [],
  );
  assert.deepEqual(asked, [
    [claude, codex],
    [claude, 'base'],
    ['base', claude],
  ]);
  await chat.close();
});

test('offers no side of tries without a common start', async () => {
  const chat = await open();
  await chat.button('Compare client.ts from Claude').click();
  const content = unrelatedDifferences(sides[claude] as TrySide, sides[codex] as TrySide, []);
  const pair = { path: 'src/upload/client.ts', left: claude, right: codex };
  await receive(chat, { type: 'differences', pair, content });
  await chat.page.getByText(/^The tries started from different versions of this file\./).waitFor();
  const group = chat.page.getByRole('group', { name: /^Difference 1 of/ });
  await group.waitFor();
  assert.equal(await group.getByRole('button', { name: /^Take/ }).count(), 0);
  await chat.page.keyboard.press('1');
  assert.ok((await posted(chat)).every(({ type }) => type !== 'takeDifference'));
  await chat.close();
});

test('shows three tries and their outcomes in full at 610 pixels', async () => {
  const chat = await open({ width: 610 });
  const cut = await chat.page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.pl-cmp-wrap, .pl-cmp .who, .pl-cmp .res .clip')]
      .filter((element) => element.scrollWidth > element.clientWidth)
      .map((element) => element.textContent.trim()),
  );
  assert.deepEqual(cut, []);
  await chat.button('Output of Gemini').click();
  const asked = (await posted(chat)).filter(({ type }) => type === 'openSession');
  assert.deepEqual(asked, [{ type: 'openSession', session: gemini }]);
  await chat.close();
});

const toCleanUp = (session: SessionKey, name: string, fields: Partial<TryToCleanUp>): TryToCleanUp => ({
  session,
  agentName: name,
  name,
  folder: `retry-uploads-${name.toLowerCase()}`,
  files: 0,
  added: 0,
  removed: 0,
  details: [],
  ...fields,
});

const listed: readonly TryToCleanUp[] = [
  toCleanUp(claude, 'Claude', {
    files: 2,
    added: 53,
    removed: 42,
    details: ['Not taken: src/upload/client.ts (in part), src/vendor/legacy-retry.js', 'Files that Git ignores: .env'],
  }),
  toCleanUp(codex, 'Codex', { files: 1, added: 66, reason: 'Still working. Stop it first, or wait.' }),
  toCleanUp(gemini, 'Gemini', { details: ['Everything is taken.'] }),
];

async function cleanUp(chat: Chat): Promise<void> {
  await chat.button('Clean up…').click();
  await receive(chat, { type: 'cleanUpList', stamp: 1, tries: listed });
  await receive(chat, { type: 'done', words: '' });
  await chat.page.getByRole('heading', { name: 'Clean up 3 tries', level: 1 }).waitFor();
}

test('deletes and keeps only what is selected in the list', async () => {
  const chat = await open();
  await cleanUp(chat);
  const { page } = chat;
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
  const states = async () =>
    Promise.all(
      ['Claude', 'Codex', 'Gemini'].map(async (name) => [await box(name).isChecked(), await box(name).isEnabled()]),
    );
  assert.deepEqual(await states(), [
    [true, true],
    [false, false],
    [true, true],
  ]);
  await page.getByText('Still working. Stop it first, or wait.').waitFor();
  await page.getByRole('group', { name: 'Delete the worktrees of 2 tries?' }).waitFor();
  assert.equal(await focused(chat), 'Claude');
  await page.keyboard.press('Space');
  await chat.button('Delete 1 worktree').waitFor();
  await box('Gemini').uncheck();
  for (const name of ['Delete 0 worktrees', 'Keep as branches'])
    assert.equal(await chat.button(name).isDisabled(), true);
  await box('Claude').check();
  await chat.button('Keep as branches').click();
  assert.equal(await chat.button('Delete 1 worktree').isDisabled(), true);
  // It couldn't be saved, so it stays in the list with the reason.
  const failed = listed.map((one, at) =>
    at === 0 ? { ...one, problem: 'Couldn’t save the worktree: no space left.' } : one,
  );
  await receive(chat, { type: 'cleanUpList', stamp: 2, tries: failed });
  await receive(chat, { type: 'done', words: 'Couldn’t save the worktree: no space left.' });
  assert.deepEqual(await states(), [
    [true, true],
    [false, false],
    [false, true],
  ]);
  await page.locator('.pl-cleanup .err').getByText('Couldn’t save the worktree: no space left.').waitFor();
  await chat.button('Delete 1 worktree').click();
  await receive(chat, { type: 'cleanUpList', stamp: 3, tries: [] });
  await receive(chat, { type: 'done', words: '' });
  await page.getByRole('heading', { name: 'Compare 3 tries', level: 1 }).waitFor();
  assert.deepEqual(
    (await posted(chat)).filter(({ type }) => type === 'cleanUp' || type === 'removeTries'),
    [
      { type: 'cleanUp' },
      { type: 'removeTries', stamp: 1, tries: [claude], way: 'keepBranches' },
      { type: 'removeTries', stamp: 2, tries: [claude], way: 'delete' },
    ],
  );
  await chat.close();
});

test('Escape leaves the list to clean up without deleting anything', async () => {
  const chat = await open();
  await cleanUp(chat);
  await chat.page.keyboard.press('Escape');
  await chat.page.getByRole('heading', { name: 'Compare 3 tries', level: 1 }).waitFor();
  assert.equal(await chat.page.evaluate(() => document.activeElement?.textContent.trim()), 'Clean up…');
  assert.deepEqual(
    (await posted(chat)).map(({ type }) => type),
    ['ready', 'cleanUp'],
  );
  await chat.close();
});

for (const width of [290, 610, 1200]) {
  test(`at ${width} px, Take is beside the whole name of its try`, async () => {
    const chat = await open({ width });
    const heads = await chat.page.locator('th.try').evaluateAll((all) =>
      all.map((head) => {
        const [name, button] = [head.querySelector('.who'), head.querySelector('.btn')];
        const [text, beside] = [name?.getBoundingClientRect(), button?.getBoundingClientRect()];
        if (!name || !text || !beside) return 'nothing';
        const isBeside = beside.left >= text.right && beside.top < text.bottom && beside.bottom > text.top;
        return `${name.scrollWidth <= name.clientWidth ? 'whole' : 'cut'}, ${isBeside ? 'beside' : 'elsewhere'}`;
      }),
    );
    assert.deepEqual(heads, Array(3).fill('whole, beside'));
    await chat.close();
  });
}

const check = async (chat: Chat) => assert.deepEqual(await smallTexts(chat), []);

testLooks(browser, [
  {
    name: 'tries',
    isOfTheme: isOfDiff,
    page: 'tries',
    widths: [290, 610],
    inTab: 1200,
    check,
    reach: async (chat) => {
      await receive(chat, { type: 'tries', report, locale: 'en', known });
      await openFile(chat);
    },
  },
  {
    name: 'tries-clean-up',
    page: 'tries',
    widths: [290],
    inTab: 1200,
    reach: async (chat) => {
      await receive(chat, { type: 'tries', report, locale: 'en', known });
      await cleanUp(chat);
      const failed =
        'Couldn’t save the worktree: A merge or a rebase isn’t finished there. Finish or abort it there first.';
      const tries = listed.map((one, at) => (at === 2 ? { ...one, problem: failed } : one));
      await receive(chat, { type: 'cleanUpList', stamp: 2, tries });
    },
  },
]);
