import { test } from 'node:test';
import assert from 'node:assert/strict';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import { testLooks } from './look';
import { pageWithSession, sessionA, snapshot } from './samples';

const browser = useBrowser();
const files = [
  { uri: 'file:///w/src/upload/retry.ts', name: 'retry.ts', path: 'src/upload/retry.ts' },
  { uri: 'file:///w/docs/retry-notes.md', name: 'retry-notes.md', path: 'docs/retry-notes.md' },
];
const link = { type: 'resource_link', uri: 'file:///w/src/queue.ts#L10-L24', name: 'queue.ts' } as const;

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

test('what is added goes along with the message, and only with this one', async () => {
  const chat = await openSession();
  await chat.button('Add Context').click();
  assert.equal((await chat.posted('addContext')).length, 1);
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

test('each can be removed by keyboard, and the text cursor is back in the message', async () => {
  const chat = await openSession();
  await chat.receive({ type: 'attach', attachments: [link, { ...link, uri: files[0]?.uri ?? '', name: 'retry.ts' }] });
  const remove = chat.button('Remove queue.ts:10–24');
  await remove.focus();
  await remove.press('Enter');
  assert.deepEqual(await names(chat), ['retry.ts']);
  assert.equal(await chat.message.evaluate((field) => field === document.activeElement), true);
  await chat.close();
});

test('with a draft attachments outlive a reload of the page', async () => {
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

test('an image that is pasted goes along; a short text that is pasted is text', async () => {
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

test('files that are dropped are asked for by their addresses', async () => {
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

test('behind an @ files are offered; the chosen one stands in the text and goes along', async () => {
  const chat = await openSession();
  await chat.message.focus();
  await chat.page.keyboard.type('See @ret');
  assert.equal((await chat.posted('findFiles')).at(-1)?.query, 'ret');
  await chat.receive({ type: 'foundFiles', query: 'r', files: [] });
  await chat.receive({ type: 'foundFiles', query: 'ret', files });
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

test('Escape closes the files for this word, and an address of a person asks for none', async () => {
  const chat = await openSession();
  await chat.message.focus();
  await chat.page.keyboard.type('@re');
  await chat.receive({ type: 'foundFiles', query: 're', files });
  await mentions(chat).waitFor();
  await chat.page.keyboard.press('Escape');
  assert.equal(await mentions(chat).count(), 0);
  assert.equal(await chat.message.inputValue(), '@re');
  await chat.message.fill('');
  const before = (await chat.posted('findFiles')).length;
  await chat.page.keyboard.type('me@example.com');
  assert.equal((await chat.posted('findFiles')).length, before);
  await chat.close();
});

test('a message that was not taken comes back with what went along', async () => {
  const chat = await openSession();
  await chat.receive({ type: 'promptReturned', text: 'Again', attachments: [link] });
  assert.equal(await chat.message.inputValue(), 'Again');
  assert.deepEqual(await names(chat), ['queue.ts:10–24']);
  await chat.close();
});

testLooks(browser, [
  {
    name: 'attachments',
    reach: async (chat) => {
      await show(chat);
      const many = files.map(({ uri, name }) => ({ type: 'resource_link', uri, name }) as const);
      const image = { type: 'image', data: 'iVBORw==', mimeType: 'image/png', name: 'shot.png' } as const;
      await chat.receive({ type: 'attach', attachments: [link, ...many, image] });
      await chat.message.focus();
      await chat.page.keyboard.type('See @ret');
      await chat.receive({ type: 'foundFiles', query: 'ret', files });
      await mentions(chat).waitFor();
    },
  },
]);
