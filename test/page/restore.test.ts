import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import type { RestoreFile, RestorePreview } from '../../src/shared/changes/review';
import type { Entry, SessionView } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import { testLooks } from './look';
import { agentMessage, pageWithSession, sessionA, snapshot, userMessage } from './samples';
import { longMarkdown } from './transcriptSamples';

const browser = useBrowser();
const first = 'u1' as EntryId;
const second = 'u2' as EntryId;

const entries: readonly Entry[] = [
  userMessage('u1', 'Uploads fail now and then on slow links. Add retry with backoff to the upload client.'),
  agentMessage('a1', 'The retry is in one place now, with jitter.'),
  userMessage('u2', 'Also retry when the socket dies', 2),
  agentMessage('a2', 'A dead socket counts as a failure now, and is tried again.', 2),
];

function restoreFile(path: string, fields: Partial<RestoreFile> = {}): RestoreFile {
  const counts = { added: 4, removed: 12 };
  return { uri: `file:///home/me/harbor/${path}`, path, action: 'write', counts, isBinary: false, ...fields };
}

const files: readonly RestoreFile[] = [
  restoreFile('src/upload/client.ts'),
  restoreFile('src/upload/retry.ts', { action: 'delete', counts: { added: 0, removed: 48 } }),
  restoreFile('src/vendor/legacy-retry-with-a-long-name.js', { action: 'create', counts: { added: 35, removed: 0 } }),
  restoreFile('package.json', { counts: { added: 1, removed: 2 }, conflict: 'editedSince' }),
  restoreFile('media/logo.png', { isBinary: true, conflict: 'editedBetween' }),
];

const preview = (fields: Partial<RestorePreview> = {}): RestorePreview => ({
  entry: second,
  files,
  unrecorded: [],
  ...fields,
});

async function open(options: ChatOptions = {}, view: Partial<SessionView> = {}): Promise<Chat> {
  const chat = await browser.open(options);
  await show(chat, view);
  return chat;
}

async function show(chat: Chat, view: Partial<SessionView> = {}): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot(view, entries));
  await chat.receive({ type: 'checkpoints', session: sessionA, entries: [first, second], changed: [] });
}

const message = (chat: Chat, at: number) => chat.page.getByRole('article', { name: 'You' }).nth(at);
const group = (chat: Chat) => chat.page.getByRole('group', { name: 'Restore files' });
const field = (chat: Chat) => chat.page.getByRole('textbox', { name: 'Edited message' });
const act = (chat: Chat, at: number, name: string) => message(chat, at).getByRole('button', { name, exact: true });

async function openPreview(chat: Chat, answer = preview()): Promise<void> {
  await message(chat, 1).hover();
  await act(chat, 1, 'Restore files to this point').click();
  await chat.receive({ type: 'restorePreview', session: sessionA, preview: answer });
}

async function openEdit(chat: Chat, at = 1, answer: RestorePreview | 'none' = preview()): Promise<void> {
  await message(chat, at).hover();
  await act(chat, at, 'Edit message').click();
  if (answer !== 'none') await chat.receive({ type: 'restorePreview', session: sessionA, preview: answer });
}

const rows = (chat: Chat) =>
  group(chat)
    .getByRole('listitem')
    .evaluateAll((all) => all.map((row) => (row as HTMLElement).innerText.replace(/\s+/g, ' ').trim()));

test('offers restoring files only if the host can restore some', async () => {
  const chat = await open();
  await chat.receive({ type: 'checkpoints', session: sessionA, entries: [first], changed: [] });
  assert.deepEqual(
    await Promise.all(
      [0, 1].map(async (at) =>
        message(chat, at)
          .locator('.acts button')
          .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
      ),
    ),
    [
      ['Edit message', 'Restore files to this point', 'More for this message'],
      ['Edit message', 'More for this message'],
    ],
  );
  await message(chat, 0).hover();
  await message(chat, 0).getByRole('button', { name: 'More for this message' }).click();
  assert.deepEqual(await chat.page.getByRole('menuitem').allInnerTexts(), [
    'Copy',
    'Copy turn as Markdown',
    'Copy link to turn',
    'Save as prompt',
  ]);
  await chat.close();
});

test("previews each file's change and restores the chosen ones", async () => {
  const chat = await open();
  await openPreview(chat);
  assert.deepEqual(await chat.posted('previewRestore'), [{ type: 'previewRestore', session: sessionA, entry: second }]);
  assert.deepEqual(await rows(chat), [
    'client.ts src/upload +4 −12 will be restored',
    'retry.ts src/upload −48 will be deleted',
    'legacy-retry-with-a-long-name.js src/vendor +35 will be recreated',
    'package.json +1 −2 unchanged You edited this file after the agent did',
    'logo.png media binary unchanged You edited this file between the turns being undone',
  ]);
  assert.match(
    await group(chat).innerText(),
    /3 files will be restored to how they were before this message\. You can undo this\./,
  );
  const box = group(chat).getByRole('checkbox', { name: /package\.json/ });
  assert.equal(await box.isChecked(), false);
  await box.check();
  assert.match(await group(chat).innerText(), /4 files will be restored/);
  await group(chat).getByRole('button', { name: 'Compare package.json' }).click();
  assert.deepEqual(await chat.posted('compareRestore'), [
    { type: 'compareRestore', session: sessionA, entry: second, uri: files[3]?.uri },
  ]);
  await group(chat).getByRole('button', { name: 'Restore', exact: true }).click();
  // It is at work, and takes no second click.
  await group(chat).getByRole('button', { name: 'Restore', exact: true }).click({ force: true });
  assert.deepEqual(await chat.posted('restore'), [
    { type: 'restore', session: sessionA, entry: second, overwrite: [files[3]?.uri] },
  ]);
  await chat.receive({ type: 'restored', session: sessionA, entry: second, sentence: 'Restored 4 files' });
  assert.equal(await group(chat).count(), 0);
  assert.equal(await message(chat, 1).evaluate((element) => element === document.activeElement), true);
  await chat.page.getByText('Restored 4 files').waitFor({ state: 'attached' });
  await chat.close();
});

test('shows newly found conflicts unticked before restoring anything', async () => {
  const chat = await open();
  await openPreview(chat);
  await group(chat).getByRole('checkbox').first().check();
  await group(chat).getByRole('button', { name: 'Restore', exact: true }).click();
  await chat.receive({ type: 'restorePreview', session: sessionA, preview: preview({ files: files.slice(3) }) });
  assert.equal(await group(chat).getByRole('checkbox').first().isChecked(), false);
  assert.match(await group(chat).innerText(), /Select the files to restore\./);
  assert.equal(await group(chat).getByRole('button', { name: 'Restore', exact: true }).isDisabled(), true);
  await chat.close();
});

test('lists files without a record and announces stopping a turn', async () => {
  const chat = await open({}, { activity: { state: 'running', since: Date.now() } });
  const unrecorded = Array.from({ length: 8 }, (_, at) => `build/big-${at}.bin`);
  await openPreview(chat, preview({ unrecorded }));
  const text = await group(chat).innerText();
  assert.match(text, /these won’t be restored: build\/big-0\.bin, .*big-4\.bin and 3 more/);
  assert.match(text, /This stops the current turn\./);
  await chat.close();
});

test('works by keyboard, and Escape returns the focus to the message', async () => {
  const chat = await open();
  const { keyboard } = chat.page;
  const focused = () => chat.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  await message(chat, 1).focus();
  await keyboard.press('Tab');
  assert.equal(await focused(), 'Edit message');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  assert.equal(await focused(), 'Restore files');
  await chat.receive({ type: 'restorePreview', session: sessionA, preview: preview() });
  await keyboard.press('Tab');
  assert.equal(await focused(), 'Compare client.ts');
  for (let at = 0; at < 3; at++) await keyboard.press('Tab');
  await keyboard.press('Space');
  assert.match(await group(chat).innerText(), /4 files will be restored/);
  await keyboard.press('Escape');
  assert.equal(await group(chat).count(), 0);
  assert.equal(await focused(), 'Restore files to this point');
  await keyboard.press('Shift+Tab');
  await keyboard.press('Shift+Tab');
  assert.equal(await message(chat, 1).evaluate((element) => element === document.activeElement), true);
  // One tab stop per message that is not used: behind the last answer comes the composer.
  assert.equal(await message(chat, 0).locator('.acts button[tabindex="0"]').count(), 0);
  await chat.close();
});

test('edits the text in place, names its destination, sends with Enter', async () => {
  const chat = await open();
  const before = await message(chat, 1).locator('.pl-user p').boundingBox();
  await openEdit(chat);
  assert.equal(await field(chat).inputValue(), 'Also retry when the socket dies');
  const top = await field(chat).evaluate(
    (element) => element.getBoundingClientRect().top + parseFloat(getComputedStyle(element).paddingTop),
  );
  assert.ok(Math.abs(top - (before?.y ?? 0)) < 1, `the text moved by ${top - (before?.y ?? 0)} px`);
  const notes = await message(chat, 1).innerText();
  assert.match(notes, /3 files will be restored to how they were before this message\. You can undo this\./);
  assert.match(notes, /Starts a new session with Claude, which receives the earlier messages as text\./);
  await chat.page.keyboard.press('Shift+Enter');
  await field(chat).pressSequentially('and say so');
  await chat.page.keyboard.press('Enter');
  assert.deepEqual(await chat.posted('restore'), [
    {
      type: 'restore',
      session: sessionA,
      entry: second,
      overwrite: [],
      text: 'Also retry when the socket dies\nand say so',
    },
  ]);
  await chat.close();
});

test('sends an edited message without restoring its files, by keyboard', async () => {
  const chat = await open();
  await openEdit(chat);
  await message(chat, 1).getByRole('button', { name: 'Send without restoring' }).press('Enter');
  assert.deepEqual(await chat.posted('restore'), [
    {
      type: 'restore',
      session: sessionA,
      entry: second,
      overwrite: [],
      text: 'Also retry when the socket dies',
      keepFiles: true,
    },
  ]);
  await chat.close();
});

test("a command opens a message's form with focus, text or files", async () => {
  const chat = await open();
  const place = { type: 'openRestore', session: sessionA, entry: second } as const;
  await chat.receive({ ...place, mode: 'edit', keepsFiles: true });
  await field(chat).waitFor();
  assert.equal(await field(chat).evaluate((one) => one === document.activeElement), true);
  assert.doesNotMatch(await message(chat, 1).innerText(), /Checking files/);
  await field(chat).fill('Another text');
  // Text that was typed stays when the command is used again, for the files this time.
  await chat.receive({ ...place, mode: 'restore' });
  await group(chat).waitFor();
  assert.deepEqual(await chat.posted('previewRestore'), [{ type: 'previewRestore', session: sessionA, entry: second }]);
  await chat.receive({ ...place, mode: 'edit', keepsFiles: true });
  assert.equal(await field(chat).inputValue(), 'Another text');
  await field(chat).press('Enter');
  assert.deepEqual(await chat.posted('restore'), [
    { type: 'restore', session: sessionA, entry: second, overwrite: [], text: 'Another text', keepFiles: true },
  ]);
  await chat.close();
});

test('says that the agent returns to the message, if it can', async () => {
  const chat = await open();
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { canRewind: true } }]);
  await openEdit(chat);
  const notes = await message(chat, 1).innerText();
  assert.match(notes, /Claude returns to this message\. A copy of the session keeps the later ones\./);
  assert.doesNotMatch(notes, /new session/);
  await chat.close();
});

test('only resends a message if there are no files to restore', async () => {
  const chat = await open();
  await chat.receive({ type: 'checkpoints', session: sessionA, entries: [], changed: [] });
  await openEdit(chat, 0, 'none');
  const text = await message(chat, 0).innerText();
  assert.match(text, /Starts a new session with Claude\./);
  assert.doesNotMatch(text, /receives the earlier|will be restored/);
  assert.equal(await message(chat, 0).getByRole('button', { name: 'Restore and send' }).count(), 0);
  await message(chat, 0).getByRole('button', { name: 'Send', exact: true }).click();
  assert.equal((await chat.posted('restore')).length, 1);
  await chat.close();
});

test("sends nothing before the preview or during an input method's composition", async () => {
  const chat = await open();
  await openEdit(chat, 1, 'none');
  await chat.page.keyboard.press('Enter');
  await chat.receive({ type: 'restorePreview', session: sessionA, preview: preview() });
  await field(chat).evaluate((element) => {
    const key = (init: KeyboardEventInit) =>
      element.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }));
    key({ key: 'Enter', isComposing: true });
    key({ key: 'Escape', isComposing: true });
  });
  assert.equal(await field(chat).count(), 1);
  assert.equal(
    (await chat.allPosted()).some(({ type }) => type === 'restore'),
    false,
  );
  await chat.page.keyboard.press('Escape');
  assert.equal(await field(chat).count(), 0);
  assert.equal(await act(chat, 1, 'Edit message').evaluate((element) => element === document.activeElement), true);
  await chat.close();
});

test('keeps an edited text when the session is shown again', async () => {
  const chat = await open();
  await openEdit(chat);
  await field(chat).fill('Something else');
  await chat.showSession(sessionA, snapshot({}, entries));
  assert.equal(await field(chat).inputValue(), 'Something else');
  await chat.close();
});

test('the notice of a restore undoes it and loses its button', async () => {
  const chat = await open();
  const notice = {
    id: 'n1' as EntryId,
    turn: 2,
    kind: 'notice',
    severity: 'info',
    title: 'Restored 3 files',
  } as const;
  await chat.apply(sessionA, 0, [{ op: 'insert', entry: { ...notice, restore: 'undoable' } }]);
  await chat.button('Undo restore').click();
  assert.deepEqual(await chat.posted('undoRestore'), [{ type: 'undoRestore', session: sessionA, entry: notice.id }]);
  await chat.apply(sessionA, 1, [{ op: 'replace', entry: { ...notice, title: 'Undid the restore', restore: 'over' } }]);
  assert.equal(await chat.button('Undo restore').count(), 0);
  assert.match(await chat.page.getByRole('article', { name: 'Notice' }).innerText(), /Undid the restore/);
  await chat.close();
});

test('brings the notice of a restore into view from an early message', async () => {
  const chat = await browser.open({ height: 500 });
  const long = [...entries, agentMessage('a3', longMarkdown(12_000), 2)];
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, long));
  await chat.receive({ type: 'checkpoints', session: sessionA, entries: [first, second], changed: [] });
  await chat.page.getByRole('feed').hover();
  await chat.page.mouse.wheel(0, -100_000);
  await chat.still();
  await openPreview(chat, preview({ files: files.slice(0, 1) }));
  await group(chat).getByRole('button', { name: 'Restore', exact: true }).focus();
  const before = await chat.page.$eval('.pl-feed', (feed) => feed.scrollTop);
  await chat.page.keyboard.press('Enter');
  await chat.posted('restore');
  await chat.receive({ type: 'restored', session: sessionA, entry: second, sentence: 'Restored 1 file' });
  await chat.apply(sessionA, 0, [
    {
      op: 'insert',
      entry: {
        id: 'n1' as EntryId,
        turn: 2,
        kind: 'notice',
        severity: 'info',
        title: 'Restored 1 file',
        restore: 'undoable',
      },
    },
  ]);
  await chat.still();
  const { y, height } = (await chat.button('Undo restore').boundingBox()) ?? { y: -1, height: 0 };
  const feed = await chat.page.getByRole('feed').boundingBox();
  assert.ok(feed && y >= feed.y && y + height <= feed.y + feed.height, `${y}`);
  const focused = await chat.page.evaluate(() => document.activeElement?.textContent ?? '');
  assert.match(focused, /^Restored 1 file\s*Undo restore\s*$/);
  await chat.button('Back to where you were').click();
  await chat.still();
  const after = await chat.page.$eval('.pl-feed', (element) => element.scrollTop);
  assert.ok(Math.abs(after - before) < 200, `${after} was ${before}`);
  await chat.close();
});

test("the tour's last notice leads to an agent or adding one", async () => {
  const chat = await open();
  const notice = { id: 'n1' as EntryId, turn: 2, kind: 'notice', severity: 'info', title: 'Ready?' } as const;
  await chat.apply(sessionA, 0, [{ op: 'insert', entry: { ...notice, offer: 'agent' } }]);
  await chat.button('New session with Claude').click();
  assert.deepEqual(await chat.posted('startAgent'), [{ type: 'startAgent', agent: 'settings:Claude' }]);
  await chat.button('Add Agent…').click();
  assert.deepEqual(await chat.posted('errorAction'), [
    { type: 'errorAction', session: sessionA, entry: notice.id, action: 'addAgent' },
  ]);
  await chat.close();
});

testLooks(browser, [
  {
    name: 'restore-preview',
    widths: [240, 290, 1200],
    reach: async (chat) => {
      await show(chat);
      await openPreview(chat, preview({ unrecorded: ['build/big.bin'] }));
      await group(chat).getByRole('checkbox').first().check();
    },
    again: (chat) => message(chat, 1).hover(),
  },
  {
    name: 'restore-edit',
    widths: [240, 290, 1200],
    reach: async (chat) => {
      await show(chat);
      await openEdit(chat);
    },
  },
]);
