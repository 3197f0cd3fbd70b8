import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId } from '../../src/shared/values/ids';
import type { ErrorEntry, Usage } from '../../src/shared/transcript/transcript';
import type { UsageLine, UsageReport } from '../../src/shared/pages/usagePage';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { agentMessage, pageWithSession, sessionA, sessionB, snapshot, userMessage } from './samples';

/* What agents use: the popover of the context ring, and the page of usage. */

const browser = useBrowser();

const line = (fields: Partial<UsageLine>): UsageLine => ({
  label: '',
  agentName: 'Claude',
  turns: 1,
  tokens: { total: 0, input: 0, output: 0 },
  costs: [],
  about: [],
  ...fields,
});
const usd = (amount: number) => [{ amount, currency: 'USD' }];
const many = { total: 1_240_000, input: 1_100_000, output: 140_000, cachedRead: 900_000 };
const some = { total: 98_200, input: 80_000, output: 18_200 };
const few = { total: 412, input: 400, output: 12 };

const budgets: UsageReport['budgets'] = [
  { per: 'session', currency: 'USD', most: 5 },
  { per: 'day', most: 5_000_000, used: 1_240_000, until: Date.now() + 3_600_000 },
  { per: 'day', agentName: 'Claude', currency: 'USD', most: 3, used: 3.2, until: Date.now() + 3_600_000 },
];

const report: UsageReport = {
  range: 'month',
  budgets,
  total: line({ agentName: '', turns: 41, tokens: many, costs: usd(3.2), about: usd(0.45) }),
  groups: {
    days: [
      line({ label: '2026-11-26', turns: 12, tokens: many, costs: usd(3.2) }),
      line({ label: '2026-11-25', turns: 29, tokens: some, about: usd(0.45) }),
    ],
    agents: [
      line({ label: 'Claude', turns: 30, tokens: many, costs: usd(3.2) }),
      line({
        label: 'An agent with a very long name indeed',
        agentName: 'Qwen',
        turns: 11,
        tokens: some,
        about: usd(0.45),
      }),
    ],
    models: [
      line({ label: 'claude-opus-5-5-with-a-long-context-20261101', turns: 30, tokens: many, costs: usd(3.2) }),
      line({ label: '', agentName: 'Qwen', turns: 11, tokens: few }),
    ],
    sessions: [
      line({
        label: 'Retry flaky uploads with a growing delay between them',
        turns: 30,
        tokens: some,
        costs: usd(3.2),
      }),
      line({ label: '', agentName: 'Qwen', turns: 11, tokens: few, about: usd(0.45) }),
    ],
  },
};

async function showReport(chat: Chat): Promise<void> {
  await chat.receive({ type: 'tab', tab: 'usage' });
  await chat.receive({ type: 'usage', report, locale: 'en' });
  await chat.page.getByRole('table', { name: 'Sessions' }).waitFor();
}

const inTwoHours = () => Date.now() + 2 * 3_600_000;

async function openPopover(chat: Chat, fields: Parameters<typeof snapshot>[0] = {}): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(
    sessionA,
    snapshot(
      {
        usage: { state: 'known', used: 170_000, size: 200_000 },
        turnUsage: few,
        spent: some,
        availableCommands: [{ name: 'compact', description: 'Compact the conversation' }],
        limits: [
          { type: 'five_hour', state: 'warning', used: 0.82, resetsAt: inTwoHours() },
          { type: 'seven_day_opus', state: 'reached', resetsAt: inTwoHours() },
          { type: 'seven_day', state: 'ok', used: 0.9, resetsAt: 5 },
        ],
        budgets: [
          { per: 'session', most: 120_000, used: 98_200 },
          { per: 'day', agentName: 'Claude', currency: 'USD', most: 3, used: 3.2, until: inTwoHours() },
        ],
        ...fields,
      },
      [userMessage('u1', 'How do we retry?', 1), agentMessage('a1', 'With a growing delay.', 1)],
    ),
  );
  await chat.button('Usage').focus();
  await chat.page.keyboard.press('Enter');
  await chat.page.getByRole('dialog', { name: 'Usage' }).waitFor();
  await chat.receive({
    type: 'usageOf',
    session: sessionA,
    lines: { session: line({ tokens: some, about: usd(0.45) }), today: line({ tokens: many, costs: usd(3.2) }) },
  });
  await chat.page.getByText('Claude today').waitFor();
}

/** As Qwen Code answers it. */
async function openParts(chat: Chat, usage: Usage = { state: 'known', used: 21_300, size: 200_000 }): Promise<void> {
  await openPopover(chat, { usage, limits: [] });
  await chat.receive({
    type: 'contextOf',
    session: sessionA,
    context: {
      used: 21_300,
      size: 200_000,
      parts: [
        { kind: 'systemPrompt', tokens: 5_194 },
        { kind: 'builtinTools', tokens: 10_839 },
        { kind: 'memoryFiles', tokens: 1_389 },
        { kind: 'messages', tokens: 412 },
      ],
      compactsAt: 167_000,
      isEstimated: false,
    },
    stats: { tokens: 98_900, requests: 8, toolCalls: 1, failedToolCalls: 0 },
  });
  await chat.page.getByText('Counted by Claude').waitFor();
}

const limited = (fields: Partial<ErrorEntry> = {}): ErrorEntry => ({
  kind: 'error',
  id: 'e1' as EntryId,
  turn: 1,
  code: 'usageLimit',
  title: 'You’ve reached Claude’s usage limit.',
  cause: 'Claude AI usage limit reached',
  limit: { type: 'five_hour', resetsAt: inTwoHours() },
  actions: ['sendLater', 'sendAgain', 'continueWith', 'showLog'],
  ...fields,
});

async function showLimit(chat: Chat, fields: Partial<ErrorEntry> = {}): Promise<void> {
  await chat.showPage(pageWithSession());
  const scheduled = { text: 'How do we retry?', at: inTwoHours() };
  await chat.showSession(
    sessionA,
    snapshot({ scheduled }, [userMessage('u1', 'How do we retry?', 1), limited(fields)]),
  );
  await chat.page.getByText('You’ve reached Claude’s usage limit.').waitFor();
}

async function askForBudget(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  const over = { per: 'day', most: 5_000_000, used: 5_240_000, until: inTwoHours() } as const;
  const view = { budgets: [over], asksBudget: true, queue: [{ id: 'queued:1', text: 'And now the tests' }] };
  await chat.showSession(sessionA, snapshot(view, [userMessage('u1', 'How do we retry?', 1)]));
  await chat.page.getByRole('region', { name: 'Budget' }).waitFor();
}

testLooks(browser, [
  { name: 'budget-asks', widths: [290], inTab: 1200, reach: askForBudget },
  { name: 'limit-card', widths: [290], inTab: 1200, reach: (chat) => showLimit(chat) },
  { name: 'usage-popover', widths: [290], inTab: 1200, reach: (chat) => openPopover(chat) },
  { name: 'context-parts', widths: [290, 420], inTab: 1200, reach: (chat) => openParts(chat) },
  { name: 'usage-page', page: 'parley', height: 900, widths: [290, 1200], reach: showReport },
]);

test('links of the popover begin where its rows begin', async () => {
  const chat = await browser.open({ width: 290 });
  await openPopover(chat, { availableCommands: [] });
  const starts = await chat.page.getByRole('dialog', { name: 'Usage' }).evaluate((popover) =>
    [...popover.querySelectorAll('dt, .btns > .link:first-child')].map((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const text = [...range.getClientRects()].filter(({ width }) => width > 0);
      return Math.round(Math.min(...text.map(({ left }) => left)));
    }),
  );
  assert.ok(starts.length > 3);
  assert.equal(new Set(starts).size, 1);
  await chat.close();
});

test('the ring opens what the session, the day, and limits say', async () => {
  const chat = await browser.open({ width: 420 });
  await openPopover(chat);
  assert.deepEqual(await chat.posted('fetchUsage'), [{ type: 'fetchUsage', session: sessionA }]);
  const dialog = chat.page.getByRole('dialog', { name: 'Usage' });
  const rows = (await dialog.locator('dl > div').allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' '));
  assert.equal(rows.length, 7);
  assert.equal(rows[1], 'This session 98.2k tokens (80k input, 18.2k output) about $0.45');
  assert.equal(rows[2], 'Claude today 1.2M tokens (1.1M input, 900k cached, 140k output) $3.20');
  assert.match(rows[3] ?? '', /^5-hour limit 82% used, resets .+, in 2 h$/);
  assert.match(rows[4] ?? '', /^Weekly limit for Opus used up, resets .+, in 2 h$/);
  assert.equal(rows[5], 'Session budget 82% used, 98.2k of 120k tokens');
  assert.equal(rows[6], 'Daily budget for Claude used up, $3.20 of $3.00');
  // A turn that ends in the meantime is counted.
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { spent: many } }]);
  await dialog.getByText('1.2M tokens').nth(1).waitFor();
  assert.equal((await chat.posted('fetchUsage')).length, 2);
  await chat.page.keyboard.press('Escape');
  assert.equal(await dialog.count(), 0);
  assert.ok(await chat.button('Usage').evaluate((button) => button === document.activeElement));
  await chat.close();
});

test("the popover shows the context's parts as the agent counts them", async () => {
  const chat = await browser.open({ width: 420 });
  await openParts(chat, { state: 'unknown' });
  assert.deepEqual(await chat.posted('fetchContext'), [{ type: 'fetchContext', session: sessionA }]);
  const dialog = chat.page.getByRole('dialog', { name: 'Usage' });
  const rows = (await dialog.locator('dl > div').allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' '));
  assert.deepEqual(rows.slice(0, 5), [
    'Instructions 5.2k',
    'Built-in tools 10.8k',
    'Memory files 1.4k',
    'Conversation 412',
    'Compacted at 167k',
  ]);
  assert.ok(rows.includes('Counted by Claude 98.9k tokens, 8 model requests, 1 tool call'), rows.join('\n'));
  assert.match(await dialog.locator('.ctx').innerText(), /11% used, 21.3k of 200k/);
  // Another session's answer is late.
  await chat.receive({
    type: 'contextOf',
    session: sessionB,
    stats: { tokens: 5, requests: 1, toolCalls: 0, failedToolCalls: 0 },
  });
  assert.equal(await dialog.getByText('Counted by Claude').count(), 0);
  await chat.close();
});

test('the popover compacts, and leads to the page of usage', async () => {
  const chat = await browser.open({ width: 420 });
  await openPopover(chat);
  await chat.button('Compact now').click();
  assert.deepEqual(await chat.posted('sendPrompt'), [{ type: 'sendPrompt', session: sessionA, text: '/compact' }]);
  await chat.button('Usage').click();
  await chat.button('New session from summary').click();
  assert.deepEqual(await chat.posted('newFromSummary'), [{ type: 'newFromSummary', session: sessionA }]);
  await chat.button('Usage').click();
  await chat.button('All usage').click();
  assert.deepEqual(await chat.posted('showUsage'), [{ type: 'showUsage' }]);
  assert.equal(await chat.page.getByRole('dialog', { name: 'Usage' }).count(), 0);
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { availableCommands: [] } }]);
  await chat.button('Usage').click();
  assert.equal(await chat.button('Compact now').count(), 0);
  // A click elsewhere closes it.
  await chat.page.getByRole('textbox').first().click();
  assert.equal(await chat.page.getByRole('dialog', { name: 'Usage' }).count(), 0);
  await chat.close();
});

test('the page of usage has tables, a range, and an export', async () => {
  const chat = await browser.open({ page: 'parley', host: 'editor' });
  await showReport(chat);
  await chat.page.getByText('1.2M tokens (1.1M input, 900k cached, 140k output)').waitFor();
  await chat.page.getByText('41 turns, $3.20 + about $0.45').waitFor();
  const rows = await chat.page.getByRole('table', { name: 'Models' }).getByRole('row').allInnerTexts();
  assert.equal(rows[2]?.replaceAll(/\s+/g, ' ').trim(), 'Qwen, model not reported 11 412');
  await chat.page.getByRole('row', { name: /^Qwen, session not in this folder/ }).waitFor();
  await chat.page.getByRole('row', { name: /^Nov 26, 2026/ }).waitFor();
  await chat.page.getByLabel('Range').selectOption('week');
  await chat.button('Export as CSV').click();
  await chat.button('Prices').click();
  await chat.button('Budgets').click();
  const limits = await chat.page.getByRole('table', { name: 'Budgets' }).getByRole('row').allInnerTexts();
  assert.deepEqual(
    limits.slice(1).map((row) => row.replaceAll(/\s+/g, ' ').trim()),
    [
      'Session budget $5.00 per session',
      'Daily budget 1.2M of 5M tokens',
      'Daily budget for Claude $3.20 of $3.00 used up',
    ],
  );
  const posted = await chat.page.evaluate(() => window.fakeHost.posted as unknown as readonly { type: string }[]);
  assert.deepEqual(posted.slice(2), [
    { type: 'setRange', range: 'week' },
    { type: 'exportCsv' },
    { type: 'openPrices' },
    { type: 'openBudget' },
  ]);
  const groups = { days: [], agents: [], models: [], sessions: [] };
  await chat.receive({ type: 'usage', report: { ...report, groups }, locale: 'en' });
  await chat.page.getByText('No agent reported any usage in this period.').waitFor();
  assert.deepEqual(await chat.violations(), []);
  await chat.close();
});

test('the card of a limit offers to send when it resets', async () => {
  const chat = await browser.open({ width: 420 });
  await showLimit(chat);
  const card = chat.page.locator('.pl-card.err');
  assert.match(await card.innerText(), /5-hour limit: resets .+, in 2 h\. Your message is saved\./);
  await card.getByRole('button', { name: /^Send at \S/ }).click();
  assert.deepEqual(await chat.posted('errorAction'), [
    { type: 'errorAction', session: sessionA, entry: 'e1', action: 'sendLater' },
  ]);
  await card.getByRole('button', { name: 'Continue with…' }).click();
  assert.equal((await chat.posted('errorAction'))[1]?.action, 'continueWith');
  // A limit that has reset offers no time.
  await showLimit(chat, { limit: { type: 'five_hour', resetsAt: 5 } });
  await card.getByText('5-hour limit. Your message is saved.').waitFor();
  assert.deepEqual(await card.getByRole('button').allInnerTexts(), ['Send again', 'Continue with…', 'Show log']);
  await chat.close();
});

const carriedOn = {
  type: 'resource',
  uri: 'attachment:///Earlier%20conversation.md',
  name: 'Earlier conversation',
  text: 'This is the conversation before.\n\nUser:\n  How do we retry?\n\nAgent (Claude):\n  With a growing delay.\n',
} as const;

async function showDraft(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, []));
  const text = 'Continue the work of the attached conversation.';
  await chat.receive({ type: 'addDraft', text, attachments: [carriedOn] });
  await chat.button('Earlier conversation').click();
  await chat.page.getByRole('dialog', { name: 'Earlier conversation' }).waitFor();
}

testLooks(browser, [{ name: 'continued-draft', widths: [290], inTab: 1200, reach: showDraft }]);

test('what goes along can be read and changed before it is sent', async () => {
  const chat = await browser.open({ width: 420 });
  await showDraft(chat);
  const dialog = chat.page.getByRole('dialog', { name: 'Earlier conversation' });
  const field = dialog.getByRole('textbox', { name: 'Text' });
  assert.equal(await field.inputValue(), carriedOn.text);
  await dialog.getByText(`${carriedOn.text.length} characters, sent with your message as shown`).waitFor();
  await field.fill('User:\n  Mine');
  await dialog.getByText('12 characters, sent with your message as shown').waitFor();
  await chat.page.keyboard.press('Escape');
  await chat.reload();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, []));
  await chat.button('Send').click();
  const [sent] = await chat.posted('sendPrompt');
  assert.deepEqual(sent?.attachments, [{ ...carriedOn, text: 'User:\n  Mine' }]);
  await chat.close();
});

test('a scheduled message is above the composer until cancelled', async () => {
  const chat = await browser.open({ width: 420 });
  await showLimit(chat);
  const strip = chat.page.getByRole('region', { name: 'Scheduled message' });
  assert.match(await strip.innerText(), /Scheduled for \S/);
  await strip.getByRole('button', { name: 'Don’t send' }).click();
  await strip.getByRole('button', { name: 'Send now' }).click();
  assert.deepEqual(await chat.posted('changeScheduled'), [
    { type: 'changeScheduled', session: sessionA, action: 'cancel' },
    { type: 'changeScheduled', session: sessionA, action: 'send' },
  ]);
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { scheduled: 'none' } }]);
  assert.equal(await strip.count(), 0);
  await chat.close();
});

test('a budget that is used up asks before the message is sent', async () => {
  const chat = await browser.open({ width: 420 });
  await askForBudget(chat);
  const strip = chat.page.getByRole('region', { name: 'Budget' });
  assert.match(await strip.innerText(), /Daily budget is used up: 5\.2M of 5M tokens\. Your message isn’t sent yet\./);
  await strip.getByRole('button', { name: 'Send anyway' }).click();
  await strip.getByRole('button', { name: 'Change budget' }).click();
  assert.deepEqual(await chat.posted('sendAnyway'), [{ type: 'sendAnyway', session: sessionA }]);
  assert.deepEqual(await chat.posted('openBudget'), [{ type: 'openBudget' }]);
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { asksBudget: false } }]);
  assert.equal(await strip.count(), 0);
  await chat.close();
});
