import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { FromWebview } from '../../src/shared/pages/messages';
import type { ReviewFile } from '../../src/shared/changes/review';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import {
  changedFile,
  changedFiles,
  changedInThreeTurns,
  listing,
  pageWithSession,
  plan,
  sessionA,
  sessionB,
  snapshot,
  userMessage,
} from './samples';

const browser = useBrowser();

async function openWith(files: readonly ReviewFile[], options: ChatOptions = {}): Promise<Chat> {
  const chat = await browser.open(options);
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, [userMessage('u1', 'Add retry to the upload client.')]));
  await tell(chat, files);
  return chat;
}

const tell = (chat: Chat, files: readonly ReviewFile[]) => chat.receive({ type: 'changes', session: sessionA, files });
const list = (chat: Chat) => chat.page.getByRole('list', { name: 'Changed files' });
const strip = (chat: Chat) => chat.page.getByRole('button', { name: /^\d+ files?/ });
const rows = async (chat: Chat) =>
  (await list(chat).getByRole('listitem').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());

/** What the page asked for about changed files, without what is the same in every message. */
async function asked(chat: Chat): Promise<string[]> {
  const all = await chat.allPosted();
  return all.flatMap((message: FromWebview) => {
    if (message.type === 'reviewChanges') return [`${message.action} ${message.scope}`];
    if (message.type === 'reviewFile') {
      return [`${message.action} ${message.uri.replace(/.*\//, '')} ${message.scope}`];
    }
    return [];
  });
}

test('lists changed files with counts until none is pending', async () => {
  const chat = await openWith([]);
  assert.equal(await list(chat).count(), 0);
  await tell(chat, changedFiles);
  assert.equal(await list(chat).count(), 1);
  assert.match((await strip(chat).innerText()).replace(/\s+/g, ' '), /^4 files ?\+126 −37/);
  assert.equal(await strip(chat).getAttribute('aria-expanded'), 'false');
  assert.deepEqual(await rows(chat), [
    'client.ts, src/upload, modified, 7 lines added, 2 lines removed',
    'retry.ts, src/upload, created, 48 lines added, you edited this too',
    'retry.test.ts, src/upload, created, 71 lines added',
    'legacy-retry.js, src/vendor, deleted, 35 lines removed',
  ]);
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { activity: { state: 'running', since: 1 } } }]);
  await chat.apply(sessionA, 1, [{ op: 'view', fields: { activity: { state: 'idle' } } }]);
  assert.equal(await list(chat).count(), 1);
  await tell(chat, changedFiles.slice(0, 1));
  assert.match((await strip(chat).innerText()).replace(/\s+/g, ' '), /^1 file ?\+7 −2/);
  await tell(chat, []);
  assert.equal(await list(chat).count(), 0);
  await chat.close();
});

test('marks guarded changes in their row and counts them when folded', async () => {
  const settings = changedFile('.vscode/settings.json', { guarded: 'editorSettings' });
  const hook = changedFile('.husky/pre-push', { guarded: 'gitHooks' });
  const chat = await openWith([settings, hook, ...changedFiles.slice(0, 1)]);
  assert.match(await strip(chat).innerText(), /2 files run programs or change permissions/);
  await strip(chat).click();
  const shown = (await rows(chat)).slice(0, 2);
  assert.match(shown[0] ?? '', /Runs programs or changes permissions/);
  assert.match(shown[1] ?? '', /Runs programs/);
  await chat.close();
});

test('shows the list between plan and queue and remembers unfolding', async () => {
  const chat = await openWith(changedFiles);
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { plans: [plan], queue: [{ id: 'q1', text: 'Then this' }] } }]);
  const order = chat.page.locator('.tray > section');
  assert.deepEqual(await order.evaluateAll((all) => all.map((section) => section.getAttribute('aria-label'))), [
    'Plan',
    'Changed files',
    'Queued messages',
  ]);
  const row = chat.page.getByRole('button', { name: /^client\.ts src\/upload/ });
  assert.equal(await row.count(), 0);
  await strip(chat).click();
  assert.equal(await row.isVisible(), true);
  assert.match((await row.getAttribute('title')) ?? '', /^src\/upload\/client\.ts$/);
  await chat.reload();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot());
  assert.equal(await list(chat).count(), 0);
  await tell(chat, changedFiles);
  assert.equal(await strip(chat).getAttribute('aria-expanded'), 'true');
  await chat.close();
});

test('does not list files of another session', async () => {
  const chat = await openWith(changedFiles);
  await chat.receive({ type: 'changes', session: sessionB, files: changedFiles.slice(0, 2) });
  assert.match(await strip(chat).innerText(), /^4 files/);
  const two = [listing(sessionB, { title: 'Docs pass' })];
  await chat.showPage(pageWithSession(two, { active: sessionB }));
  await chat.showSession(sessionB, snapshot());
  assert.equal(await list(chat).count(), 0);
  await chat.receive({ type: 'changes', session: sessionB, files: changedFiles.slice(0, 2) });
  assert.match(await strip(chat).innerText(), /^2 files/);
  await chat.close();
});

test("the strip's buttons affect all files, and a row's its file", async () => {
  const chat = await openWith(changedFiles);
  await chat.button('Review').click();
  await chat.button('Undo all').click();
  await chat.button('Keep all').click();
  await strip(chat).click();
  const row = chat.page.getByRole('button', { name: /^retry\.ts src\/upload/ });
  assert.equal(await chat.page.getByText('you edited this too', { exact: true }).isVisible(), true);
  await row.click();
  assert.equal(await chat.page.getByText('you edited this too', { exact: true }).isVisible(), false);
  await chat.message.hover();
  assert.equal(await chat.page.getByText('you edited this too', { exact: true }).isVisible(), true);
  await row.hover();
  await chat.button('Compare retry.ts').click();
  await chat.button('Undo retry.ts').click();
  await chat.button('Keep retry.ts').click();
  assert.deepEqual(await asked(chat), [
    'open session',
    'undo session',
    'keep session',
    'show retry.ts session',
    'compare retry.ts session',
    'undo retry.ts session',
    'keep retry.ts session',
  ]);
  await chat.close();
});

test('shows icons with the same names in a narrow strip', async () => {
  const chat = await openWith(changedFiles, { width: 320 });
  await chat.button('Undo all').click();
  await chat.button('Keep all').click();
  assert.deepEqual(await asked(chat), ['undo session', 'keep session']);
  const { width } = (await chat.button('Keep all').boundingBox()) ?? { width: 0 };
  assert.equal(width, 24);
  await chat.close();
});

test('shows and decides changes of several turns separately', async () => {
  const chat = await openWith(changedFiles);
  await chat.apply(sessionA, 0, [
    { op: 'insert', entry: userMessage('u2', 'Now the tests:\n500, 429 and a dead socket', 2) },
    { op: 'insert', entry: userMessage('u3', 'And jitter', 3) },
  ]);
  await strip(chat).click();
  const choice = chat.page.getByRole('combobox', { name: 'Show changes from' });
  const head = async () => (await strip(chat).innerText()).replace(/\s+/g, ' ').trim();
  assert.equal(await choice.count(), 0);
  await tell(chat, changedInThreeTurns);
  const words = (await choice.locator('option').allInnerTexts()).map((text) => text.trim());
  assert.deepEqual(words, [
    'All turns',
    'Last turn',
    'Turn 2: Now the tests: 500, 429 and a dead socket',
    'Turn 1: Add retry to the upload client.',
  ]);
  assert.equal(await choice.inputValue(), 'session');
  await choice.focus();
  await chat.page.keyboard.press('ArrowDown');
  assert.equal((await rows(chat)).length, 1);
  assert.match(await head(), /^1 file ?\+5\b/);
  await chat.button('Undo all').click();
  await chat.button('Review').click();
  await chat.page.getByRole('button', { name: /^retry\.ts src\/upload/ }).click();
  await choice.selectOption({ label: words[3] ?? '' });
  assert.match(await head(), /^3 files ?\+50 −37\b/);
  await chat.button('Keep all').click();
  await chat.page.getByRole('button', { name: /^client\.ts/ }).hover();
  await chat.button('Undo client.ts').click();
  await choice.selectOption({ label: words[2] ?? '' });
  assert.match(await head(), /^1 file ?\+71\b/);
  await chat.button('Keep all').click();
  assert.deepEqual(await asked(chat), ['undo 3', 'open 3', 'show retry.ts 3', 'keep 1', 'undo client.ts 1', 'keep 2']);
  await strip(chat).click();
  assert.equal(await chat.page.getByText('turn 2', { exact: true }).isVisible(), true);
  await chat.reload();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot());
  await tell(chat, changedInThreeTurns);
  assert.match(await head(), /^1 file ?\+71\b/);
  // What is decided is gone; then the rest is what there is to decide.
  await tell(
    chat,
    changedInThreeTurns.filter((_, at) => at !== 2),
  );
  assert.match(await head(), /^3 files ?\+55 −37\b/);
  await chat.close();
});

test('the list is one tab stop whose rows the arrows select', async () => {
  const chat = await openWith(changedFiles);
  await strip(chat).click();
  const { keyboard } = chat.page;
  const focused = () =>
    chat.page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent.trim() ?? '',
    );
  await chat.button('Undo all').focus();
  await keyboard.press('Tab');
  assert.match(await focused(), /^client\.ts/);
  await keyboard.press('ArrowDown');
  assert.match(await focused(), /^retry\.ts/);
  for (const name of ['Compare retry.ts', 'Keep retry.ts', 'Undo retry.ts']) {
    await keyboard.press('Tab');
    assert.equal(await focused(), name);
    assert.ok((await chat.button(name).evaluate((button) => button.parentElement?.clientWidth ?? 0)) >= 72);
  }
  await keyboard.press('Shift+Tab');
  await keyboard.press('ArrowDown');
  assert.equal(await focused(), 'Keep retry.test.ts');
  await keyboard.press('Enter');
  assert.deepEqual(await asked(chat), ['keep retry.test.ts session']);
  await tell(
    chat,
    changedFiles.filter(({ path }) => !path.endsWith('retry.test.ts')),
  );
  assert.equal(await focused(), 'Keep legacy-retry.js');
  await keyboard.press('Home');
  assert.equal(await focused(), 'Keep client.ts');
  await keyboard.press('End');
  await keyboard.press('Tab');
  assert.match(await focused(), /^Undo /);
  await keyboard.press('Tab');
  assert.equal(await focused(), 'Message');
  await keyboard.press('Shift+Tab');
  await tell(chat, []);
  assert.equal(await focused(), 'Message');
  await chat.close();
});

test('updates of the list never move the focus', async () => {
  const chat = await openWith(changedFiles);
  await strip(chat).click();
  await chat.message.fill('and then');
  await tell(chat, changedFiles.slice(1));
  await tell(chat, []);
  await tell(chat, changedFiles);
  await chat.page.keyboard.type(' this');
  assert.equal(await chat.message.inputValue(), 'and then this');
  await chat.close();
});

test('distinguishes equal file names and labels binary and renamed files', async () => {
  const chat = await openWith([
    changedFile('a/index.ts'),
    changedFile('b/index.ts', { status: 'renamed', session: { added: 0, removed: 0 }, others: ['Codex'] }),
    changedFile('logo.png', {
      isBinary: true,
      session: { added: 0, removed: 0 },
      hasUserText: true,
      others: ['Codex'],
    }),
  ]);
  await strip(chat).click();
  await chat.page.getByRole('button', { name: /^index\.ts b/ }).hover();
  await chat.button('Keep b/index.ts').click();
  assert.deepEqual(await asked(chat), ['keep index.ts session']);
  const names = chat.page.locator('.pl-changes .file');
  assert.match((await names.nth(1).textContent()) ?? '', /renamed, Codex edited this too/);
  assert.match((await names.nth(2).textContent()) ?? '', /modified, binary, you and Codex edited this too/);
  await chat.close();
});

test('marks a change under unsaved text, and shows a gap without changes', async () => {
  const chat = await openWith([changedFile('a/index.ts', { isUnderUnsaved: true })]);
  await strip(chat).click();
  const name = chat.page.locator('.pl-changes .file').first();
  assert.match((await name.textContent()) ?? '', /modified, .*under your unsaved text/);
  assert.match((await name.getAttribute('title')) ?? '', /Saving can report a conflict/);
  const recordedFrom = new Date(2026, 0, 1, 10, 31, 7).getTime();
  await chat.receive({ type: 'changes', session: sessionA, files: [], recordedFrom });
  const gap = chat.page.getByText(/^Recorded from .*10:31:07.*Earlier changes of this turn may be missing\.$/);
  assert.equal(await gap.isVisible(), true);
  await chat.receive({ type: 'changes', session: sessionA, files: [] });
  assert.equal(await gap.count(), 0);
  await chat.close();
});

test('scrolls 200 files in the tray; keeping one updates one row', async () => {
  const many = Array.from({ length: 200 }, (_, at) => changedFile(`src/part${at}/file${at}.ts`));
  const chat = await openWith(many);
  await strip(chat).click();
  assert.equal((await rows(chat)).length, 200);
  const sizes = await list(chat).evaluate((element) => [element.clientHeight, element.scrollHeight, innerHeight]);
  const [height = 0, content = 0, panel = 0] = sizes;
  assert.ok(height <= panel * 0.4 + 1 && content > 4000, `${height} of ${panel} px, ${content} px inside`);
  const touched = await chat.page.evaluate(
    async ([session, files]) => {
      const rowsBefore = new Set(document.querySelectorAll('.pl-changes .pl-row'));
      window.dispatchEvent(new MessageEvent('message', { data: { type: 'changes', session, files } }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const rowsAfter = [...document.querySelectorAll('.pl-changes .pl-row')];
      return [rowsAfter.length, rowsAfter.filter((row) => !rowsBefore.has(row)).length];
    },
    [sessionA, many.slice(1)] as const,
  );
  assert.deepEqual(touched, [199, 0]);
  assert.equal(await chat.hasHorizontalScroll(), false);
  await chat.close();
});
