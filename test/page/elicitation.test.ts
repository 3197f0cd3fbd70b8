import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { FormField } from '../../src/shared/forms/elicitation';
import type { ElicitationEntry, Entry } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat, type ChatOptions } from './chat';
import { address, asked, elicitation, everyField, field, form, release } from './elicitationSamples';
import { pageWithSession, sessionA, snapshot, toolCall, userMessage } from './samples';

const browser = useBrowser();
const message = 'How should the release be cut?';

async function open(entries: readonly Entry[], options: ChatOptions = {}): Promise<Chat> {
  const chat = await browser.open(options);
  await show(chat, entries);
  return chat;
}

async function show(chat: Chat, entries: readonly Entry[]): Promise<void> {
  await chat.showPage(pageWithSession());
  const activity = { state: 'requires_action', since: Date.now() } as const;
  await chat.showSession(sessionA, snapshot({ activity }, [userMessage('u', 'Prepare it.'), ...entries]));
}

const formOf = (chat: Chat, name = message) => chat.page.getByRole('form', { name, exact: true });
const ready = (chat: Chat) => chat.page.waitForSelector('.pl-ask[data-ready]');
const openForm = (fields: readonly FormField[]) => open([asked('e', form(fields))]);

async function answers(chat: Chat) {
  const posted = await chat.posted('answerElicitation');
  return posted.map(({ request, answer }) => [
    request,
    answer.action === 'accept' ? Object.fromEntries(answer.content) : answer.action,
  ]);
}

test('fills in every kind of field by mouse and sends its type', async () => {
  const chat = await openForm(everyField);
  const fields = formOf(chat);
  await fields.getByRole('radio', { name: 'Major' }).click();
  await fields.getByLabel('Version').fill('3.0.0');
  await fields.getByRole('combobox', { name: 'Channel' }).selectOption('beta');
  await fields.getByRole('checkbox', { name: 'Write the changelog entry' }).click();
  await fields.getByRole('radio', { name: 'All at once' }).click();
  await fields.getByRole('group', { name: 'What to check' }).getByRole('checkbox', { name: 'Lint' }).click();
  await fields.getByLabel('Retries').fill('7');
  await fields.getByLabel('Share of users').fill('0.25');
  await fields.getByLabel('Email').fill('ann@example.com');
  await fields.getByLabel('Website').fill('https://example.com/a');
  await fields.getByLabel('Day').fill('2026-11-30');
  await fields.getByLabel('Time').fill('2026-11-30 14:30Z');
  await fields.getByLabel('Notes').fill('one\ntwo');
  await fields.getByLabel('Access token').fill('hunter2');
  await fields.getByLabel('Tint').fill('#fff');
  await fields.getByRole('button', { name: 'Submit', exact: true }).click();
  assert.deepEqual(await answers(chat), [
    [
      'request-e',
      {
        kind: 'major',
        version: '3.0.0',
        channel: 'beta',
        log: false,
        approach: 'once',
        checks: ['unit', 'lint'],
        count: 7,
        ratio: 0.25,
        mail: 'ann@example.com',
        site: 'https://example.com/a',
        day: '2026-11-30',
        at: '2026-11-30T14:30:00Z',
        notes: 'one\ntwo',
        token: 'hunter2',
        tint: '#fff',
      },
    ],
  ]);
  assert.equal(await fields.getByRole('button', { name: 'Decline' }).isDisabled(), true);
  assert.deepEqual(chat.errors, []);
  await chat.close();
});

test('omits empty fields; Enter submits only in single-line fields', async () => {
  const fields = [
    field('name', { type: 'text', isSecret: false, initial: '' }),
    field('notes', { type: 'text', isSecret: false, initial: '', maxLength: 500 }),
    field('on', { type: 'boolean', initial: false }),
    field('some', { type: 'choices', choices: [{ value: 'a', label: 'a' }], initial: [] }),
  ];
  const chat = await openForm(fields);
  await formOf(chat).getByLabel('notes').press('Enter');
  await formOf(chat).getByLabel('notes').fill('');
  await formOf(chat).getByLabel('name').press('Enter');
  assert.deepEqual(await answers(chat), [['request-e', { on: false }]]);
  await chat.close();
});

test('shows a wrong value at its field while typing and blocks sending', async () => {
  const chat = await openForm(release);
  const version = formOf(chat).getByLabel('Version');
  await ready(chat);
  assert.equal(await version.getAttribute('aria-invalid'), 'false');
  await version.press('End');
  await version.pressSequentially('.');
  assert.equal(await version.getAttribute('aria-invalid'), 'true');
  const described = (await version.getAttribute('aria-describedby')) ?? '';
  const texts = await Promise.all(described.split(' ').map((id) => chat.page.locator(`#${id}`).innerText()));
  assert.match(texts[0] ?? '', /^Use the format described below\.$/);
  assert.deepEqual(texts.slice(1), ['Three numbers, such as 2.8.0']);
  await chat.message.focus();
  // The line below the field has moved the form, which is seen in the next frame.
  await chat.still();
  await ready(chat);
  await formOf(chat).getByRole('button', { name: 'Submit' }).click();
  await version.and(chat.page.locator(':focus')).waitFor();
  await version.press('End');
  await version.pressSequentially('0');
  assert.equal(await version.getAttribute('aria-invalid'), 'false');
  assert.equal((await chat.allPosted()).filter(({ type }) => type === 'answerElicitation').length, 0);
  await version.press('Enter');
  assert.deepEqual(await answers(chat), [
    ['request-e', { kind: 'minor', version: '2.8.0', channel: 'next', log: true }],
  ]);
  await chat.close();
});

test('completes the whole form by keyboard without taking the focus', async () => {
  const chat = await openForm(release);
  await ready(chat);
  assert.equal(await chat.page.evaluate(() => document.activeElement?.closest('.pl-ask')), null);
  await chat.receive({ type: 'focusRequest' });
  assert.equal(await formOf(chat).evaluate((element) => element === document.activeElement), true);
  const { keyboard } = chat.page;
  await keyboard.press('Tab');
  await keyboard.press('ArrowRight');
  await keyboard.press('Tab');
  await keyboard.press('End');
  await keyboard.type('.1');
  await keyboard.press('Tab');
  await keyboard.type('lts');
  await keyboard.press('Tab');
  await keyboard.press('Space');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  assert.deepEqual(await answers(chat), [
    ['request-e', { kind: 'major', version: '2.8.1', channel: 'lts', log: false }],
  ]);
  await chat.close();
});

test("shows a choice's question below its title and as its description", async () => {
  const description = 'Which database should the service use?';
  const choices = ['SQLite', 'Postgres'].map((value) => ({ value, label: value }));
  const chat = await openForm([
    field('db', { type: 'choice', label: 'Database', description, choices, initial: '' }),
    field('more', { type: 'choices', label: 'Extras', description: 'What else?', choices, initial: [] }),
  ]);
  const texts = await formOf(chat).locator('.fld').allInnerTexts();
  assert.match(texts[0] ?? '', /Database\s+Which database should the service use\?[\s\S]*SQLite/);
  assert.match(texts[1] ?? '', /Extras\s+What else\?[\s\S]*SQLite/);
  const group = formOf(chat).getByRole('radiogroup', { name: 'Database' });
  const described = (await group.getAttribute('aria-describedby')) ?? '';
  assert.equal(await chat.page.locator(`#${described}`).innerText(), description);
  await chat.close();
});

test('an optional choice can be cleared', async () => {
  const [kind] = release;
  const chat = await openForm([kind!]);
  await ready(chat);
  const minor = formOf(chat).getByRole('radio', { name: 'Minor' });
  await minor.click();
  assert.equal(await minor.getAttribute('aria-checked'), 'false');
  await formOf(chat).getByRole('button', { name: 'Submit' }).click();
  assert.deepEqual(await answers(chat), [['request-e', {}]]);
  await chat.close();
});

test('sends declining and cancelling separately', async () => {
  const chat = await open([asked('a', form([])), asked('b', form([]), { message: 'And now?' })]);
  await chat.page.waitForFunction(() => document.querySelectorAll('.pl-ask[data-ready]').length === 2);
  await formOf(chat).getByRole('button', { name: 'Decline' }).click();
  await formOf(chat, 'And now?').getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(await answers(chat), [
    ['request-a', 'decline'],
    ['request-b', 'cancel'],
  ]);
  await chat.close();
});

test('names the agent and its tool call, without links in texts', async () => {
  const ask = form([field('x', { type: 'boolean', initial: false, description: 'See https://evil.example/x' })]);
  const about = toolCall('t1', { title: 'npm publish' });
  const chat = await open([
    about,
    asked('e', ask, { about: about.toolCallId, message: '<b>Go</b> to https://evil.example' }),
  ]);
  const text = await formOf(chat, '<b>Go</b> to https://evil.example').innerText();
  assert.match(text, /Claude needs your input\. Nothing is sent until you submit\. Related tool call: npm publish/);
  assert.equal(await chat.page.locator('.pl-ask a, .pl-ask [data-href], .pl-ask b').count(), 0);
  await chat.page.locator('.pl-speech').getByText('Claude asks: <b>Go</b>').waitFor({ state: 'attached' });
  await chat.close();
});

test('restores typed values except secrets after a reload, until answered', async () => {
  const entry = asked('e', form(everyField));
  const chat = await open([entry]);
  await formOf(chat).getByLabel('Version').fill('9.9');
  await formOf(chat).getByLabel('Access token').fill('hunter2');
  await formOf(chat).getByRole('checkbox', { name: 'Lint' }).click();
  await chat.reload();
  assert.ok(!(await chat.page.evaluate(() => JSON.stringify(sessionStorage))).includes('hunter2'));
  await show(chat, [entry]);
  assert.equal(await formOf(chat).getByLabel('Version').inputValue(), '9.9');
  assert.equal(await formOf(chat).getByLabel('Version').getAttribute('aria-invalid'), 'true');
  assert.equal(await formOf(chat).getByLabel('Access token').inputValue(), '');
  assert.equal(await formOf(chat).getByRole('checkbox', { name: 'Lint' }).isChecked(), true);
  const replace = (next: ElicitationEntry) => chat.apply(sessionA, 0, [{ op: 'replace', entry: next }]);
  await replace(elicitation('e', { state: 'declined' }));
  await chat.page.getByRole('article', { name: 'Claude asks' }).getByText('You declined').waitFor();
  await chat.reload();
  await show(chat, [entry]);
  assert.equal(await formOf(chat).getByLabel('Version').inputValue(), '2.8');
  await chat.close();
});

test('keeps the form open if its answer was not accepted', async () => {
  const entry = asked('e', address('https://example.com/login'));
  const chat = await open([entry]);
  await ready(chat);
  const button = formOf(chat).getByRole('button', { name: 'Open Link' });
  await button.click();
  assert.equal(await button.isDisabled(), true);
  const question = { ...entry.question, problem: 'notOpened' } as ElicitationEntry['question'];
  await chat.apply(sessionA, 0, [{ op: 'replace', entry: { ...entry, question } }]);
  await formOf(chat).getByText('The page wasn’t opened').waitFor();
  assert.equal(await button.isDisabled(), false);
  await chat.close();
});

test('shows a URL whole with its host and requests nothing before', async () => {
  const url = 'https://login.example.com:8443/device?user_code=ABCD-EFGH&next=http%3A%2F%2Flocalhost';
  const chat = await browser.open();
  const requests: string[] = [];
  const { origin } = new URL(chat.page.url());
  chat.page.on('request', (request) => {
    if (!request.url().startsWith(origin)) requests.push(request.url());
  });
  await show(chat, [asked('e', address(url))]);
  await ready(chat);
  await formOf(chat).getByText(url, { exact: true }).waitFor();
  assert.equal(await chat.page.locator('.pl-ask > .host').innerText(), 'login.example.com:8443');
  assert.match(await formOf(chat).innerText(), /Claude wants to open a page in your browser\. Nothing opens/);
  assert.deepEqual(await formOf(chat).getByRole('button').allInnerTexts(), ['Open Link', 'Decline', 'Cancel']);
  assert.equal(
    (await chat.allPosted()).filter(({ type }) => type === 'answerElicitation' || type === 'openLink').length,
    0,
  );
  await formOf(chat).getByRole('button', { name: 'Open Link' }).click();
  assert.deepEqual(await answers(chat), [['request-e', {}]]);
  assert.deepEqual(requests, []);
  await chat.close();
});

test("declines a form even if its code can't be loaded", async () => {
  const chat = await browser.open({ ownWindow: true });
  await chat.page.route('**/elicitationCard*', (route) => route.abort());
  await show(chat, [asked('e', form(release))]);
  await chat.page.getByText('Couldn’t load the form.').waitFor();
  await chat.button('Decline').click();
  assert.deepEqual(await answers(chat), [['request-e', 'decline']]);
  assert.match((await chat.posted('pageError'))[0]?.message ?? '', /^Forms not loaded/);
  await chat.close();
});

test('warns of odd URLs and then recommends no answer', async () => {
  const odd = [
    'http://example.com/',
    'https://\u0430pple.com/',
    'https://google.com@evil.example/',
    'https://203.0.113.7/',
  ];
  const words = [/isn’t encrypted/, /look-alike characters/, /before the @/, /a number instead of a name/];
  const chat = await open(odd.map((url, at) => asked(`e${at}`, address(url), { message: `Open ${at}` })));
  for (const [at, sentence] of words.entries()) {
    assert.match(await formOf(chat, `Open ${at}`).innerText(), sentence);
    assert.equal(await formOf(chat, `Open ${at}`).locator('.primary').count(), 0);
  }
  assert.match(await formOf(chat, 'Open 1').innerText(), /xn--pple-43d\.com/);
  assert.equal(await chat.page.locator('.pl-ask .whole b').nth(2).innerText(), 'evil.example');
  await chat.close();
});

test('counts requests and forms out of sight in the tray', async () => {
  const filler = Array.from({ length: 60 }, (_one, at) => userMessage(`f${at}`, `Filler ${at}`));
  const chat = await open([asked('e', form(release)), ...filler]);
  await chat.page.getByText('Claude is waiting for you').waitFor();
  await chat.button('Show request').click();
  await ready(chat);
  assert.equal(await formOf(chat).evaluate((element) => element === document.activeElement), true);
  await chat.page.getByText('Claude is waiting for you').waitFor({ state: 'hidden' });
  await chat.close();
});
