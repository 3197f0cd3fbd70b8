import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentId, SessionKey } from '../../src/shared/values/ids';
import type { SessionRow } from '../../src/shared/pages/sessionRows';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import { testLooks } from './look';
import { listing, pageWithSession, sessionA, sessionB, snapshot, userMessage } from './samples';
import { manyRows, row, sampleRows, tryRows } from './sessionRowSamples';

const browser = useBrowser();
/** The middle of a day, so that hours ago is the same day. */
const now = new Date(2026, 10, 26, 16, 0).getTime();

async function open(rows: readonly SessionRow[], options: ChatOptions = {}): Promise<Chat> {
  const chat = await browser.open({ time: now, ...options });
  await chat.showPage(pageWithSession([listing(sessionB)], { host: options.host ?? 'view' }));
  await chat.showSession(sessionA, snapshot({}, [userMessage('u1', 'Hello')]));
  await chat.receive({ type: 'showSessions' });
  await chat.posted('watchSessions');
  await chat.receive({ type: 'sessions', rows, ends: [], deleted: 0 });
  return chat;
}

const list = (chat: Chat) => chat.page.getByRole('listbox', { name: 'Sessions' });
const options = (chat: Chat) => list(chat).getByRole('option');
/** What a screen reader says about a row, which is all of its text. */
const spoken = async (chat: Chat, at: number) => {
  const text = (await options(chat).nth(at).textContent()) ?? '';
  return text.replace(/\s+/g, ' ').replaceAll(' ,', ',').trim();
};
const search = (chat: Chat) => chat.page.getByRole('searchbox', { name: 'Search sessions' });
const titles = (chat: Chat) =>
  chat.page.locator('.pl-sess').evaluateAll((rows) => rows.map((row) => row.getAttribute('title')));

async function openWithKeys(rows: readonly SessionRow[]): Promise<Chat> {
  const chat = await open(rows);
  await search(chat).press('ArrowDown');
  return chat;
}

const activeName = (chat: Chat) => chat.page.locator('.pl-sess.active').getAttribute('title');

test('sessions are in sections, those that wait for you first', async () => {
  const chat = await open(sampleRows(now));
  const groups = await list(chat)
    .getByRole('group')
    .evaluateAll((all) => all.map((group) => group.getAttribute('aria-label')));
  assert.deepEqual(groups, ['Needs you', 'Working', 'Pinned', 'Today', 'Earlier']);
  const waiting = 'Docs pass, Wants to run a command, Gemini, this folder, 2 min';
  assert.equal(await spoken(chat, 0), waiting);
  const running = 'Retry flaky uploads, Working, Claude, retry-uploads, 4 files to review, 4 min';
  assert.equal(await spoken(chat, 1), running);
  const started = 'Find flaky uploads in the logs, started by Claude, open, Codex, harbor, 3 min';
  assert.equal(await spoken(chat, 2), started);
  assert.equal(await spoken(chat, 4), 'Release checklist, pinned, closed, Claude, harbor, Nov 17');
  assert.deepEqual(await chat.accessibilityProblems(), []);
  await chat.close();
});

test('tries of one task are a group below its message', async () => {
  const chat = await openWithKeys([row('other', { at: now }), ...tryRows(now)]);
  assert.deepEqual(await titles(chat), ['Port the CLI to ESM', 'Claude', 'Codex', 'Session other']);
  const levels = await options(chat).evaluateAll((all) => all.map((one) => one.getAttribute('data-level')));
  assert.deepEqual(levels, [null, '1', '1', null]);
  assert.equal(await spoken(chat, 0), 'Port the CLI to ESM, 2 tries: 1 done, 1 working, Compare');
  assert.equal(await spoken(chat, 1), 'Claude, a try of the task above, Check passed, Opus 5, +126 −37, 6 min');
  assert.equal(await spoken(chat, 2), 'Codex, a try of the task above, Working, gpt-5.2, 6 min');
  assert.deepEqual(await chat.accessibilityProblems(), []);
  await chat.close();
});

test('the group of tries opens their comparison, and nothing else', async () => {
  const chat = await openWithKeys(tryRows(now));
  const keys = chat.page.keyboard;
  await keys.press('Home');
  assert.equal(await activeName(chat), 'Port the CLI to ESM');
  await keys.press('Delete');
  await keys.press('F2');
  await keys.press('Space');
  await keys.press('Shift+F10');
  await keys.press('Enter');
  await list(chat).getByText('Compare').click();
  const compare = { type: 'compareTries', task: 'task-esm' };
  assert.deepEqual(await chat.posted('compareTries'), [compare, compare]);
  const others = (await chat.allPosted()).filter(({ type }) => ['changeRows', 'openRow', 'renameRow'].includes(type));
  assert.deepEqual(others, []);
  // With Shift, only the tries are selected.
  await keys.press('Shift+End');
  await chat.page.getByRole('toolbar').getByText('2 selected').waitFor();
  await chat.close();
});

test('a try that is alone in the list has its title', async () => {
  const chat = await open(tryRows(now).slice(0, 1));
  assert.deepEqual(await titles(chat), ['Port the CLI to ESM']);
  assert.equal(await spoken(chat, 0), 'Port the CLI to ESM, Check passed, Claude, parley/esm-1, 6 min');
  await chat.close();
});

for (const width of [290, 420]) {
  test(`at ${width} px, a row has two lines, without half a letter`, async () => {
    const chat = await open([...sampleRows(now), ...tryRows(now)], { width, height: 1400 });
    const rows = await options(chat).evaluateAll((all) =>
      all.map((one) => {
        const line = one.querySelector('.t2')?.getBoundingClientRect() ?? new DOMRect();
        const parts = [...one.querySelectorAll<HTMLElement>('.t2 > .part')].map((part) => {
          const box = part.getBoundingClientRect();
          const isShown = box.top < line.bottom - 1;
          return { isShown, isWhole: box.right <= line.right + 0.5 && part.scrollWidth <= part.clientWidth };
        });
        return {
          name: one.getAttribute('title'),
          height: one.getBoundingClientRect().height,
          first: getComputedStyle(one.querySelector('.t2 > .part') ?? one).textOverflow,
          shown: parts.filter(({ isShown }) => isShown).length,
          cut: parts.slice(1).filter(({ isShown, isWhole }) => isShown && !isWhole).length,
          // What has left is at the end.
          isInOrder: parts.every(({ isShown }, at) => isShown || parts.slice(at).every((part) => !part.isShown)),
        };
      }),
    );
    assert.ok(rows.length > 12);
    for (const { name, height, first, shown, cut, isInOrder } of rows) {
      assert.deepEqual([name, height, first, shown > 0, cut, isInOrder], [name, 48, 'ellipsis', true, 0, true]);
    }
    const shownIn = (title: string) => rows.find(({ name }) => name === title)?.shown;
    assert.equal(shownIn('Retry flaky uploads'), width === 290 ? 3 : 4);
    await chat.close();
  });
}

test('a search shows matching titles at once', async () => {
  const chat = await open(sampleRows(now));
  await search(chat).fill('esLINT');
  assert.deepEqual(await titles(chat), ['Bump eslint to 10']);
  assert.deepEqual((await chat.posted('searchSessions')).at(-1), { type: 'searchSessions', text: 'esLINT' });
  await search(chat).press('Escape');
  assert.equal(await search(chat).inputValue(), '');
  // The list opens without the last search.
  await search(chat).fill('esLINT');
  await chat.receive({ type: 'uncoverSession' });
  await chat.receive({ type: 'showSessions' });
  assert.equal(await search(chat).inputValue(), '');
  assert.ok((await titles(chat)).length > 1);
  await chat.close();
});

test('words said in a conversation are shown with their sentence', async () => {
  const chat = await open(sampleRows(now));
  await search(chat).fill('backoff');
  const found = [{ id: 'esm', entry: 'e7', sentence: 'The backoff starts at 1 s.' }];
  await chat.posted('searchSessions');
  await chat.receive({ type: 'foundSessions', text: 'backoff', found: found as never });
  assert.match((await chat.page.locator('.pl-sess .said').textContent()) ?? '', /The backoff starts at 1 s\.$/);
  assert.equal(await chat.page.locator('.pl-sess .said b').textContent(), 'backoff');
  await options(chat).click();
  assert.deepEqual(await chat.posted('openRow'), [{ type: 'openRow', id: 'esm', entry: 'e7' }]);
  await chat.close();
});

test('renaming covers only the title of the row', async () => {
  const first = row('one', { title: 'Fix the sums', at: now });
  const below = row('two', { title: 'Fix the sums', at: now - 60_000, askedBy: 'key-one' as SessionKey });
  const chat = await openWithKeys([first, below]);
  await chat.page.setViewportSize({ width: 290, height: 500 });
  for (const at of [0, 1]) {
    if (at > 0) await chat.page.keyboard.press('ArrowDown');
    await chat.page.keyboard.press('F2');
    const covered = await options(chat)
      .nth(at)
      .evaluate((option) => {
        const field = document.querySelector('.rename')?.getBoundingClientRect() ?? new DOMRect();
        const parts = [...option.querySelectorAll(':scope > .nm, :scope > :first-child, .part')].slice(0, 3);
        return parts.map((part) => {
          const { left, right, top, bottom } = part.getBoundingClientRect();
          return left < field.right && right > field.left && top < field.bottom && bottom > field.top;
        });
      });
    assert.deepEqual(covered, [false, true, false]);
    await chat.page.keyboard.press('Escape');
  }
  await chat.close();
});

test('keys open, rename, and delete a session', async () => {
  const chat = await openWithKeys(sampleRows(now));
  const keys = chat.page.keyboard;
  await keys.press('ArrowDown');
  assert.equal(await activeName(chat), 'Retry flaky uploads');
  await keys.press('F2');
  await keys.type('Retry uploads');
  await keys.press('Enter');
  assert.deepEqual(await chat.posted('renameRow'), [{ type: 'renameRow', id: 'retry', title: 'Retry uploads' }]);
  await keys.press('Delete');
  assert.deepEqual(await chat.posted('changeRows'), [{ type: 'changeRows', ids: ['retry'], change: 'delete' }]);
  await keys.press('Home');
  await keys.press('Enter');
  assert.deepEqual(await chat.posted('openRow'), [{ type: 'openRow', id: 'docs' }]);
  await keys.press('/');
  assert.equal(await search(chat).evaluate((field) => field === document.activeElement), true);
  await chat.close();
});

test("a row's menu brings changes of a worktree, reviews it, and exports", async () => {
  const actions = ['bringChanges', 'reviewWorktree', 'rename', 'pin', 'archive', 'close', 'delete'] as const;
  const chat = await openWithKeys([
    row('tree', { place: 'here', state: 'idle', at: now, actions }),
    row('plain', { place: 'here', state: 'idle', title: 'Elsewhere', at: now - 1 }),
  ]);
  const keys = chat.page.keyboard;
  const bring = chat.page.getByRole('menuitem', { name: 'Bring changes here' });
  await keys.press('End');
  assert.equal(await activeName(chat), 'Elsewhere');
  await keys.press('Shift+F10');
  await chat.page.getByRole('menuitem', { name: 'Rename' }).waitFor();
  assert.equal(await bring.count(), 0);
  await keys.press('Escape');
  await keys.press('Home');
  await keys.press('Shift+F10');
  await bring.click();
  assert.deepEqual(await chat.posted('bringChanges'), [{ type: 'bringChanges', session: 'key-tree' }]);
  await keys.press('Shift+F10');
  await chat.page.getByRole('menuitem', { name: 'Ask another agent to review…' }).click();
  assert.deepEqual(await chat.posted('reviewWorktree'), [{ type: 'reviewWorktree', session: 'key-tree' }]);
  await keys.press('Shift+F10');
  await chat.page.getByRole('menuitem', { name: 'Export…' }).click();
  assert.deepEqual(await chat.posted('exportRow'), [{ type: 'exportRow', session: 'key-tree' }]);
  await chat.close();
});

test('several sessions are archived together', async () => {
  const chat = await openWithKeys(manyRows(5, now));
  await chat.page.keyboard.press('Shift+ArrowDown');
  await chat.page.keyboard.press('Shift+ArrowDown');
  await chat.page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click();
  assert.deepEqual((await chat.posted('changeRows'))[0]?.ids, ['many-0', 'many-1', 'many-2']);
  await chat.close();
});

test('deleted sessions can be brought back while the notice shows', async () => {
  const chat = await open(manyRows(2, now));
  await chat.receive({ type: 'sessionsChanged', rows: [], removed: ['many-0'], ends: [], deleted: 1 });
  assert.deepEqual(await titles(chat), ['Task 1']);
  await chat.button('Undo').click();
  assert.equal((await chat.posted('undoDelete')).length, 1);
  await chat.close();
});

test('rows stay under the pointer while sessions change', async () => {
  const rows = manyRows(8, now);
  const chat = await open(rows);
  await options(chat).nth(3).hover();
  const changed = [row('new', { title: 'New one', at: now + 1000 }), { ...rows[5], state: 'needsYou' } as SessionRow];
  await chat.receive({ type: 'sessionsChanged', rows: changed, removed: [], ends: [], deleted: 0 });
  const before = rows.map(({ title }) => title);
  assert.deepEqual(await titles(chat), before);
  assert.match((await options(chat).nth(5).textContent()) ?? '', /Waiting for you/);
  await search(chat).hover();
  await chat.page.waitForFunction(() => document.querySelectorAll('.pl-sess').length === 9);
  assert.deepEqual((await titles(chat)).slice(0, 2), ['Task 5', 'New one']);
  await chat.close();
});

test('of 500 sessions, those in sight are drawn', async () => {
  const chat = await open(manyRows(500, now), { height: 700 });
  const count = await options(chat).count();
  assert.ok(count > 10 && count < 60, `${count} rows are drawn`);
  await list(chat).focus();
  await chat.page.keyboard.press('End');
  assert.equal(await activeName(chat), 'Task 499');
  assert.equal(await chat.page.locator('.pl-sess.active').getAttribute('aria-setsize'), '500');
  const inSight = await chat.page.locator('.pl-sess.active').evaluate((element) => {
    const scroller = element.closest('.scroll');
    if (!scroller) return false;
    return element.getBoundingClientRect().bottom <= scroller.getBoundingClientRect().bottom;
  });
  assert.ok(inSight);
  await chat.close();
});

test('a filter shows the sessions of one agent', async () => {
  const chat = await open(sampleRows(now));
  await chat.button('Filter').click();
  await chat.page.getByRole('menuitemradio', { name: 'Agent: Codex' }).click();
  assert.deepEqual(await titles(chat), [
    'Find flaky uploads in the logs',
    'Bump eslint to 10',
    'Nightly timeout',
    'Port the CLI to ESM',
  ]);
  await chat.button('Remove filter Codex').click();
  assert.ok((await titles(chat)).length > 3);
  await chat.close();
});

test('filters by state and folder are combined', async () => {
  const rows = [...sampleRows(now), row('web', { title: 'Fix the menu', folder: 'web', state: 'running', at: now })];
  const chat = await open(rows);
  const filter = async (name: string) => {
    await chat.button('Filter').click();
    await chat.page.getByRole('menuitemradio', { name }).click();
  };
  await filter('Working');
  assert.deepEqual(await titles(chat), ['Fix the menu', 'Retry flaky uploads', 'Temporal migration']);
  await filter('Folder: web');
  assert.deepEqual(await titles(chat), ['Fix the menu']);
  await chat.close();
});

test('archived sessions are folded', async () => {
  const chat = await open(sampleRows(now));
  assert.ok(!(await titles(chat)).includes('First try'));
  await chat.button('Show 1 archived session').click();
  assert.ok((await titles(chat)).includes('First try'));
  await chat.close();
});

test('the list closes when the page shows the chosen session', async () => {
  const chat = await open(sampleRows(now));
  await options(chat).nth(3).click();
  await chat.showPage(pageWithSession([listing(sessionB)], { active: sessionB }));
  await chat.receive({ type: 'uncoverSession' });
  assert.equal(await list(chat).count(), 0);
  assert.equal((await chat.posted('watchSessions')).at(-1)?.isOn, false);
  assert.equal(await chat.message.evaluate((field) => field === document.activeElement), true);
  await chat.close();
});

for (const message of [
  { type: 'uncoverSession' },
  { type: 'focusComposer' },
  { type: 'focusRequest' },
  { type: 'addDraft', text: 'Look', attachments: [] },
  { type: 'tookPrompt', text: 'Look' },
  { type: 'attach', attachments: [] },
  { type: 'openFind' },
  { type: 'stepTurn', by: -1 },
] as const) {
  test(`the list closes for ${message.type}`, async () => {
    const chat = await open(sampleRows(now));
    assert.equal((await chat.posted('watchSessions')).at(-1)?.coversSession, true);
    await chat.receive(message);
    assert.equal(await list(chat).count(), 0);
    assert.deepEqual((await chat.posted('watchSessions')).at(-1), { type: 'watchSessions', isOn: false });
    await chat.close();
  });
}

test('the list stays when the session below it ends', async () => {
  const chat = await open(sampleRows(now));
  await chat.showPage(pageWithSession([listing(sessionB)], { active: sessionB }));
  assert.equal(await list(chat).count(), 1);
  await chat.close();
});

test('beside the conversation, the list covers nothing', async () => {
  const chat = await open(sampleRows(now), { host: 'editor', width: 1200 });
  assert.equal((await chat.posted('watchSessions')).at(-1)?.coversSession, undefined);
  await chat.page.setViewportSize({ width: 600, height: 500 });
  await chat.page.waitForFunction(() => document.querySelector('.pl-in')?.getAttribute('data-sessions') === 'page');
  assert.equal((await chat.posted('watchSessions')).at(-1)?.coversSession, true);
  await chat.close();
});

test('an opened list has no rows of agents that it had before', async () => {
  const chat = await open(sampleRows(now));
  assert.ok((await titles(chat)).includes('Find the leak'));
  await chat.page.keyboard.press('Escape');
  await chat.receive({ type: 'showSessions' });
  assert.ok((await titles(chat)).includes('Explain the cache keys'));
  assert.ok(!(await titles(chat)).includes('Find the leak'));
  await chat.close();
});

test('in a wide editor tab, the list is beside the conversation', async () => {
  const chat = await open(sampleRows(now), { host: 'editor', width: 1200 });
  const box = await chat.page.locator('.pl-sessview').boundingBox();
  assert.equal(box?.width, 248);
  await options(chat).nth(3).click();
  await chat.showPage(pageWithSession([listing(sessionB)], { active: sessionB, host: 'editor' }));
  await chat.receive({ type: 'uncoverSession' });
  assert.equal(await list(chat).count(), 1);
  await chat.message.fill('still here');
  await chat.close();
});

test('a dialog closes for the session that is opened', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot());
  await chat.page.keyboard.press('?');
  const dialog = chat.page.getByRole('dialog', { name: 'Keys in the chat' });
  assert.equal(await dialog.isVisible(), true);
  await chat.receive({ type: 'uncoverSession' });
  assert.equal(await dialog.isVisible(), false);
  await chat.close();
});

test('the title opens the list and renames the session', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot());
  await chat.button('Retry flaky uploads').click();
  await chat.page.getByRole('menuitem', { name: 'Rename' }).click();
  await chat.page.getByRole('textbox', { name: 'Session name' }).fill('Uploads');
  await chat.page.keyboard.press('Enter');
  const renamed = { type: 'renameSession', session: sessionA, title: 'Uploads' };
  assert.deepEqual(await chat.posted('renameSession'), [renamed]);
  await chat.button('Retry flaky uploads').click();
  await chat.page.getByRole('menuitem', { name: 'All sessions' }).click();
  assert.equal(await search(chat).evaluate((field) => field === document.activeElement), true);
  await chat.page.keyboard.press('Escape');
  assert.equal(await list(chat).count(), 0);
  await chat.close();
});

test('the row below the message offers to use the place', async () => {
  const chat = await browser.open();
  const folder = { name: 'harbor', path: '/home/me/harbor', isHere: true, branch: 'retry' };
  const page = pageWithSession();
  await chat.showPage({ ...page, sessions: page.sessions.map((one) => ({ ...one, folder })) });
  await chat.showSession(sessionA, snapshot());
  await chat.button('Where: In this folder').click();
  await chat.page.getByRole('menuitem', { name: 'Copy path' }).click();
  await chat.button('Where: In this folder').click();
  await chat.page.getByRole('menuitem', { name: 'Move to worktree…' }).click();
  assert.deepEqual(await chat.posted('useFolder'), [
    { type: 'useFolder', session: sessionA, action: 'copyPath' },
    { type: 'useFolder', session: sessionA, action: 'moveToWorktree' },
  ]);
  await chat.close();
});

test('a narrow page offers to bring and review a worktree’s changes', async () => {
  const chat = await browser.open({ width: 290 });
  const folder = {
    name: 'harbor',
    path: '/home/me/harbor.worktrees/retry',
    branch: 'parley/retry',
    isWorktree: true as const,
    canBring: true as const,
    canReview: true as const,
  };
  const page = pageWithSession();
  await chat.showPage({ ...page, sessions: page.sessions.map((one) => ({ ...one, folder })) });
  await chat.showSession(sessionA, snapshot());
  const chip = chat.button('Where: In parley/retry');
  await chip.click();
  await chat.page.getByRole('menuitem', { name: 'Bring changes here' }).click();
  assert.deepEqual(await chat.posted('useFolder'), [{ type: 'useFolder', session: sessionA, action: 'bringChanges' }]);
  await chat.button('Add Context').click();
  await chat.page.getByRole('menuitem', { name: 'Ask another agent to review…' }).click();
  assert.deepEqual(await chat.posted('reviewWorktree'), [{ type: 'reviewWorktree', session: sessionA }]);
  await chat.close();
});

test('the folder of an own copy says so, and opens nothing there', async () => {
  const chat = await browser.open();
  const path = '/storage/copies/0123456789ab/files/harbor';
  const folder = { name: 'harbor', path, branch: 'main', isCopy: true as const, canBring: true as const };
  const page = pageWithSession();
  await chat.showPage({ ...page, sessions: page.sessions.map((one) => ({ ...one, folder })) });
  await chat.showSession(sessionA, snapshot({ sandbox: 'ownCopy' }));
  await chat.button('Sandbox: own copy').waitFor();
  await chat.button('Where: In its own copy').click();
  const items = await chat.page.getByRole('menuitem').allInnerTexts();
  assert.deepEqual(
    items.map((text) => text.trim()),
    ['Bring changes here', 'Fetch branch…', 'Discard copy…', 'Copy path'],
  );
  await chat.page.getByRole('menuitem', { name: 'Fetch branch…' }).click();
  assert.deepEqual(await chat.posted('useFolder'), [{ type: 'useFolder', session: sessionA, action: 'fetchBranch' }]);
  await chat.close();
});

test('offers no merge in a worktree that Parley did not make', async () => {
  const chat = await browser.open();
  const folder = { name: 'harbor', path: '/home/me/mine', branch: 'side', isWorktree: true as const };
  const page = pageWithSession();
  await chat.showPage({ ...page, sessions: page.sessions.map((one) => ({ ...one, folder })) });
  await chat.showSession(sessionA, snapshot());
  await chat.button('Where: In side').click();
  const items = await chat.page.getByRole('menuitem').allInnerTexts();
  assert.deepEqual(
    items.map((item) => item.trim()),
    ['Commit and keep branch…', 'Open folder', 'Open in terminal', 'Copy path'],
  );
  await chat.close();
});

testLooks(browser, [
  {
    name: 'sessions',
    time: now,
    reach: async (chat, host) => {
      await chat.showPage(pageWithSession([listing(sessionB)], { host }));
      await chat.showSession(sessionA, snapshot({}, [userMessage('u1', 'Hello')]));
      await chat.receive({ type: 'showSessions' });
      const ends = [{ agentId: 'settings:OpenCode' as AgentId, agentName: 'OpenCode', state: 'ask' as const }];
      await chat.receive({ type: 'sessions', rows: [...sampleRows(now), ...tryRows(now)], ends, deleted: 1 });
    },
    widths: [290, 420],
    inTab: 1200,
  },
]);
