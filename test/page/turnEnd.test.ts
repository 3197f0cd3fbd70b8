import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId } from '../../src/shared/values/ids';
import type { Entry } from '../../src/shared/transcript/transcript';
import type { ReviewFile } from '../../src/shared/changes/review';
import type { TurnSummary } from '../../src/shared/amounts/turnSummary';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import {
  agentMessage,
  changedFile,
  changedFiles,
  listing,
  pageWithSession,
  plan,
  sessionA,
  snapshot,
  toolCall,
  userMessage,
} from './samples';

/* The line at the end of a turn. */

const browser = useBrowser();

const endedAt = Date.UTC(2026, 2, 4, 12, 30);
const full: TurnSummary = {
  startedAt: endedAt - 134_000,
  endedAt,
  model: 'Opus 4.5 with the long context',
  tokens: { total: 15_200, input: 12_000, output: 3200 },
  cost: { amount: 0.1234, currency: 'USD' },
};
const plain: TurnSummary = { startedAt: endedAt - 6000, endedAt };
const ended = (entry: Entry, turnSummary: TurnSummary) => ({ ...entry, turnSummary }) as Entry;
const entries: readonly Entry[] = [
  userMessage('u1', 'How do we retry?', 1),
  ended(agentMessage('a1', 'With a growing delay.', 1), full),
  userMessage('u2', 'How often?', 2),
  ended(agentMessage('a2', 'Four times.', 2), plain),
  userMessage('u3', 'Who decided that?', 3),
  agentMessage('a3', 'Nobody knows.', 3),
];
const stopped: Entry = { kind: 'notice', id: 'n1' as EntryId, turn: 1, severity: 'info', title: 'Stopped' };
const failure: Entry = {
  kind: 'error',
  id: 'e3' as EntryId,
  turn: 3,
  code: 'promptFailed',
  title: 'Claude couldn’t answer',
  cause: 'The server didn’t respond.',
  actions: ['sendAgain', 'showLog'],
};
const broken: readonly Entry[] = [
  userMessage('u1', 'How do we retry?', 1),
  ended(stopped, { ...full, brokenBy: 'stopped' }),
  userMessage('u2', 'How often?', 2),
  ended(agentMessage('a2', 'Four times.', 2), { startedAt: endedAt, brokenBy: 'cutOff' }),
  userMessage('u3', 'Who decided that?', 3),
  ended(failure, { ...full, brokenBy: 'failed' }),
];

async function show(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, entries));
  await chat.page.getByText('Nobody knows.').waitFor();
}

async function showBroken(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, broken));
  await chat.page.getByText('The server didn’t respond.').waitFor();
}

/** Each line is below its entry and has one row, and nothing of it is cut off but names. */
async function fits(chat: Chat, width: number): Promise<void> {
  for (const line of await chat.page.locator('.pl-turn-end').all()) {
    const { isWhole, isBelow, height } = await line.evaluate((one) => ({
      isWhole: one.scrollWidth <= one.clientWidth,
      isBelow: one === [...(one.parentElement?.querySelectorAll(':scope > :not(.acts)') ?? [])].at(-1),
      height: one.getBoundingClientRect().height,
    }));
    assert.ok(isWhole, `at ${width} px, the line is too long`);
    assert.ok(isBelow, `at ${width} px, the line isn't below its entry`);
    assert.ok(height < 24, `at ${width} px, the line is ${height} px high`);
  }
}

const widths = [240, 290, 1200];
testLooks(browser, [
  { name: 'turn-end', height: 600, widths, reach: show, check: fits },
  { name: 'turn-end-broken', height: 640, widths, reach: showBroken, check: fits },
]);

/** Shows the notice that a reviewer changed a file, as it is after a reload: without knowing yet what waits for review. */
async function showChangedByReviewer(chat: Chat): Promise<(files: readonly ReviewFile[]) => Promise<void>> {
  await chat.showPage(pageWithSession());
  const title = 'Codex changed 1 file although it only reviews';
  const notice: Entry = { kind: 'notice', id: 'n1' as EntryId, turn: 1, severity: 'warning', title, hasChanges: true };
  await chat.showSession(sessionA, snapshot({}, [userMessage('u1', 'Review this', 1), notice]));
  await chat.page.getByText(title).waitFor();
  return (files) => chat.receive({ type: 'changes', session: sessionA, files });
}

test('a reviewer’s notice offers nothing once its changes are decided', async () => {
  const chat = await browser.open();
  const tell = await showChangedByReviewer(chat);
  const undo = chat.page.getByRole('button', { name: 'Undo changes', exact: true });
  assert.equal(await undo.count(), 0);
  await tell(changedFiles.slice(0, 1));
  await undo.focus();
  await tell([]);
  // The focus stays in the transcript.
  await chat.page.locator('.pl-line:focus', { hasText: 'Codex changed 1 file' }).waitFor();
  assert.equal(await chat.page.locator('.pl-line').getByRole('button').count(), 0);
  await chat.close();
});

test('undoes what a reviewer changed, by key from its notice', async () => {
  const chat = await browser.open();
  const tell = await showChangedByReviewer(chat);
  await tell(changedFiles.slice(0, 1));
  const button = (name: string) => chat.page.getByRole('button', { name, exact: true });
  await button('Show changes').focus();
  await chat.page.keyboard.press('Enter');
  await chat.page.keyboard.press('Tab');
  await chat.page.keyboard.press('Enter');
  const review = { type: 'reviewChanges', session: sessionA, scope: 'session' };
  assert.deepEqual(await chat.posted('reviewChanges'), [
    { ...review, action: 'open' },
    { ...review, action: 'undo' },
  ]);
  await chat.close();
});

test('a stopped, cut-off, or failed turn shows this first', async () => {
  const chat = await browser.open({ width: 600, height: 700 });
  await showBroken(chat);
  const long = 'Opus 4.5 with the long context, 2 m 14 s, 15.2k tokens (12k input, 3.2k output), $0.12';
  for (const name of [`Stopped, Claude, ${long}`, 'Cut off, Claude', `Failed, Claude, ${long}`]) {
    await chat.page.getByRole('note', { name: `Turn ended: ${name}`, exact: true }).waitFor();
  }
  // A notice with the same word is directly above.
  assert.deepEqual(await chat.page.locator('.pl-turn-end .how').allInnerTexts(), ['Cut off', 'Failed']);
});

test('keeps the end of a turn below a toggled tool call', async () => {
  const chat = await browser.open({ width: 600, height: 700 });
  await chat.showPage(pageWithSession());
  const content = [{ type: 'content', content: { type: 'text', text: 'the output' } }] as const;
  const call = toolCall('t1', { title: 'Look around', status: 'completed', content: [...content] });
  await chat.showSession(sessionA, snapshot({}, [userMessage('u1', 'Look', 1), ended(call, plain)]));
  const line = chat.page.getByRole('note', { name: 'Turn ended: Claude, 6 s', exact: true });
  await line.waitFor();
  const head = chat.page.getByRole('button', { name: /Look around/ });
  for (let times = 0; times < 2; times++) {
    await head.click();
    await chat.still();
    await fits(chat, 600);
    assert.equal(await line.count(), 1);
  }
  await chat.close();
});

test("shows a finished turn's agent, model, time, tokens, and cost", async () => {
  const chat = await browser.open({ width: 600, height: 700 });
  await show(chat);
  const lines = chat.page.locator('article .pl-turn-end');
  assert.equal(await lines.count(), 2);
  const long = chat.page.getByRole('note', {
    name: 'Turn ended: Claude, Opus 4.5 with the long context, 2 m 14 s, 15.2k tokens (12k input, 3.2k output), $0.12',
    exact: true,
  });
  const words = await long.locator('span:visible').allInnerTexts();
  assert.deepEqual(words, ['Claude', 'Opus 4.5 with the long context', '2 m 14 s', '15.2k tokens', '$0.12']);
  assert.match((await long.getAttribute('title')) ?? '', /^Ended .*2026/);
  await chat.page.getByRole('note', { name: 'Turn ended: Claude, 6 s', exact: true }).waitFor();
  await chat.page.setViewportSize({ width: 290, height: 700 });
  assert.deepEqual(await long.locator('span:visible').allInnerTexts(), [
    'Opus 4.5 with the long context',
    '2 m 14 s',
    '15.2k',
    '$0.12',
  ]);
});

test("shows the line at the turn's end, below later text", async () => {
  const chat = await browser.open({ width: 420, height: 700 });
  await show(chat);
  const last = chat.page.locator('article', { hasText: 'Nobody knows.' });
  assert.equal(await last.locator('.pl-turn-end').count(), 0);
  const { rev } = snapshot({}, entries);
  const [entry] = entries.slice(-1);
  assert.ok(entry);
  await chat.apply(sessionA, rev, [{ op: 'summarize', id: entry.id, summary: plain }]);
  await last.locator('.pl-turn-end').waitFor();
  await chat.apply(sessionA, rev + 1, [
    { op: 'appendContent', id: entry.id, content: { type: 'text', text: 'Except me.' } },
  ]);
  await last.getByText('Except me.').waitFor();
  const inOrder = await last.evaluate((one) => one.querySelector('.pl-turn-end + :not(.acts)') === null);
  assert.ok(inOrder, 'text is below the line');
});

/** A turn that changed a file and ran a command, whose change waits for review. */
async function showChanged(chat: Chat): Promise<void> {
  const edit = toolCall('e', {
    toolKind: 'edit',
    title: 'Edit a.ts',
    status: 'completed',
    content: [{ type: 'diff', path: '/home/me/harbor/a.ts', oldText: 'a\nb\n', newText: 'a\nc\nd\n' }],
  });
  const run = toolCall('r', { status: 'completed', rawInput: { command: 'npm test' } });
  const answer = ended(agentMessage('a1', 'Done.', 1), full);
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, [userMessage('u1', 'Retry', 1), edit, run, answer]));
  await chat.receive({ type: 'changes', session: sessionA, files: [changedFile('a.ts')] });
  await chat.page.getByRole('group', { name: 'End of turn' }).getByRole('button', { name: 'Review' }).waitFor();
}

testLooks(browser, [{ name: 'turn-end-changed', height: 600, widths: [290, 1200], reach: showChanged }]);

test('one row says what a turn changed, with its buttons', async () => {
  const chat = await browser.open({ width: 420 });
  await showChanged(chat);
  const end = chat.page.getByRole('group', { name: 'End of turn' });
  assert.match((await end.locator('.what').innerText()).replace(/\s+/g, ' '), /^Changed 1 file \+2 −1 ?·? ?\$0\.12$/);
  const buttons = await end
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent));
  assert.deepEqual(buttons, ['Review', 'Commit…', 'More']);
  await end.getByRole('button', { name: 'Commit…' }).click();
  assert.deepEqual(await chat.posted('commit'), [{ type: 'commit', session: sessionA, turn: 1 }]);
  await end.getByRole('button', { name: 'Review' }).click();
  const choose = async (name: string) => {
    await end.getByRole('button', { name: 'More' }).click();
    await chat.page.getByRole('menuitem', { name, exact: true }).click();
  };
  for (const name of ['Keep all', 'Undo all', 'Second opinion…', 'Copy turn as Markdown']) await choose(name);
  assert.deepEqual(
    (await chat.posted('reviewChanges')).map(({ action, scope }) => [action, scope]),
    ['open', 'keep', 'undo', 'ask'].map((action) => [action, 1]),
  );
  assert.equal((await chat.posted('copyMarkdown'))[0]?.scope, 'turn');
  await end.getByRole('button', { name: 'More' }).click();
  await chat.page.locator('.pl-menu .foot', { hasText: /Opus 4.5 with the long context · 2 m 14 s/ }).waitFor();
  // A command changed two more, which no diff shows.
  const paths = ['/home/me/harbor/b.ts', '/home/me/harbor/c.ts', '/home/me/harbor/a.ts'];
  await chat.receive({ type: 'checkpoints', session: sessionA, entries: [], changed: [{ turn: 1, count: 3, paths }] });
  await end.getByText('Changed 3 files', { exact: true }).waitFor();
  // Nothing is left to review.
  await chat.receive({ type: 'changes', session: sessionA, files: [] });
  await end.getByRole('button', { name: 'Review' }).waitFor({ state: 'detached' });
  await end.getByRole('button', { name: 'Commit…' }).waitFor();
  await chat.close();
});

test('the row takes back an undo of all where it was asked', async () => {
  const chat = await browser.open({ width: 290 });
  await showChanged(chat);
  const end = chat.page.getByRole('group', { name: 'End of turn' });
  await end.getByRole('button', { name: 'Review' }).focus();
  await chat.receive({ type: 'changes', session: sessionA, files: [], redo: { files: 1, turn: 1 } });
  await end.getByText('Undid the changes in 1 file').waitFor();
  assert.equal(await chat.page.locator('.pl-redo').count(), 0);
  assert.equal(await end.getByRole('button', { name: 'Commit…' }).count(), 0);
  await chat.page.getByText('Undid the changes in 1 file').nth(1).waitFor({ state: 'attached' });
  // The focus is where it was.
  await chat.page.keyboard.press('Enter');
  assert.deepEqual(await chat.posted('reviewChanges'), [
    { type: 'reviewChanges', session: sessionA, action: 'redo', scope: 1 },
  ]);
  await chat.receive({ type: 'changes', session: sessionA, files: [changedFile('a.ts')] });
  await end.getByRole('button', { name: 'Review' }).and(chat.page.locator(':focus')).waitFor();
  await end.getByText('Changed 1 file').waitFor();
  await chat.close();
});

test('the tray takes back an undo that no row shows', async () => {
  const chat = await browser.open({ width: 290 });
  await showChanged(chat);
  await chat.receive({ type: 'changes', session: sessionA, files: [], redo: { files: 3, turn: 0 } });
  const strip = chat.page.getByRole('region', { name: 'Undone changes' });
  await strip.getByText('Undid the changes in 3 files').waitFor();
  await strip.getByRole('button', { name: 'Redo' }).click();
  assert.deepEqual(await chat.posted('reviewChanges'), [
    { type: 'reviewChanges', session: sessionA, action: 'redo', scope: 'session' },
  ]);
  await chat.receive({ type: 'changes', session: sessionA, files: [] });
  await strip.waitFor({ state: 'detached' });
  await chat.close();
});

test('the tray doesn’t repeat what the end of the turn shows', async () => {
  const chat = await browser.open({ width: 420 });
  await showChanged(chat);
  const strip = chat.page.getByRole('region', { name: 'Changed files' });
  assert.equal(await strip.count(), 0);
  // Its list stays for screen readers, and a menu entry brings it back with its buttons.
  assert.equal(await chat.page.getByRole('list', { name: 'Changed files' }).getByRole('listitem').count(), 1);
  await chat.page.getByRole('group', { name: 'End of turn' }).getByRole('button', { name: 'More' }).click();
  await chat.page.getByRole('menuitem', { name: 'Show changed files' }).click();
  await strip
    .getByRole('button', { name: /^1 file/ })
    .and(chat.page.locator(':focus'))
    .waitFor();
  await chat.page.keyboard.press('Enter');
  await strip.waitFor({ state: 'detached' });
  // Changes of an earlier turn aren't in the row, and neither is a warning.
  const both = {
    ...changedFile('a.ts'),
    turns: [
      { turn: 1, added: 1, removed: 0 },
      { turn: 4, added: 1, removed: 0 },
    ],
  };
  await chat.receive({ type: 'changes', session: sessionA, files: [both] });
  await strip.waitFor();
  await chat.receive({ type: 'changes', session: sessionA, files: [{ ...changedFile('a.ts'), guarded: 'gitHooks' }] });
  await strip.waitFor();
  await chat.receive({ type: 'changes', session: sessionA, files: [changedFile('a.ts')] });
  await strip.waitFor({ state: 'detached' });
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { activity: { state: 'running', since: endedAt } } }]);
  await strip.waitFor();
  await chat.close();
});

test('that the agent is done is the last word of a turn', async () => {
  const chat = await browser.open({ width: 420 });
  const edits = ['a', 'b', 'c', 'd', 'e'].map((name) =>
    toolCall(`e${name}`, {
      toolKind: 'edit',
      title: `Edit ${name}.ts`,
      status: 'completed',
      content: [{ type: 'diff', path: `/home/me/harbor/${name}.ts`, oldText: 'a\n', newText: 'b\n' }],
    }),
  );
  const running = { activity: { state: 'running', since: endedAt }, agentName: 'Ada' } as const;
  await chat.showPage(pageWithSession([], { sessions: [{ ...listing(sessionA), agentName: 'Ada' }] }));
  const planEntry: Entry = { kind: 'plan', id: 'p1' as EntryId, turn: 1, planId: plan.planId };
  assert.ok(plan.type === 'items');
  const done = { ...plan, items: plan.items.map((item) => ({ ...item, status: 'completed' as const })) };
  const before = [userMessage('u1', 'Retry', 1), planEntry, ...edits];
  await chat.showSession(sessionA, snapshot({ ...running, plans: [plan] }, before));
  await chat.page.getByRole('region', { name: 'Plan' }).waitFor();
  // Everything that screen readers are told from here on, in its order.
  await chat.page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const live = '[aria-live], [role=status], [role=alert]';
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(live);
        const added = target instanceof Element ? [...target.querySelectorAll(live)] : [];
        for (const one of region ? [region] : added) if (one.textContent) said.push(one.textContent.trim());
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
  const answer = agentMessage('a1', 'Done.', 1);
  await chat.apply(sessionA, 0, [
    { op: 'view', fields: { plans: [done] } },
    { op: 'insert', entry: answer },
    { op: 'view', fields: { activity: { state: 'idle' }, queue: [], suggestions: ['Run the tests'] } },
    { op: 'summarize', id: answer.id, summary: full },
  ]);
  const files = ['a', 'b', 'c', 'd', 'e'].map((name) => changedFile(`${name}.ts`));
  await chat.receive({ type: 'changes', session: sessionA, files });
  await chat.receive({ type: 'checkpoints', session: sessionA, entries: ['u1' as EntryId], changed: [] });
  await chat.page.getByText('Ada is done: changed 5 files', { exact: true }).waitFor({ state: 'attached' });
  // The plan has left with the turn, and the tray doesn't repeat its row.
  assert.equal(await chat.page.getByRole('region', { name: 'Plan' }).count(), 0);
  assert.equal(await chat.page.getByText('All done').count(), 0);
  assert.equal(await chat.page.getByRole('region', { name: 'Changed files' }).count(), 0);
  // What would still be waiting comes when the announcement leaves the page.
  const polite = chat.page.locator('.pl-speech [aria-live=polite]');
  await polite.and(chat.page.locator(':empty')).waitFor({ state: 'attached' });
  const said = await chat.page.evaluate(() => (window as unknown as { readonly said: readonly string[] }).said);
  assert.equal(said.at(-1), 'Ada is done: changed 5 files');
  await chat.close();
});

test('offers to bring changes at the end of the last turn', async () => {
  const chat = await browser.open({ width: 420 });
  const ran = (id: string, turn: number) => ({
    ...toolCall(id, {
      toolKind: 'edit',
      status: 'completed',
      content: [{ type: 'diff', path: '/home/me/harbor/a.ts', oldText: 'a\n', newText: 'b\n' }],
    }),
    turn,
  });
  const folder = {
    name: 'fix',
    path: '/home/me/harbor.worktrees/fix',
    branch: 'parley/fix',
    isWorktree: true as const,
  };
  const page = pageWithSession();
  const showFolder = (canBring: boolean) => {
    const own = canBring ? { ...folder, canBring: true as const } : folder;
    return chat.showPage({ ...page, sessions: page.sessions.map((one) => ({ ...one, folder: own })) });
  };
  await showFolder(false);
  const first = [userMessage('u1', 'Fix it', 1), ran('r1', 1), ended(agentMessage('a1', 'Done.', 1), plain)];
  const second = [userMessage('u2', 'And this', 2), ran('r2', 2), ended(agentMessage('a2', 'Done too.', 2), plain)];
  await chat.showSession(sessionA, snapshot({}, [...first, ...second]));
  await chat.page.locator('.pl-turn-end.row').nth(1).waitFor();
  const bring = chat.button('Bring changes here');
  assert.equal(await bring.count(), 0);
  await showFolder(true);
  await chat.page
    .locator('article', { hasText: 'Done too.' })
    .getByRole('button', { name: 'Bring changes here' })
    .click();
  assert.equal(await bring.count(), 1);
  assert.deepEqual(await chat.posted('useFolder'), [{ type: 'useFolder', session: sessionA, action: 'bringChanges' }]);
  const { rev } = snapshot({}, [...first, ...second]);
  await chat.apply(sessionA, rev, [{ op: 'view', fields: { activity: { state: 'running', since: endedAt } } }]);
  await bring.waitFor({ state: 'detached' });
  await chat.close();
});

test("an answer's actions cover nothing of the line below it", async () => {
  const chat = await browser.open({ width: 290, height: 600 });
  await show(chat);
  const answer = chat.page.locator('article', { hasText: 'With a growing delay.' });
  await answer.hover();
  await answer.getByRole('button', { name: 'Copy answer' }).waitFor();
  const covered = await answer.evaluate((article) => {
    const acts = article.querySelector('.acts')?.getBoundingClientRect();
    const parts = [...article.querySelectorAll('.pl-turn-end > span')].map((span) => span.getBoundingClientRect());
    return acts && Math.max(...parts.map(({ right }) => right)) > acts.left;
  });
  assert.equal(covered, false);
  await chat.close();
});

test("counts subagents' tokens, and lists models in the tooltip", async () => {
  const chat = await browser.open({ width: 600, height: 700 });
  await chat.showPage(pageWithSession());
  const opus = { model: 'opus', total: 9000, input: 8000, output: 1000 };
  const haiku = { model: 'haiku', total: 3000, input: 2900, output: 100 };
  const own = { total: 9000, input: 8000, output: 1000 };
  const end = (tokens: TurnSummary['tokens'] & object): TurnSummary => ({ startedAt: endedAt, tokens });
  await chat.showSession(
    sessionA,
    snapshot({}, [
      userMessage('u1', 'Look', 1),
      ended(agentMessage('a1', 'Well.', 1), end({ ...own, models: [opus, haiku] })),
      userMessage('u2', 'Again', 2),
      ended(agentMessage('a2', 'Fine.', 2), end({ ...own, models: [opus] })),
    ]),
  );
  const lines = chat.page.locator('.pl-turn-end');
  await chat.page.getByText('Fine.').waitFor();
  assert.equal(
    await lines.first().getAttribute('title'),
    [
      'Claude',
      '12k tokens (10.9k input, 1.1k output)',
      'Without subagents and compaction: 9k tokens (8k input, 1k output)',
      'opus: 9k tokens (8k input, 1k output)',
      'haiku: 3k tokens (2.9k input, 100 output)',
    ].join('\n'),
  );
  assert.equal(await lines.last().innerText(), 'Claude\nopus\n9k tokens');
  await chat.close();
});
