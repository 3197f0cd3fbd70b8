import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PromptListing } from '../../src/shared/pages/prompts';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { commands, pageState, pageWithSession, sessionA, snapshot, userMessage } from './samples';

/* The prompt library in the composer: after `/`, and its fields one by one. */

const browser = useBrowser();

const prompt = (name: string, folder: string, fields: Partial<PromptListing> = {}): PromptListing => ({
  id: `/prompts/${folder}/${name}.md`,
  name,
  title: '',
  description: '',
  folder,
  ...fields,
});
const prompts = [
  prompt('explain', '', { title: 'Explain the selection', description: 'In a few words, with an example' }),
  prompt('review-branch', 'harbor', { title: 'Review a branch', description: 'Looks for bugs and missing tests' }),
];
const text = 'Review {{branch}} against {{base}}.\nThen say whether {{branch}} can be merged.';

async function openWith(width = 420): Promise<Chat> {
  const chat = await browser.open({ width });
  await showSession(chat);
  return chat;
}

async function showSession(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ availableCommands: commands }));
  await chat.receive({ type: 'prompts', prompts });
}

/** Types what stands for a prompt, chooses it, and answers as the host does. */
async function choose(chat: Chat, typed: string, words?: string): Promise<void> {
  await chat.message.focus();
  await chat.page.keyboard.type(typed);
  await chat.page.keyboard.press('Enter');
  const [asked] = (await chat.posted('takePrompt')).slice(-1);
  assert.ok(asked);
  await chat.receive({ type: 'tookPrompt', id: asked.id, ...(words === undefined ? {} : { text: words }) });
}

const selected = (chat: Chat) =>
  chat.message.evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd));
const sent = async (chat: Chat) => (await chat.allPosted()).filter(({ type }) => type === 'sendPrompt').length;

async function showPopup(chat: Chat): Promise<void> {
  await showSession(chat);
  await chat.message.focus();
  await chat.page.keyboard.type('/');
  await chat.page.getByRole('listbox', { name: 'Commands' }).waitFor();
}

async function showField(chat: Chat): Promise<void> {
  await showSession(chat);
  await choose(chat, '/revb', text);
  await chat.page.keyboard.type('main');
}

testLooks(browser, [
  { name: 'prompts-popup', widths: [290], reach: showPopup },
  { name: 'prompt-field', widths: [290], reach: showField },
]);

test('a slash offers prompts under headings of their own', async () => {
  const chat = await openWith();
  const list = chat.page.getByRole('listbox', { name: 'Commands' });
  await chat.message.focus();
  await chat.page.keyboard.type('/');
  assert.deepEqual(await list.locator('.grp').allInnerTexts(), [
    'Commands from Claude',
    'Your prompts',
    'Prompts of harbor',
  ]);
  const group = list.getByRole('group', { name: 'Prompts of harbor' });
  const [option] = await group.getByRole('option').allInnerTexts();
  assert.equal(option?.replaceAll(/\s+/g, ' '), '/review-branch Review a branch · Looks for bugs and missing tests');
  // The heading with the best match comes first.
  await chat.page.keyboard.type('review-');
  assert.deepEqual(await list.locator('.grp').allInnerTexts(), ['Prompts of harbor']);
  assert.equal(await list.getByRole('option', { selected: true }).count(), 1);
  await chat.close();
});

test('the start page offers prompts without any agent', async () => {
  const chat = await browser.open();
  await chat.showPage(pageState());
  await chat.receive({ type: 'prompts', prompts });
  await choose(chat, '/expl', 'Explain it.');
  assert.equal(await chat.message.inputValue(), 'Explain it.');
  assert.equal(await sent(chat), 0);
  await chat.close();
});

test('asks for the fields one by one, and sends nothing', async () => {
  const chat = await openWith();
  const { keyboard } = chat.page;
  await choose(chat, '/revb', text);
  assert.equal(await selected(chat), '{{branch}}');
  const hint = 'Field 1 of 2: branch. Enter or Tab continues, Escape removes the prompt.';
  assert.equal(await chat.page.locator('.hint:not(.refused)', { hasText: 'Field' }).innerText(), hint);
  await keyboard.type('topic');
  await keyboard.press('Enter');
  assert.equal(await selected(chat), '{{base}}');
  await keyboard.type('main');
  // Back to the first field, and on again.
  await keyboard.press('Shift+Tab');
  assert.equal(await selected(chat), 'topic');
  await keyboard.type('fix');
  await keyboard.press('Tab');
  assert.equal(await selected(chat), 'main');
  await keyboard.press('Tab');
  const filled = 'Review fix against main.\nThen say whether fix can be merged.';
  assert.equal(await chat.message.inputValue(), filled);
  assert.equal(await chat.page.locator('.hint', { hasText: 'Field' }).count(), 0);
  assert.equal(await sent(chat), 0);
  await keyboard.press('Enter');
  const [message] = await chat.posted('sendPrompt');
  assert.equal(message?.text, filled);
  await chat.close();
});

test('Escape removes the prompt, and undo brings it back', async () => {
  const chat = await openWith();
  const { keyboard } = chat.page;
  await choose(chat, '/revb', text);
  await keyboard.type('topic');
  await keyboard.press('Enter');
  await keyboard.press('Escape');
  assert.equal(await chat.message.inputValue(), '/revb');
  assert.equal((await chat.allPosted()).filter(({ type }) => type === 'cancelTurn').length, 0);
  await keyboard.press('Control+z');
  assert.match(await chat.message.inputValue(), /^Review topic against/);
  await chat.close();
});

test('an edit elsewhere keeps asking for the fields that are left', async () => {
  const chat = await openWith();
  const { keyboard } = chat.page;
  await choose(chat, '/revb', text);
  await chat.message.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(0, 0));
  await keyboard.type('Please: ');
  await keyboard.press('Enter');
  assert.equal(await selected(chat), '{{branch}}');
  assert.equal(await sent(chat), 0);
  await chat.close();
});

test('keeps what is typed if a prompt is not used', async () => {
  const chat = await openWith();
  await choose(chat, '/revb');
  assert.equal(await chat.message.inputValue(), '/revb');
  assert.ok(await chat.message.evaluate((field) => field === document.activeElement));
  // A prompt from the list of all prompts goes after the message.
  await chat.message.fill('Look at this.');
  await chat.receive({ type: 'tookPrompt', text: 'Explain {{what}}.' });
  assert.equal(await chat.message.inputValue(), 'Look at this.\n\nExplain {{what}}.');
  assert.equal(await selected(chat), '{{what}}');
  await chat.close();
});

test('a late prompt never reaches another message', async () => {
  const chat = await openWith();
  await chat.message.focus();
  await chat.page.keyboard.type('/revb');
  await chat.page.keyboard.press('Enter');
  const [asked] = await chat.posted('takePrompt');
  await chat.showPage(pageState());
  await chat.message.fill('Something else');
  await chat.receive({ type: 'tookPrompt', id: asked?.id ?? '', text });
  assert.equal(await chat.message.inputValue(), 'Something else');
  await chat.close();
});

test('a sent message can be saved as a prompt', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, [userMessage('u1', 'Tidy up the imports')]));
  const article = chat.page.getByRole('article', { name: 'You' });
  await article.hover();
  await article.getByRole('button', { name: 'More for this message' }).click();
  await chat.page.getByRole('menuitem', { name: 'Save as prompt' }).click();
  assert.deepEqual(await chat.posted('savePrompt'), [{ type: 'savePrompt', text: 'Tidy up the imports' }]);
  await chat.close();
});
