import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser, type Chat } from './chat';
import {
  agentMessage,
  asking,
  commands,
  configOptions,
  listing,
  pageState,
  pageWithSession,
  sessionA,
  sessionB,
  snapshot,
  toolCall,
  userMessage,
} from './samples';

const browser = useBrowser();

/** Opens a page that counts the keys that VS Code would get: VS Code listens at the window. */
async function openSession(
  fields: Parameters<typeof snapshot>[0] = {},
  entries: Parameters<typeof snapshot>[1] = [userMessage('u1', 'Fix it'), toolCall('t1')],
): Promise<Chat> {
  const chat = await browser.open();
  await chat.page.evaluate(() => {
    const counting = window as unknown as { seen: string[] };
    counting.seen = [];
    window.addEventListener('keydown', ({ key }) => counting.seen.push(key));
  });
  await chat.showPage(pageWithSession([listing(sessionB, { title: 'Docs' })]));
  await chat.showSession(sessionA, snapshot(fields, entries));
  return chat;
}

const running = { activity: { state: 'running', since: 1 } } as const;
const seen = (chat: Chat, key: string) =>
  chat.page.evaluate(
    (wanted) => (window as unknown as { seen: string[] }).seen.filter((one) => one === wanted).length,
    key,
  );
const isFocused = (chat: Chat) => chat.message.evaluate((field) => field === document.activeElement);

test('Escape in the message stops the turn and reaches VS Code', async () => {
  const chat = await openSession(running);
  await chat.message.focus();
  await chat.page.keyboard.press('Escape');
  assert.equal(await seen(chat, 'Escape'), 1);
  assert.equal(await isFocused(chat), true);
  await chat.posted('cancelTurn');
  await chat.close();
});

test('going to another turn scrolls nothing around the transcript', async () => {
  const turns = [1, 2, 3].flatMap((at) => [
    userMessage(`u${at}`, `Turn ${at}`),
    agentMessage(`m${at}`, 'A paragraph.\n\n'.repeat(40)),
  ]);
  const chat = await openSession({}, turns);
  await chat.still();
  // As VS Code's element around the page, which can scroll, but not by the user.
  await chat.page.evaluate(() => document.body.append(document.createElement('hr')));
  await chat.message.focus();
  for (let press = 0; press < 3; press++) await chat.page.keyboard.press('Alt+ArrowUp');
  const message = chat.page.getByRole('article', { name: 'You', exact: true }).and(chat.page.locator(':focus'));
  await message.waitFor();
  const tops = await chat.page.evaluate(() => [
    document.documentElement.scrollTop + document.body.scrollTop,
    (document.activeElement?.getBoundingClientRect().top ?? 0) -
      (document.querySelector('.pl-feed')?.getBoundingClientRect().top ?? 0),
  ]);
  assert.deepEqual(tops.map(Math.round), [0, 0]);
  await chat.close();
});

test('Escape closes a popup of the message and nothing else', async () => {
  const chat = await openSession({ ...running, availableCommands: commands });
  await chat.message.focus();
  await chat.page.keyboard.type('/');
  const list = chat.page.getByRole('listbox', { name: 'Commands' });
  await list.waitFor();
  await chat.page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  assert.equal(await seen(chat, 'Escape'), 0);
  await chat.page.keyboard.press('Escape');
  assert.equal(await seen(chat, 'Escape'), 1);
  await chat.close();
});

test('Escape closes the list of an option and nothing else', async () => {
  const chat = await openSession({ ...running, configOptions });
  await chat.toolkit();
  const mode = chat.page.getByRole('combobox', { name: 'Mode', exact: true });
  await mode.and(chat.page.locator('button')).waitFor();
  await mode.focus();
  await chat.page.keyboard.press('Space');
  const list = chat.page.getByRole('listbox', { name: 'Mode', exact: true });
  await list.waitFor();
  await chat.page.keyboard.press('Escape');
  await list.waitFor({ state: 'hidden' });
  assert.equal(await isFocused(chat), false, 'The option keeps the focus.');
  await chat.page.keyboard.press('Escape');
  assert.equal(await isFocused(chat), true);
  assert.equal(await seen(chat, 'Escape'), 0);
  await chat.close();
});

test('Escape during a composition belongs to the input method', async () => {
  const chat = await openSession(running);
  await chat.message.focus();
  const session = await chat.page.context().newCDPSession(chat.page);
  await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  const escape = { key: 'Escape', isComposing: true, bubbles: true, cancelable: true };
  await chat.message.dispatchEvent('keydown', escape);
  assert.equal(await seen(chat, 'Escape'), 0);
  await chat.close();
});

test('Escape returns to the message from every part of the page', async () => {
  const chat = await openSession({ ...running, configOptions }, [userMessage('u1', 'Fix it'), asking('t1')]);
  const parts = [
    chat.page.getByRole('tab').first(),
    chat.page.getByRole('feed'),
    chat.page.getByRole('article').first(),
    chat.page.getByRole('group', { name: /^Permission/ }),
    chat.page
      .getByRole('group', { name: /^Permission/ })
      .getByRole('button')
      .first(),
    chat.button('Add Context'),
    chat.button('Stop'),
  ];
  for (const part of parts) {
    await part.focus();
    await chat.page.keyboard.press('Escape');
    assert.equal(await isFocused(chat), true);
  }
  assert.equal(await seen(chat, 'Escape'), 0, 'None of them stopped the turn.');
  await chat.close();
});

test('Shift+Tab in the message switches modes and announces them once set', async () => {
  const chat = await openSession({ configOptions });
  await chat.message.focus();
  await chat.page.keyboard.press('Shift+Tab');
  const [set] = await chat.posted('setConfigOption');
  assert.ok(set?.configId === 'mode' && typeof set.value === 'string');
  assert.equal(await isFocused(chat), true);
  assert.equal(await seen(chat, 'Tab'), 0);
  const polite = chat.page.locator('[aria-live=polite]');
  assert.equal(await polite.innerText(), '');
  const next = configOptions.map((one) => (one.configId === 'mode' ? { ...one, currentValue: set.value } : one));
  const name = next.flatMap((one) =>
    one.type === 'select' ? one.choices.filter(({ value }) => one.configId === 'mode' && value === set.value) : [],
  )[0]?.name;
  assert.ok(name);
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { configOptions: next as typeof configOptions } }]);
  assert.equal(await polite.innerText(), `Mode: ${name}`);
  await chat.close();
});

test('Shift+Tab moves the focus back without modes or with a popup', async () => {
  const chat = await openSession();
  await chat.message.focus();
  await chat.page.keyboard.press('Shift+Tab');
  assert.equal(await isFocused(chat), false);
  await chat.showSession(sessionA, snapshot({ configOptions, availableCommands: commands }, []));
  await chat.message.focus();
  await chat.page.keyboard.type('/');
  await chat.page.getByRole('listbox', { name: 'Commands' }).waitFor();
  await chat.page.keyboard.press('Shift+Tab');
  assert.equal(await isFocused(chat), false);
  assert.deepEqual(
    (await chat.allPosted()).filter(({ type }) => type === 'setConfigOption'),
    [],
  );
  await chat.close();
});

test("Alt+Up focuses the newest entry, or the start page's last button", async () => {
  const chat = await openSession({ configOptions });
  await chat.message.focus();
  await chat.page.keyboard.press('Alt+ArrowUp');
  const focused = chat.page.locator(':focus');
  assert.equal(await focused.getAttribute('aria-label'), 'Tool call: npm test');
  await chat.showPage(pageState());
  await chat.message.focus();
  await chat.page.keyboard.press('Alt+ArrowUp');
  assert.equal(await focused.evaluate((element) => element.closest('.pl-start') !== null), true);
  await chat.close();
});

test('a question mark lists the keys, and Escape restores the focus', async () => {
  const chat = await openSession(running);
  await chat.message.focus();
  await chat.page.keyboard.type('?');
  const list = chat.page.getByRole('dialog', { name: 'Keys in the chat' });
  assert.equal(await list.isVisible(), false);
  assert.equal(await chat.message.inputValue(), '?');
  const article = chat.page.getByRole('article').first();
  await article.focus();
  await chat.page.keyboard.press('?');
  await list.waitFor();
  for (const words of ['Shift+Tab', 'Switch to the next mode', 'Alt+Up', 'Delete']) {
    assert.match(await list.innerText(), new RegExp(words.replace('+', '\\+')));
  }
  assert.deepEqual(await chat.accessibilityProblems(), []);
  await chat.page.keyboard.press('Escape');
  await list.waitFor({ state: 'hidden' });
  assert.equal(await article.evaluate((element) => element === document.activeElement), true);
  assert.equal(await seen(chat, 'Escape'), 0);
  await chat.page.setViewportSize({ width: 290, height: 450 });
  await chat.page.keyboard.press('?');
  await list.waitFor();
  assert.equal(await list.evaluate((element) => element.scrollTop), 0, 'The list begins at its top.');
  const fits = await list.evaluate((element) => element.scrollWidth <= element.clientWidth);
  assert.ok(fits, 'Nothing is cut off at the right.');
  await chat.page.screenshot({ path: 'out/shots/page/keys-290.png' });
  await chat.button('Close').waitFor();
  await list.getByRole('button', { name: 'Keys of commands' }).click();
  assert.equal((await chat.posted('showKeys')).length, 1);
  assert.equal(await list.isVisible(), false);
  await chat.close();
});

test('Tab moves through the page from top to bottom', async () => {
  const chat = await openSession({ configOptions }, [userMessage('u1', 'Fix it'), asking('t1')]);
  await chat.page.getByRole('tab', { selected: true }).focus();
  const visited: string[] = [];
  const place = () =>
    chat.page.evaluate(() => {
      const now = document.activeElement;
      for (const [part, name] of [
        ['[role=tab], .pl-tab', 'tabs'],
        ['.pl-header', 'header'],
        ['.pl-perm', 'request'],
        ['[role=feed]', 'transcript'],
        ['.pl-traybox', 'tray'],
        ['.pl-composer textarea', 'message'],
        ['.pl-composer', 'composer'],
      ] as const)
        if (now?.closest(part)) return name;
      return now?.localName ?? '';
    });
  for (let at = 0; at < 40; at++) {
    const now = await place();
    if (visited.at(-1) !== now) visited.push(now);
    if (now === 'composer' || now === 'body') break;
    await chat.page.keyboard.press('Tab');
  }
  assert.deepEqual(
    visited.filter((part, at) => visited.indexOf(part) === at),
    ['tabs', 'header', 'transcript', 'request', 'message', 'composer'],
  );
  await chat.close();
});

test('reports when the focus enters and leaves the page', async () => {
  const chat = await openSession();
  const told = async () =>
    (await chat.allPosted()).flatMap((message) => (message.type === 'focusChanged' ? [message.hasFocus] : []));
  await chat.page.evaluate(() => window.dispatchEvent(new FocusEvent('blur')));
  const before = (await told()).length;
  await chat.page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
  await chat.page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
  await chat.page.evaluate(() => window.dispatchEvent(new FocusEvent('blur')));
  assert.deepEqual((await told()).slice(before), [true, false]);
  await chat.close();
});
