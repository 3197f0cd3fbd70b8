import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { ConfigChoice, ConfigOption } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { agentMessage, configOptions, pageWithSession, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();

const choice = (group: string, value: string, name: string, description?: string): ConfigChoice => ({
  value,
  name,
  group,
  ...(description === undefined ? {} : { description }),
});
const models: readonly ConfigChoice[] = [
  { value: 'default', name: 'Default', description: 'What the agent recommends' },
  choice('Anthropic', 'a/opus', 'Opus 5', 'Most capable, for work that takes long and needs thought'),
  choice('Anthropic', 'a/sonnet', 'Sonnet 5', 'Everyday work'),
  choice('Anthropic', 'a/haiku', 'Haiku 5', 'Fast answers'),
  choice('OpenAI', 'o/gpt', 'GPT-6', 'Strong at long plans'),
  choice('OpenAI', 'o/mini', 'GPT-6 mini'),
  choice('Local', 'l/qwen', 'Qwen 4 Coder 30B (4 bit)', 'Runs on this machine'),
  choice('Local', 'l/gemma', 'Gemma 5'),
  choice('Local', 'l/devstral', 'Devstral 3'),
];
const model = (currentValue = 'a/opus', choices = models): ConfigOption => ({
  configId: 'model',
  name: 'Model',
  category: 'model',
  via: 'configOptions',
  type: 'select',
  currentValue,
  choices,
});
const [mode] = configOptions;
const options = [mode!, model()];

async function open(): Promise<Chat> {
  const chat = await browser.open();
  await show(chat);
  return chat;
}

async function show(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  const entries = [
    userMessage('u1', 'Which of these can work without network?'),
    agentMessage('a1', 'Those in the group Local run on this machine.'),
  ];
  await chat.showSession(sessionA, snapshot({ configOptions: options }, entries));
  await chat.toolkit();
  await button(chat).and(chat.page.locator('button')).waitFor();
}

const button = (chat: Chat) => chat.page.getByRole('combobox', { name: 'Model', exact: true });
const search = (chat: Chat) => chat.page.getByRole('combobox', { name: 'Search Model', exact: true });
const list = (chat: Chat) => chat.page.getByRole('listbox', { name: 'Model', exact: true });
const names = (chat: Chat) =>
  list(chat)
    .getByRole('option')
    .evaluateAll((all) => all.map((one) => one.querySelector('.name')?.textContent));
const groups = (chat: Chat) => list(chat).getByRole('group').evaluateAll(groupNames);
/** The option that a screen reader is at. */
const active = (chat: Chat) =>
  search(chat).evaluate((field) => {
    const id = field.getAttribute('aria-activedescendant') ?? '';
    return document.getElementById(id)?.querySelector('.name')?.textContent;
  });
const hasFocus = (chat: Chat) => button(chat).evaluate((element) => element === document.activeElement);

function groupNames(all: readonly Element[]): (string | null | undefined)[] {
  return all.map((one) => document.getElementById(one.getAttribute('aria-labelledby') ?? '')?.textContent);
}

async function picked(chat: Chat): Promise<readonly unknown[]> {
  return (await chat.allPosted()).flatMap((message) =>
    message.type === 'setConfigOption' ? [[message.configId, message.value]] : [],
  );
}

async function change(chat: Chat, from: number, configOptions: readonly ConfigOption[]): Promise<void> {
  await chat.apply(sessionA, from, [{ op: 'view', fields: { configOptions } }]);
}

test('opens a grouped list with search at the chosen item', async () => {
  const chat = await open();
  assert.equal(await button(chat).getAttribute('aria-expanded'), 'false');
  assert.equal(await button(chat).innerText(), 'Opus 5');
  await button(chat).click();
  assert.equal(await button(chat).getAttribute('aria-expanded'), 'true');
  assert.deepEqual(
    await names(chat),
    models.map(({ name }) => name),
  );
  assert.deepEqual(await groups(chat), ['Anthropic', 'OpenAI', 'Local']);
  assert.equal(await active(chat), 'Opus 5');
  const chosen = list(chat).getByRole('option', { selected: true });
  assert.equal(await chosen.and(chat.page.getByRole('option', { name: 'Opus 5', exact: true })).count(), 1);
  const described = await chosen.evaluate((one) => document.getElementById(one.getAttribute('aria-describedby') ?? ''));
  assert.ok(described);
  assert.equal(await chosen.getByText('Most capable').isVisible(), true);
  await list(chat).getByRole('option', { name: 'GPT-6', exact: true }).click();
  assert.deepEqual(await picked(chat), [['model', 'o/gpt']]);
  assert.equal(await list(chat).count(), 0);
  assert.equal(await hasFocus(chat), true);
  await chat.close();
});

test('cuts what the names of models share, not what differs', async () => {
  const chat = await browser.open({ width: 290 });
  const names = ['openrouter/anthropic/enterprise/claude-sonnet-5', 'openrouter/anthropic/enterprise/claude-opus-5'];
  const choices = names.map((name) => ({ value: name, name }));
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ configOptions: [mode!, model(names[1], choices)] }));
  await chat.toolkit();
  const parts = button(chat).locator('.pl-ending > span');
  await parts.last().waitFor();
  assert.deepEqual(await parts.allTextContents(), ['openrouter/anthropic/enterprise/claude-', 'opus-5']);
  const [start, end] = await parts.evaluateAll((all) => all.map((one) => one.scrollWidth > one.clientWidth));
  assert.deepEqual({ start, end }, { start: true, end: false });
  await chat.close();
});

test('searches only long or grouped lists; short ones are drop-downs', async () => {
  const flat = (count: number) =>
    model(
      'm0',
      Array.from({ length: count }, (_, at) => ({ value: `m${at}`, name: `Model ${at}` })),
    );
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ configOptions: [flat(8)] }));
  await chat.toolkit();
  await button(chat).and(chat.page.locator('vscode-dropdown')).waitFor();
  await change(chat, 0, [flat(9)]);
  await button(chat).and(chat.page.locator('button')).click();
  assert.equal((await names(chat)).length, 9);
  assert.deepEqual(await groups(chat), []);
  await chat.close();
});

test('filters by name, value, and description and hides empty groups', async () => {
  const chat = await open();
  await button(chat).click();
  const place = await search(chat).boundingBox();
  await chat.page.keyboard.type('fast');
  assert.deepEqual(await names(chat), ['Haiku 5']);
  assert.deepEqual(await groups(chat), ['Anthropic']);
  assert.deepEqual(await search(chat).boundingBox(), place, 'the search does not move while one types');
  await search(chat).fill('o/ MINI');
  assert.deepEqual(await names(chat), ['GPT-6 mini']);
  assert.equal(await active(chat), 'GPT-6 mini');
  await search(chat).fill('g');
  assert.deepEqual(await groups(chat), ['Anthropic', 'OpenAI', 'Local']);
  assert.equal(await list(chat).locator('b').first().innerText(), 'G');
  await search(chat).fill('nothing of it');
  assert.equal(await list(chat).count(), 0);
  const none = chat.page.getByText('No results for “nothing of it”');
  assert.equal(await none.isVisible(), true);
  assert.deepEqual(await chat.accessibilityProblems(), []);
  await chat.page.keyboard.press('Enter');
  assert.deepEqual(await picked(chat), []);
  await search(chat).fill('');
  assert.equal((await names(chat)).length, models.length);
  assert.equal(await active(chat), 'Opus 5');
  await chat.close();
});

test('opens, moves, chooses, and closes by keyboard alone', async () => {
  const chat = await open();
  const press = (...keys: readonly string[]) =>
    keys.reduce((before, key) => before.then(() => chat.page.keyboard.press(key)), Promise.resolve());
  await button(chat).focus();
  await press('ArrowDown');
  assert.equal(await active(chat), 'Opus 5');
  await press('ArrowDown', 'ArrowDown');
  assert.equal(await active(chat), 'Haiku 5');
  await press('End');
  assert.equal(await active(chat), 'Devstral 3');
  const inSight = await list(chat).evaluate((box) => {
    const [outer, inner] = [box, box.querySelector('.active')!].map((one) => one.getBoundingClientRect());
    return inner!.bottom <= outer!.bottom + 1;
  });
  assert.equal(inSight, true);
  await press('ArrowDown');
  assert.equal(await active(chat), 'Default');
  await press('ArrowUp', 'Home', 'ArrowDown', 'ArrowDown', 'Enter');
  assert.deepEqual(await picked(chat), [['model', 'a/sonnet']]);
  assert.equal(await hasFocus(chat), true);
  // A letter opens it, too, and is the search.
  await press('h');
  assert.equal(await search(chat).inputValue(), 'h');
  await press('Escape');
  assert.equal(await list(chat).count(), 0);
  assert.equal(await hasFocus(chat), true);
  await press('Enter');
  await list(chat).waitFor();
  // What is chosen already is not sent again.
  await press('Enter');
  assert.equal((await picked(chat)).length, 1);
  await press('ArrowUp', 'Tab');
  assert.equal(await list(chat).count(), 0);
  assert.equal(await hasFocus(chat), false);
  await button(chat).click();
  await chat.button('Add Context').click();
  assert.equal(await list(chat).count(), 0);
  assert.equal(await hasFocus(chat), false);
  await chat.close();
});

test('keeps search, position, and focus when the agent changes the choices', async () => {
  const chat = await open();
  await button(chat).click();
  await chat.page.keyboard.type('5');
  await chat.page.keyboard.press('ArrowDown');
  assert.equal(await active(chat), 'Sonnet 5');
  const more = [choice('Anthropic', 'a/fable', 'Fable 5'), ...models.filter(({ value }) => value !== 'a/opus')];
  await change(chat, 0, [mode!, model('a/haiku', more)]);
  assert.deepEqual(await names(chat), ['Fable 5', 'Sonnet 5', 'Haiku 5', 'Gemma 5']);
  assert.equal(await active(chat), 'Sonnet 5');
  assert.equal(await search(chat).inputValue(), '5');
  assert.equal(await search(chat).evaluate((field) => field === document.activeElement), true);
  // Few are left, and they have no groups: it stays the list that the user is in.
  await change(chat, 1, [mode!, model('a', [{ value: 'a', name: 'A 5' }])]);
  assert.deepEqual(await names(chat), ['A 5']);
  assert.equal(await active(chat), 'A 5');
  // The setting goes: the focus is where the next message is made.
  await change(chat, 2, [mode!]);
  assert.equal(await list(chat).count(), 0);
  assert.equal(await chat.message.evaluate((field) => field === document.activeElement), true);
  await chat.close();
});

test('reverts a choice that the agent refuses', async () => {
  const chat = await open();
  await change(chat, 0, [mode!, model('o/gpt')]);
  assert.equal(await button(chat).innerText(), 'GPT-6');
  await change(chat, 1, options);
  assert.equal(await button(chat).innerText(), 'Opus 5');
  assert.equal(await button(chat).evaluate((element) => (element as HTMLButtonElement).value), 'a/opus');
  await chat.close();
});

test('shows a grouped list as native one if its code is missing', async () => {
  const chat = await browser.open();
  await chat.page.route('**/chunks/pickerElement-*', (route) => route.abort());
  await chat.reload();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ configOptions: options }));
  await chat.posted('pageError');
  const select = button(chat).and(chat.page.locator('select'));
  await select.selectOption('o/gpt');
  assert.deepEqual(await picked(chat), [['model', 'o/gpt']]);
  assert.deepEqual(await select.locator('optgroup').evaluateAll((all) => all.map((one) => one.getAttribute('label'))), [
    'Anthropic',
    'OpenAI',
    'Local',
  ]);
  await chat.close();
});

testLooks(browser, [
  {
    name: 'choices',
    height: 420,
    widths: [240, 320],
    inTab: true,
    reach: async (chat) => {
      await show(chat);
    },
    again: async (chat) => {
      if ((await list(chat).count()) === 0) await button(chat).click();
    },
    check: async (chat, width) => {
      const box = (await chat.page.locator('.pl-pop.choices').boundingBox())!;
      assert.ok(box.x >= 0 && box.x + box.width <= width && box.y >= 0, JSON.stringify(box));
      const place = (await button(chat).boundingBox())!;
      assert.ok(box.y + box.height <= place.y, 'it covers its button');
    },
  },
]);
