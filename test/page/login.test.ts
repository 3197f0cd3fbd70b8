import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import type { LoginEntry } from '../../src/shared/transcript/login';
import type { Entry } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { agentMessage, pageWithSession, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();

const methods: LoginEntry['methods'] = [
  { methodId: 'web', name: 'Claude account', description: 'Opens your browser', how: 'agent' },
  { methodId: 'tty', name: 'Log in from a terminal', how: 'terminal', command: 'claude /login' },
  { methodId: 'key', name: 'API key', how: 'variables' },
  { methodId: 'gate', name: 'Gateway', how: 'gateway' },
];

function loginEntry(fields: Partial<LoginEntry> = {}): LoginEntry {
  const base = { kind: 'login', id: 'login:2' as EntryId, turn: 1, waits: true, isOpen: false } as const;
  return { ...base, methods, progress: { state: 'asked' }, ...fields };
}

async function open(chat: Chat, entry: LoginEntry): Promise<void> {
  await chat.showPage(pageWithSession());
  const before = entry.isOpen ? [userMessage('u0', 'Hello'), agentMessage('a0', 'Hello to you.')] : [];
  const entries: Entry[] = [...before, userMessage('u1', 'Why is useOrders called twice on first paint?'), entry];
  await chat.showSession(sessionA, snapshot({ connection: { state: entry.isOpen ? 'ready' : 'login' } }, entries));
}

const group = (chat: Chat) => chat.page.getByRole('group', { name: 'Log in to Claude', exact: true });

const running = loginEntry({ progress: { state: 'running', methodId: 'web' } });
const failed = loginEntry({
  isOpen: true,
  progress: {
    state: 'failed',
    title: 'Couldn’t log in with “Claude account”.',
    cause: 'Error 403: this account has no access. Try again or choose another method.',
  },
});
const done = loginEntry({ progress: { state: 'done' }, isOpen: true });

testLooks(browser, [
  {
    name: 'login',
    height: 1500,
    reach: async (chat) => {
      await open(chat, loginEntry());
      const others = [running, failed, loginEntry({ methods: [] }), done];
      const ops = others.map((entry, at) => {
        return { op: 'insert', entry: { ...entry, id: `other:${at}` as EntryId } } as const;
      });
      await chat.apply(sessionA, 0, ops);
    },
  },
]);

test('fits the login card into a narrow view with any names', async () => {
  const chat = await browser.open({ width: 320, height: 640 });
  const long = { methodId: 'long', name: 'x'.repeat(120), how: 'terminal', command: `run ${'y'.repeat(200)}` } as const;
  await open(chat, loginEntry({ methods: [...methods.slice(0, 2), long] }));
  assert.equal(await chat.hasHorizontalScroll(), false);
  assert.ok(await group(chat).evaluate((card) => card.scrollWidth <= card.clientWidth));
  await chat.close();
});

test('offers each login method as a described button', async () => {
  const chat = await browser.open();
  await open(chat, loginEntry());
  const names = ['Claude account', 'Log in from a terminal', 'API key', 'Gateway', 'Try again'];
  assert.deepEqual(
    await group(chat)
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => one.textContent.trim())),
    names,
  );
  const terminal = group(chat).getByRole('button', { name: 'Log in from a terminal', exact: true });
  assert.match(
    await terminal.evaluate((one) => document.getElementById(one.getAttribute('aria-describedby') ?? '')!.textContent),
    /claude \/login/,
  );
  await terminal.click();
  assert.deepEqual(await chat.posted('login'), [{ type: 'login', session: sessionA, methodId: 'tty' }]);
  await group(chat).getByRole('button', { name: 'Try again' }).click();
  assert.equal((await chat.posted('errorAction'))[0]!.action, 'restartAgent');
  await chat.close();
});

test('announces the card once and never takes or loses the focus', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, [userMessage('u1', 'Fix it')]));
  await chat.message.fill('typing');
  await chat.apply(sessionA, 0, [{ op: 'insert', entry: loginEntry() }]);
  await group(chat).waitFor();
  const focused = () =>
    chat.page.evaluate(() => {
      const { activeElement: at } = document;
      return at?.getAttribute('aria-label') ?? at?.textContent.trim();
    });
  assert.equal(await focused(), 'Message');
  await chat.page.getByText('Log in to Claude to continue.').nth(1).waitFor({ state: 'attached' });
  // By keyboard alone.
  await chat.page.getByRole('article', { name: 'Notice' }).focus();
  await chat.page.keyboard.press('Tab');
  assert.equal(await focused(), 'Claude account');
  await chat.page.keyboard.press('Enter');
  assert.equal((await chat.posted('login'))[0]!.methodId, 'web');
  await chat.apply(sessionA, 1, [{ op: 'replace', entry: running }]);
  assert.equal(await focused(), 'Notice');
  await chat.page.keyboard.press('Tab');
  await chat.page.keyboard.press('Enter');
  assert.deepEqual(await chat.posted('cancelLogin'), [{ type: 'cancelLogin', session: sessionA }]);
  assert.equal(await chat.message.inputValue(), 'typing');
  await chat.close();
});

test('sends the waiting message after the login with a click', async () => {
  const chat = await browser.open();
  await open(chat, done);
  assert.deepEqual(
    (await chat.allPosted()).filter(({ type }) => type === 'sendPrompt' || type === 'errorAction'),
    [],
  );
  await chat.button('Send again').click();
  assert.equal((await chat.posted('errorAction'))[0]!.action, 'sendAgain');
  assert.equal(await group(chat).getByRole('button').count(), 1);
  await chat.close();
});

test('shows a failure with its reason and next step beside the methods', async () => {
  const chat = await browser.open();
  await open(chat, failed);
  await group(chat).getByText('Couldn’t log in with “Claude account”.').waitFor();
  await group(chat).getByText('Try again or choose another method.').waitFor();
  await group(chat).getByRole('button', { name: 'API key', exact: true }).waitFor();
  await chat.button('Send again').waitFor();
  await chat.close();
});

test('turns a settled card into a line that keeps the focus', async () => {
  const chat = await browser.open();
  await open(chat, done);
  await chat.button('Send again').focus();
  const notice: Entry = {
    kind: 'notice',
    id: 'login:2' as EntryId,
    turn: 1,
    severity: 'info',
    title: 'Logged in to Claude',
  };
  await chat.apply(sessionA, 0, [{ op: 'replace', entry: notice }]);
  await group(chat).waitFor({ state: 'detached' });
  const line = chat.page.getByRole('article', { name: 'Notice' });
  assert.equal(await line.innerText(), 'Logged in to Claude');
  assert.ok(await line.evaluate((element) => element === document.activeElement));
  await chat.close();
});
