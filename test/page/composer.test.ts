import { test } from 'node:test';
import assert from 'node:assert/strict';
import { useBrowser, type Chat } from './chat';
import { commands, pageState, pageWithSession, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();

async function openSession(
  fields: Parameters<typeof snapshot>[0] = {},
  entries = [] as Parameters<typeof snapshot>[1],
) {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot(fields, entries));
  return chat;
}

async function sent(chat: Chat): Promise<readonly string[]> {
  return (await chat.allPosted()).flatMap((message) => (message.type === 'sendPrompt' ? [message.text] : []));
}

/** Lets an input method compose `text` and end with Enter, as Chromium reports it. */
async function composeAndAccept(chat: Chat, text: string): Promise<void> {
  const session = await chat.page.context().newCDPSession(chat.page);
  await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  // The Enter that accepts a composition reaches the page as key code 229 or inside the composition.
  await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Enter', windowsVirtualKeyCode: 229 });
  await chat.message.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true });
  await session.send('Input.insertText', { text });
}

test('Enter sends the message, and Shift+Enter inserts a line break', async () => {
  const chat = await openSession();
  await chat.message.focus();
  await chat.page.keyboard.type('one');
  await chat.page.keyboard.press('Shift+Enter');
  await chat.page.keyboard.type('two');
  assert.deepEqual(await sent(chat), []);
  await chat.page.keyboard.press('Enter');
  assert.deepEqual(await chat.posted('sendPrompt'), [{ type: 'sendPrompt', session: sessionA, text: 'one\ntwo' }]);
  assert.equal(await chat.message.inputValue(), '');
  await chat.close();
});

test('Enter keeps a message of blanks unsent', async () => {
  const chat = await openSession();
  await chat.message.fill('  \n ');
  await chat.message.press('Enter');
  assert.deepEqual(await sent(chat), []);
  assert.equal(await chat.button('Send').isDisabled(), true);
  await chat.close();
});

test("Enter does not send while it ends an input method's composition", async () => {
  const chat = await openSession();
  await chat.message.focus();
  await composeAndAccept(chat, '日本語');
  assert.equal(await chat.message.inputValue(), '日本語');
  assert.deepEqual(await sent(chat), []);
  await chat.message.press('Enter');
  assert.deepEqual(await sent(chat), ['日本語']);
  await chat.close();
});

test('sends a message from the start page to the default agent', async () => {
  const chat = await browser.open();
  await chat.showPage(pageState());
  await chat.message.fill('Why is it slow?');
  await chat.button('Send').click();
  assert.deepEqual(await chat.posted('sendPrompt'), [{ type: 'sendPrompt', session: '', text: 'Why is it slow?' }]);
  await chat.close();
});

test('allows typing without sending in an untrusted folder, with a reason', async () => {
  const chat = await browser.open();
  await chat.showPage(pageState({ trusted: false }));
  await chat.message.fill('Fix it');
  await chat.message.press('Enter');
  await chat.button('Send').click({ force: true });
  assert.deepEqual(await sent(chat), []);
  assert.equal(await chat.message.inputValue(), 'Fix it');
  assert.equal(await chat.button('Send').getAttribute('aria-disabled'), 'true');
  const reason = 'This folder isn’t trusted yet, so agents can’t start here.';
  assert.equal(await chat.button('Send').getAttribute('title'), reason);
  assert.equal(await chat.page.getByRole('button', { name: /^(Start|Try) / }).count(), 0);
  await chat.button('Manage trust').click();
  assert.deepEqual(await chat.posted('errorAction'), [
    { type: 'errorAction', session: '', entry: '', action: 'manageTrust' },
  ]);
  await chat.close();
});

test("Up and Down at the text's edges recall messages and the draft", async () => {
  const chat = await openSession({}, [userMessage('u1', 'first'), userMessage('u2', 'second\nline', 2)]);
  const { keyboard } = chat.page;
  await chat.message.focus();
  await keyboard.type('unsent');
  await keyboard.press('ArrowUp');
  assert.equal(await chat.message.inputValue(), 'second\nline');
  await keyboard.press('ArrowUp');
  assert.equal(await chat.message.inputValue(), 'first');
  await keyboard.press('ArrowUp');
  assert.equal(await chat.message.inputValue(), 'first');
  await keyboard.press('ArrowDown');
  assert.equal(await chat.message.inputValue(), 'second\nline');
  // From the end of a text of two rows the first Up moves the text cursor only.
  await keyboard.press('ArrowUp');
  assert.equal(await chat.message.inputValue(), 'second\nline');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  assert.equal(await chat.message.inputValue(), 'unsent');
  await chat.close();
});

test('Up moves the cursor in a wrapped text before it recalls messages', async () => {
  const chat = await openSession({}, [userMessage('u1', 'earlier')]);
  const long = 'word '.repeat(40).trim();
  await chat.message.fill(long);
  await chat.message.press('ArrowUp');
  assert.equal(await chat.message.inputValue(), long);
  for (let row = 0; row < 8; row++) await chat.message.press('ArrowUp');
  assert.equal(await chat.message.inputValue(), 'earlier');
  await chat.close();
});

test('a slash opens the commands, which can be filtered and chosen', async () => {
  const chat = await openSession({ availableCommands: commands });
  const list = chat.page.getByRole('listbox', { name: 'Commands' });
  const { keyboard } = chat.page;
  await chat.message.focus();
  await keyboard.type('/');
  assert.equal(await list.getByRole('option').count(), 4);
  await keyboard.type('re');
  assert.deepEqual(await list.getByRole('option').locator('.name').allTextContents(), [
    '/review',
    '/rewind',
    '/compress',
  ]);
  assert.deepEqual(await list.locator('b').allTextContents(), ['re', 're', 're']);
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowUp');
  await keyboard.press('Enter');
  assert.equal(await chat.message.inputValue(), '/review ');
  assert.equal(await list.count(), 0);
  assert.equal((await chat.page.locator('.hint:not(.refused):visible').innerText()).trim(), 'number');
  const described = (await chat.message.getAttribute('aria-describedby')) ?? '';
  assert.equal((await chat.page.locator(`#${described}`).textContent())?.trim(), 'number');
  assert.deepEqual(await sent(chat), []);
  await keyboard.type('12');
  await keyboard.press('Enter');
  assert.deepEqual(await sent(chat), ['/review 12']);
  await chat.close();
});

test('marks the selected command as active descendant of the text field', async () => {
  const chat = await openSession({ availableCommands: commands });
  await chat.message.pressSequentially('/lo');
  const id = (await chat.message.getAttribute('aria-activedescendant')) ?? '';
  assert.equal(await chat.page.locator(`#${id}`).getAttribute('aria-selected'), 'true');
  assert.match((await chat.page.locator(`#${id}`).textContent()) ?? '', /login/);
  await chat.close();
});

test('Escape closes only the commands; Tab and a click choose', async () => {
  const chat = await openSession({ availableCommands: commands, activity: { state: 'running', since: 1 } });
  const list = chat.page.getByRole('listbox', { name: 'Commands' });
  await chat.message.pressSequentially('/re');
  await chat.message.press('Escape');
  assert.equal(await list.count(), 0);
  assert.equal(await chat.message.inputValue(), '/re');
  assert.equal((await chat.allPosted()).filter(({ type }) => type === 'cancelTurn').length, 0);
  await chat.message.press('Escape');
  assert.equal(await chat.message.inputValue(), '/re', 'What was typed stays.');
  await chat.message.fill('');
  await chat.message.pressSequentially('/com');
  await chat.message.press('Tab');
  assert.equal(await chat.message.inputValue(), '/compress ');
  await chat.message.fill('');
  await chat.message.pressSequentially('/');
  await list.getByRole('option', { name: /login/ }).click();
  assert.equal(await chat.message.inputValue(), '/login ');
  await chat.message.press('Control+z');
  assert.equal(await chat.message.inputValue(), '/');
  await chat.close();
});

test('shows Stop beside Send during a turn and allows typing', async () => {
  const chat = await openSession();
  assert.equal(await chat.button('Stop').count(), 0);
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { activity: { state: 'running', since: 1 } } }]);
  await chat.message.fill('and then this');
  assert.equal(await chat.button('Send').isEnabled(), true);
  await chat.button('Stop').click();
  assert.deepEqual(await chat.posted('cancelTurn'), [{ type: 'cancelTurn', session: sessionA }]);
  assert.equal(await chat.message.inputValue(), 'and then this');
  await chat.close();
});

test("inserts a prompt that wasn't accepted before newly typed text", async () => {
  const chat = await openSession();
  await chat.message.fill('lost?');
  await chat.message.press('Enter');
  await chat.message.fill('next');
  await chat.receive({ type: 'promptReturned', text: 'lost?' });
  assert.equal(await chat.message.inputValue(), 'lost?\n\nnext');
  await chat.close();
});

test('a focus request inserts its draft only into an empty text field', async () => {
  const chat = await openSession();
  await chat.receive({ type: 'focusComposer', draft: 'Explain this' });
  assert.equal(await chat.message.inputValue(), 'Explain this');
  assert.equal(await chat.message.evaluate((field) => field === document.activeElement), true);
  await chat.receive({ type: 'focusComposer', draft: 'Other' });
  assert.equal(await chat.message.inputValue(), 'Explain this');
  await chat.close();
});

test('grows the text field with its text up to 40% height', async () => {
  const chat = await openSession();
  const height = async () => (await chat.message.boundingBox())?.height ?? 0;
  assert.equal(await height(), 56);
  await chat.message.fill('line\n'.repeat(8));
  const grown = await height();
  assert.ok(grown > 150 && grown < 0.4 * 860, `grown to ${grown}`);
  await chat.message.fill('line\n'.repeat(80));
  assert.ok((await height()) <= 0.4 * 860 + 1);
  await chat.close();
});
