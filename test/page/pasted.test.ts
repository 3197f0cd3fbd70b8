import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser, type Chat } from './chat';
import { pageWithSession, sessionA, snapshot } from './samples';

const browser = useBrowser();
const code = ['export function retry() {', '  return 3;', '}', ''].join('\r\n');
const long = Array.from({ length: 34 }, (_, index) => `line ${index + 1}`).join('\n');
const reference = { type: 'resource', uri: 'file:///w/src/retry.ts#L10-L12', name: 'retry.ts', text: code } as const;

async function open() {
  const chat = await browser.open({});
  await show(chat);
  return chat;
}

async function show(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, []));
}

const list = (chat: Chat) => chat.page.getByRole('list', { name: 'Attachments' });
const names = async (chat: Chat) => (await list(chat).getByRole('listitem').allInnerTexts()).map((text) => text.trim());
const preview = (chat: Chat) => chat.page.getByRole('dialog');

/** Pastes a text at the cursor, as the browser does: the field gets it unless the page handles the event. */
async function paste(chat: Chat, text: string): Promise<void> {
  await chat.message.focus();
  await chat.message.evaluate((field, pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else inserts a text so that it can be undone
    if (field.dispatchEvent(event)) document.execCommand('insertText', false, pasted);
  }, text);
}

test('attaches a long paste, restores it after a reload, and sends it', async () => {
  const chat = await open();
  await chat.message.fill('Why?');
  await paste(chat, long);
  assert.deepEqual(await names(chat), ['Pasted text, 34 lines']);
  assert.equal(await chat.message.inputValue(), 'Why?');
  await chat.reload();
  await show(chat);
  assert.deepEqual(await names(chat), ['Pasted text, 34 lines']);
  await chat.message.press('Enter');
  const [sent] = await chat.posted('sendPrompt');
  assert.equal(sent?.text, 'Why?');
  assert.deepEqual(
    sent.attachments?.map((one) => (one.type === 'resource' ? one.text : '')),
    [long],
  );
  await chat.close();
});

test('sends a long paste alone as the message', async () => {
  const chat = await open();
  await paste(chat, long);
  await chat.button('Send').click();
  assert.deepEqual(await chat.posted('sendPrompt'), [{ type: 'sendPrompt', session: sessionA, text: long }]);
  assert.equal(await list(chat).count(), 0);
  await chat.close();
});

test('restores the long paste of a returned message', async () => {
  const chat = await open();
  await paste(chat, long);
  await chat.message.fill('Why?');
  await chat.message.press('Enter');
  const [sent] = await chat.posted('sendPrompt');
  assert.ok(sent?.attachments);
  await chat.receive({ type: 'promptReturned', text: sent.text, attachments: sent.attachments });
  assert.deepEqual(await names(chat), ['Pasted text, 34 lines']);
  assert.equal(await chat.message.inputValue(), 'Why?');
  await chat.close();
});

test('previews a long paste and inserts it at the cursor', async () => {
  const chat = await open();
  await chat.message.fill('Before after');
  await chat.message.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(7, 7));
  await paste(chat, long);
  const chip = chat.button('Pasted text, 34 lines');
  await chip.focus();
  await chip.press('Enter');
  assert.equal(await preview(chat).getByRole('textbox', { name: 'Text' }).inputValue(), long);
  await preview(chat).press('Escape');
  assert.equal(await preview(chat).count(), 0);
  assert.equal(await chip.evaluate((button) => button === document.activeElement), true);
  await chip.press('Enter');
  await preview(chat).getByRole('button', { name: 'Insert as text' }).click();
  assert.equal(await chat.message.inputValue(), `Before ${long}after`);
  assert.equal(await list(chat).count(), 0);
  assert.equal(await chat.message.evaluate((field) => field === document.activeElement), true);
  await chat.close();
});

test('Ctrl+Shift+V pastes as text, whatever its length and origin', async () => {
  const chat = await open();
  await chat.message.fill('See ');
  await chat.message.press('Control+Shift+V');
  assert.equal((await chat.posted('readClipboard')).length, 1);
  await chat.receive({ type: 'clipboardText', text: long });
  assert.equal(await chat.message.inputValue(), `See ${long}`);
  assert.equal(await list(chat).count(), 0);
  assert.equal((await chat.allPosted()).filter(({ type }) => type === 'findPasted').length, 0);
  await chat.close();
});

test('turns copied editor code into a reference that Undo reverts', async () => {
  const chat = await open();
  await chat.message.fill('Fix ');
  await paste(chat, code);
  const text = code.replaceAll('\r\n', '\n');
  assert.equal(await chat.message.inputValue(), `Fix ${text}`);
  await chat.page.keyboard.type(' now');
  const [asked] = await chat.posted('findPasted');
  assert.equal(asked?.text, code);
  await chat.receive({ type: 'foundPasted', id: asked.id, attachment: reference });
  assert.deepEqual(await names(chat), ['retry.ts:10–12']);
  assert.equal(await chat.message.inputValue(), 'Fix  now');
  await chat.page.keyboard.press('Control+Z');
  assert.equal(await chat.message.inputValue(), `Fix ${text} now`);
  await chat.close();
});

test('names a recognized long paste after its lines', async () => {
  const chat = await open();
  await paste(chat, long);
  const [asked] = await chat.posted('findPasted');
  await chat.receive({ type: 'foundPasted', id: asked?.id ?? 0, attachment: { ...reference, text: long } });
  assert.deepEqual(await names(chat), ['retry.ts:10–12']);
  await chat.close();
});

test('keeps a pasted text that was changed, sent, or not recognized', async () => {
  const chat = await open();
  await paste(chat, code);
  const [first] = await chat.posted('findPasted');
  await chat.message.fill('Something else');
  await chat.receive({ type: 'foundPasted', id: first?.id ?? 0, attachment: reference });
  assert.equal(await chat.message.inputValue(), 'Something else');
  assert.equal(await list(chat).count(), 0);
  await chat.message.fill('');
  await paste(chat, code);
  const second = (await chat.posted('findPasted')).at(-1);
  await chat.receive({ type: 'foundPasted', id: second?.id ?? 0 });
  assert.equal(await chat.message.inputValue(), code.replaceAll('\r\n', '\n'));
  await chat.message.fill('');
  await paste(chat, code);
  const third = (await chat.posted('findPasted')).at(-1);
  await chat.message.press('Enter');
  await chat.receive({ type: 'foundPasted', id: third?.id ?? 0, attachment: reference });
  assert.equal(await list(chat).count(), 0);
  assert.equal((await chat.posted('sendPrompt')).length, 1);
  await chat.close();
});
