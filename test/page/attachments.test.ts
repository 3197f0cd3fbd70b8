import { test } from 'node:test';
import assert from 'node:assert/strict';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import { testLooks } from './look';
import type { Mention, MentionKind } from '../../src/shared/pages/messages';
import { listing, pageWithSession, sessionA, sessionB, snapshot } from './samples';

const browser = useBrowser();
const files = [
  { uri: 'file:///w/src/upload/retry.ts', name: 'retry.ts', path: 'src/upload/retry.ts' },
  { uri: 'file:///w/docs/retry-notes.md', name: 'retry-notes.md', path: 'docs/retry-notes.md' },
];
const folder = { type: 'resource_link', uri: 'file:///w/src/', name: 'src' } as const;
const archive = { type: 'resource_link', uri: 'file:///w/a.zip', name: 'a.zip' } as const;
const found: readonly Mention[] = files.map(({ uri, name, path }) => ({
  id: `file:${uri}`,
  kind: 'file',
  group: 'path',
  label: name,
  detail: path.slice(0, -name.length - 1),
  icon: 'file',
  letters: [0, 1, 2],
  attachment: { type: 'resource_link', uri, name },
}));
const link = { type: 'resource_link', uri: 'file:///w/src/queue.ts#L10-L24', name: 'queue.ts' } as const;

const kindOf = (kind: MentionKind, label: string, icon: string): Mention => ({
  id: `kinds:${kind}`,
  kind,
  group: 'kinds',
  label,
  insert: `${kind}:`,
  continues: true,
  detail: `@${kind}:`,
  icon,
});
const kinds: readonly Mention[] = [
  { ...found[0], group: 'recent', letters: [] } as Mention,
  kindOf('folder', 'Folders', 'folder'),
  kindOf('commit', 'Git commits', 'git-commit'),
  kindOf('problem', 'Problems', 'warning'),
];
const problem: Mention = {
  id: 'problem:1',
  kind: 'problem',
  group: 'problem',
  label: 'Cannot find name “retries”.',
  insert: 'retry.ts:12',
  detail: 'src/upload/retry.ts:12',
  icon: 'error',
};

async function openSession(options: ChatOptions = {}) {
  const chat = await browser.open(options);
  await show(chat);
  return chat;
}

async function show(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, []));
}

const list = (chat: Chat) => chat.page.getByRole('list', { name: 'Attachments' });
const names = async (chat: Chat) => (await list(chat).getByRole('listitem').allInnerTexts()).map((text) => text.trim());
const mentions = (chat: Chat) => chat.page.getByRole('listbox', { name: 'Mentions' });

test('sends attachments with the message and only with this one', async () => {
  const chat = await openSession();
  await chat.receive({ type: 'attach', attachments: [link] });
  await chat.receive({ type: 'attach', attachments: [link] });
  assert.deepEqual(await names(chat), ['queue.ts:10–24']);
  await chat.message.fill('Look here');
  await chat.message.press('Enter');
  await chat.message.fill('And now?');
  await chat.message.press('Enter');
  assert.deepEqual(await chat.posted('sendPrompt'), [
    { type: 'sendPrompt', session: sessionA, text: 'Look here', attachments: [link] },
    { type: 'sendPrompt', session: sessionA, text: 'And now?' },
  ]);
  assert.equal(await list(chat).count(), 0);
  await chat.close();
});

test('removes attachments by keyboard and returns the cursor to the message', async () => {
  const chat = await openSession();
  await chat.receive({ type: 'attach', attachments: [link, { ...link, uri: files[0]?.uri ?? '', name: 'retry.ts' }] });
  const remove = chat.button('Remove queue.ts:10–24');
  await remove.focus();
  await remove.press('Enter');
  assert.deepEqual(await names(chat), ['retry.ts']);
  assert.equal(await chat.message.evaluate((field) => field === document.activeElement), true);
  await chat.close();
});

test('restores attachments with their draft after a reload', async () => {
  const chat = await openSession();
  await chat.message.fill('Not yet');
  await chat.receive({ type: 'attach', attachments: [link] });
  await list(chat).waitFor();
  await chat.reload();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, []));
  assert.deepEqual(await names(chat), ['queue.ts:10–24']);
  assert.equal(await chat.message.inputValue(), 'Not yet');
  await chat.close();
});

test('opens no list for a word of a draft that comes back', async () => {
  const chat = await openSession();
  const both = [listing(sessionB, { title: 'Docs pass' })];
  await chat.message.pressSequentially('see @que');
  await chat.receive({ type: 'foundMentions', query: 'que', mentions: found });
  await mentions(chat).waitFor();
  await chat.showPage(pageWithSession(both, { active: sessionB }));
  await chat.showSession(sessionB, snapshot({ title: 'Docs pass' }));
  assert.equal(await mentions(chat).count(), 0);
  await chat.showPage(pageWithSession(both));
  await chat.showSession(sessionA, snapshot({}, []));
  assert.equal(await chat.message.inputValue(), 'see @que');
  await chat.receive({ type: 'foundMentions', query: 'que', mentions: found });
  assert.equal(await mentions(chat).count(), 0);
  await chat.message.pressSequentially(' and @');
  await chat.receive({ type: 'foundMentions', query: '', mentions: found });
  await mentions(chat).waitFor();
  await chat.close();
});

test('attaches a pasted image and inserts a short pasted text', async () => {
  const chat = await openSession();
  await chat.message.focus();
  await chat.message.evaluate((field) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array([137, 80, 78, 71])], 'shot.png', { type: 'image/png' }));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await list(chat).waitFor();
  assert.deepEqual(await names(chat), ['shot.png']);
  const isLeftAlone = await chat.message.evaluate((field) => {
    const data = new DataTransfer();
    data.setData('text/plain', 'words');
    return field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  assert.equal(isLeftAlone, true);
  await chat.message.fill('What is this?');
  await chat.message.press('Enter');
  const [sent] = await chat.posted('sendPrompt');
  assert.deepEqual(sent?.attachments, [{ type: 'image', data: 'iVBORw==', mimeType: 'image/png', name: 'shot.png' }]);
  await chat.close();
});

test('requests dropped files by their addresses', async () => {
  const chat = await openSession();
  await chat.message.evaluate((field) => {
    const data = new DataTransfer();
    data.setData('text/uri-list', '# two files\r\nfile:///w/a.ts\r\nfile:///w/b%20c.ts\r\n');
    field.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  assert.deepEqual(await chat.posted('attachUris'), [
    { type: 'attachUris', uris: ['file:///w/a.ts', 'file:///w/b%20c.ts'] },
  ]);
  await chat.close();
});

test('offers files after an @, then inserts and attaches the chosen one', async () => {
  const chat = await openSession();
  await chat.message.focus();
  await chat.page.keyboard.type('See @ret');
  assert.equal((await chat.posted('findMentions')).at(-1)?.query, 'ret');
  await chat.receive({ type: 'foundMentions', query: 'r', mentions: [] });
  await chat.receive({ type: 'foundMentions', query: 'ret', mentions: found });
  await mentions(chat).waitFor();
  await chat.page.keyboard.press('ArrowDown');
  const active = await chat.message.getAttribute('aria-activedescendant');
  assert.match((await chat.page.locator(`#${active}`).textContent()) ?? '', /retry-notes\.md/);
  await chat.page.keyboard.press('Enter');
  assert.equal(await chat.message.inputValue(), 'See @retry-notes.md ');
  assert.deepEqual(await names(chat), ['retry-notes.md']);
  assert.equal(await mentions(chat).count(), 0);
  assert.equal(
    (await chat.allPosted()).some(({ type }) => type === 'sendPrompt'),
    false,
  );
  await chat.close();
});

test('deleting a mention removes its attachment, and Undo restores it', async () => {
  const chat = await openSession();
  await chat.message.focus();
  await chat.page.keyboard.type('See @ret');
  await chat.receive({ type: 'foundMentions', query: 'ret', mentions: found });
  await mentions(chat).waitFor();
  await chat.page.keyboard.press('Enter');
  await chat.receive({ type: 'attach', attachments: [link] });
  assert.deepEqual(await names(chat), ['retry.ts', 'queue.ts:10–24']);
  await chat.page.keyboard.press('Backspace');
  await chat.page.keyboard.press('Backspace');
  assert.equal(await chat.message.inputValue(), 'See @retry.t');
  await chat.page.getByText('Removed retry.ts', { exact: true }).waitFor({ state: 'attached' });
  assert.deepEqual(await names(chat), ['queue.ts:10–24']);
  await chat.page.keyboard.press('Control+z');
  assert.match(await chat.message.inputValue(), /^See @retry\.ts/);
  assert.deepEqual(await names(chat), ['queue.ts:10–24', 'retry.ts']);
  await chat.close();
});

test('attaches a kind chosen by keyboard once the host has it', async () => {
  const chat = await openSession();
  await chat.message.focus();
  await chat.page.keyboard.type('Fix @');
  await chat.receive({ type: 'foundMentions', query: '', mentions: kinds });
  await mentions(chat).waitFor();
  await chat.page.keyboard.press('ArrowUp');
  await chat.page.keyboard.press('Enter');
  assert.equal(await chat.message.inputValue(), 'Fix @problem:');
  assert.equal((await chat.posted('findMentions')).at(-1)?.query, 'problem:');
  await chat.receive({ type: 'foundMentions', query: 'problem:', mentions: [problem] });
  await mentions(chat).getByText('Cannot find name').waitFor();
  await chat.page.keyboard.press('Tab');
  assert.equal(await chat.message.inputValue(), 'Fix @retry.ts:12 ');
  assert.deepEqual(await chat.posted('takeMention'), [{ type: 'takeMention', id: problem.id }]);
  assert.equal(await list(chat).count(), 0);
  const attachment = { type: 'resource', uri: 'attachment:///p.txt', name: 'p.txt', text: 'x' } as const;
  await chat.receive({ type: 'tookMention', id: problem.id, attachments: [attachment] });
  assert.deepEqual(await names(chat), ['p.txt']);
  await chat.message.fill('');
  assert.equal(await list(chat).count(), 0);
  await chat.close();
});

test('Add Context opens the list at the cursor, kinds first', async () => {
  const chat = await openSession();
  const options = () => mentions(chat).getByRole('option').allInnerTexts();
  await chat.message.fill('Look at this');
  await chat.message.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(4, 4));
  await chat.button('Add Context').click();
  assert.equal(await chat.message.inputValue(), 'Look @ at this');
  assert.equal((await chat.posted('findMentions')).at(-1)?.query, '');
  await chat.receive({ type: 'foundMentions', query: '', mentions: kinds });
  await mentions(chat).waitFor();
  assert.match((await options()).join(), /^\s*Folders.*Git commits.*Problems.*retry\.ts/s);
  await chat.page.getByText('To drop files here, hold Shift').waitFor();
  await chat.page.keyboard.press('Escape');
  assert.equal(await mentions(chat).count(), 0);
  assert.equal(await chat.message.inputValue(), 'Look  at this');
  await chat.button('Add Context').click();
  await chat.receive({ type: 'foundMentions', query: '', mentions: kinds });
  await mentions(chat).waitFor();
  await chat.page.keyboard.press('Enter');
  assert.equal(await chat.message.inputValue(), 'Look @folder: at this');
  await chat.close();
});

test('attaches what a dialog finds without a word in the message', async () => {
  const chat = await openSession();
  const browse = { id: 'here:files', kind: 'file', group: 'kinds', label: 'Browse files…', insert: '' } as const;
  await chat.button('Add Context').click();
  await chat.receive({
    type: 'foundMentions',
    query: '',
    mentions: [{ ...browse, detail: '', icon: 'folder-opened' }],
  });
  await mentions(chat).getByRole('option', { name: 'Browse files…' }).click();
  assert.deepEqual(await chat.posted('takeMention'), [{ type: 'takeMention', id: browse.id }]);
  assert.equal(await chat.message.inputValue(), '');
  await chat.receive({ type: 'tookMention', id: browse.id, attachments: [link] });
  assert.deepEqual(await names(chat), ['queue.ts:10–24']);
  await chat.message.fill('See');
  assert.deepEqual(await names(chat), ['queue.ts:10–24']);
  await chat.close();
});

test('a drag over the page says that VS Code requires Shift', async () => {
  const chat = await openSession();
  const drag = (name: string, shiftKey: boolean) =>
    chat.page.evaluate(
      ([type, withShift]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['a'], 'a.ts'));
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, shiftKey: withShift, bubbles: true }));
      },
      [name, shiftKey] as const,
    );
  await drag('dragenter', false);
  await chat.page.getByText('Hold Shift to drop', { exact: true }).waitFor();
  await drag('dragover', true);
  await chat.page.getByText('Drop to add to the message').waitFor();
  await drag('drop', true);
  assert.equal(await chat.page.locator('.pl-drop').isVisible(), false);
  await chat.close();
});

test('shows that a kind has no results, and Enter still sends', async () => {
  const chat = await openSession();
  await chat.message.focus();
  await chat.page.keyboard.type('@commit:');
  await chat.receive({ type: 'foundMentions', query: 'commit:', mentions: [] });
  await chat.page.getByRole('status').getByText('No results').waitFor();
  await chat.page.keyboard.press('Enter');
  assert.equal((await chat.posted('sendPrompt')).at(-1)?.text, '@commit:');
  await chat.close();
});

test('marks what is sent as a link: folders and unsupported files', async () => {
  const chat = await openSession();
  await chat.receive({ type: 'attach', attachments: [link, folder] });
  const chips = list(chat).getByRole('button', { name: /sent as a link/ });
  assert.deepEqual(await chips.allInnerTexts(), ['src']);
  await chat.receive({ type: 'attach', attachments: [archive] });
  assert.deepEqual(
    (await chat.posted('findTextless')).map(({ uris }) => uris),
    [[link.uri], [archive.uri]],
  );
  await chat.receive({ type: 'foundTextless', uris: [archive.uri] });
  assert.deepEqual(await chips.allInnerTexts(), ['src', 'a.zip']);
  await list(chat).getByRole('button', { name: 'Remove a.zip' }).click();
  const page = pageWithSession();
  await chat.showPage({ ...page, sessions: page.sessions.map((session) => ({ ...session, takesLinks: true })) });
  await list(chat).getByRole('button', { name: 'queue.ts:10–24, sent as a link' }).waitFor();
  assert.deepEqual(await chips.allInnerTexts(), ['queue.ts:10–24', 'src']);
  await chat.close();
});

test('Escape closes the files for one word; e-mail addresses open none', async () => {
  const chat = await openSession();
  await chat.message.focus();
  await chat.page.keyboard.type('@re');
  await chat.receive({ type: 'foundMentions', query: 're', mentions: found });
  await mentions(chat).waitFor();
  await chat.page.keyboard.press('Escape');
  assert.equal(await mentions(chat).count(), 0);
  assert.equal(await chat.message.inputValue(), '@re');
  await chat.message.fill('');
  const before = (await chat.posted('findMentions')).length;
  await chat.page.keyboard.type('me@example.com');
  assert.equal((await chat.posted('findMentions')).length, before);
  await chat.close();
});

test("returns a message that wasn't accepted with its attachments", async () => {
  const chat = await openSession();
  await chat.receive({ type: 'promptReturned', text: 'Again', attachments: [link] });
  assert.equal(await chat.message.inputValue(), 'Again');
  assert.deepEqual(await names(chat), ['queue.ts:10–24']);
  await chat.close();
});

testLooks(browser, [
  {
    name: 'mention-kinds',
    widths: [290, 1200],
    reach: async (chat) => {
      await show(chat);
      await chat.receive({ type: 'attach', attachments: [folder, archive] });
      await chat.receive({ type: 'foundTextless', uris: [archive.uri] });
      await chat.message.focus();
      await chat.page.keyboard.type('Fix @');
      await chat.receive({ type: 'foundMentions', query: '', mentions: [...found, ...kinds, problem] });
      await mentions(chat).waitFor();
    },
  },
  {
    name: 'attachments',
    widths: [290, 1200],
    reach: async (chat) => {
      await show(chat);
      const many = files.map(({ uri, name }) => ({ type: 'resource_link', uri, name }) as const);
      const image = { type: 'image', data: 'iVBORw==', mimeType: 'image/png', name: 'shot.png' } as const;
      await chat.receive({ type: 'attach', attachments: [link, ...many, image] });
      await chat.message.focus();
      await chat.page.keyboard.type('See @ret');
      await chat.receive({ type: 'foundMentions', query: 'ret', mentions: found });
      await mentions(chat).waitFor();
    },
  },
  {
    name: 'mentions',
    reach: async (chat) => {
      await show(chat);
      await chat.receive({
        type: 'attach',
        attachments: [{ type: 'resource_link', uri: 'file:///w/src/', name: 'src' }],
      });
      await chat.message.focus();
      await chat.page.keyboard.type('See @');
      await chat.receive({ type: 'foundMentions', query: '', mentions: [...found.slice(0, 1), ...kinds, problem] });
      await mentions(chat).waitFor();
    },
  },
]);
