import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId } from '../../src/shared/values/ids';
import { useBrowser } from './chat';
import {
  agentMessage,
  asking,
  commands,
  listing,
  pageWithSession,
  plan,
  sessionA,
  sessionB,
  snapshot,
  toolCall,
} from './samples';

const browser = useBrowser();

test('shows a cancellable status while an agent starts', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ connection: { state: 'starting' } }));
  const status = chat.page.locator('.pl-status');
  assert.equal(await status.getAttribute('role'), 'status');
  assert.match((await status.textContent()) ?? '', /Starting Claude/);
  await chat.button('Cancel').click();
  assert.deepEqual(await chat.posted('cancelStart'), [{ type: 'cancelStart', session: sessionA }]);
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { connection: { state: 'opening' } } }]);
  assert.match((await status.textContent()) ?? '', /Opening a session with Claude/);
  await chat.apply(sessionA, 1, [{ op: 'view', fields: { connection: { state: 'ready' } } }]);
  assert.equal(await status.count(), 0);
  await chat.close();
});

test('the header names the session, and the meter shows reported usage', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot());
  assert.equal(await chat.page.getByRole('heading', { level: 1, name: 'Retry flaky uploads' }).count(), 1);
  const meter = chat.page.getByRole('meter', { name: 'Context' });
  assert.equal(await meter.count(), 0);
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { usage: { state: 'known', used: 170_000, size: 200_000 } } }]);
  assert.equal(await meter.getAttribute('aria-valuenow'), '85');
  assert.equal(await meter.getAttribute('data-level'), 'high');
  assert.equal(await meter.getAttribute('aria-valuetext'), '85% used, 170k of 200k');
  const cost = { amount: 1.5, currency: 'USD' };
  const turnUsage = { total: 12_400, input: 11_000, output: 1400, cachedRead: 9000 };
  const usage = { state: 'known', used: 170_000, size: 200_000, cost } as const;
  await chat.apply(sessionA, 1, [{ op: 'view', fields: { usage, turnUsage } }]);
  const told = ['This session: $1.50', 'Last turn: 12.4k tokens (11k input, 9k cached, 1.4k output)'];
  assert.equal(await meter.getAttribute('aria-valuetext'), ['85% used, 170k of 200k', ...told].join(', '));
  assert.equal(await meter.getAttribute('title'), ['Context: 170k of 200k', ...told].join('\n'));
  await chat.apply(sessionA, 2, [{ op: 'view', fields: { usage: { state: 'unknown' } } }]);
  assert.equal(await meter.count(), 0);
  assert.match(await chat.page.getByRole('banner').innerText(), /12\.4k tokens/);
  await chat.close();
});

test('shows tabs with two sessions, with arrow keys and states', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  assert.equal(await chat.page.getByRole('tab').count(), 0);
  await chat.showPage(pageWithSession([listing(sessionB, { title: 'Docs pass', state: 'running' })]));
  await chat.showSession(sessionA, snapshot());
  const names = async () =>
    chat.page.getByRole('tab').evaluateAll((all) => all.map((tab) => tab.getAttribute('aria-label')));
  assert.deepEqual(await names(), ['Retry flaky uploads', 'Docs pass, running']);
  await chat.showPage(pageWithSession([listing(sessionB, { title: 'Docs pass' })]));
  assert.deepEqual(await names(), ['Retry flaky uploads', 'Docs pass, unread']);
  await chat.page.getByRole('tab', { selected: true }).focus();
  await chat.page.keyboard.press('ArrowRight');
  await chat.page.keyboard.press('Enter');
  assert.deepEqual(await chat.posted('selectSession'), [{ type: 'selectSession', session: sessionB }]);
  await chat.page.keyboard.press('Delete');
  await chat.button('Close Retry flaky uploads').click();
  assert.deepEqual(
    (await chat.posted('closeSession')).map(({ session }) => session),
    [sessionB, sessionA],
  );
  await chat.close();
});

test('shows the plan in the tray, also to screen readers when folded', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ plans: [plan] }));
  const list = chat.page.getByRole('list', { name: 'Plan', exact: true });
  assert.equal(await list.getByRole('listitem').count(), 5);
  assert.equal(await chat.page.getByText('2 of 5').isVisible(), true);
  const strip = chat.page.getByRole('button', { name: /^Plan/ });
  assert.equal(await strip.getAttribute('aria-expanded'), 'false');
  const done = plan.type === 'items' ? plan.items.map((item) => ({ ...item, status: 'completed' as const })) : [];
  const running = { state: 'running', since: 1 } as const;
  await chat.apply(sessionA, 0, [
    { op: 'view', fields: { activity: running, plans: [{ ...plan, type: 'items', items: done }] } },
  ]);
  assert.equal(await chat.page.getByText('5 of 5').isVisible(), true);
  await strip.click();
  await chat.reload();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ plans: [plan] }));
  assert.equal(await chat.page.getByRole('button', { name: /^Plan/ }).getAttribute('aria-expanded'), 'true');
  await chat.close();
});

test('shows queued messages in the list named Queue', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ queue: [{ id: 'q1', text: 'Then this' }] }));
  assert.deepEqual(
    (await chat.page.getByRole('list', { name: 'Queue' }).getByRole('listitem').allTextContents()).map((text) =>
      text.trim(),
    ),
    ['Then this'],
  );
  await chat.close();
});

test('a suggested message is put into the composer, and never sent', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  const suggestions = ['Run the tests', '<b>bold</b>\u202e'];
  await chat.showSession(sessionA, snapshot({ suggestions }));
  const group = chat.page.getByRole('group', { name: 'Suggested by Claude' });
  assert.deepEqual(
    (await group.getByRole('button').allInnerTexts()).map((text) => text.trim()),
    ['Run the tests', '<b>bold</b>\\u{202e}'],
  );
  await chat.page.getByRole('textbox', { name: 'Message' }).fill('First this.');
  await group.getByRole('button', { name: 'Run the tests' }).click();
  assert.equal(await chat.page.getByRole('textbox', { name: 'Message' }).inputValue(), 'First this.\n\nRun the tests');
  // Tab takes the first one into the empty box; with a text in it, Tab goes on as everywhere.
  const box = chat.page.getByRole('textbox', { name: 'Message' });
  await box.fill('');
  await box.press('Tab');
  assert.equal(await box.inputValue(), 'Run the tests');
  await box.press('Tab');
  assert.equal(await box.evaluate((element) => element === document.activeElement), false);
  assert.equal(await box.inputValue(), 'Run the tests');
  const posted = await chat.page.evaluate(() => window.fakeHost.posted.map(({ type }) => type));
  assert.ok(!posted.includes('sendPrompt'));
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { activity: { state: 'running', since: Date.now() } } }]);
  await group.waitFor({ state: 'detached' });
  await chat.apply(sessionA, 1, [{ op: 'view', fields: { activity: { state: 'idle' } } }]);
  await group.waitFor();
  await chat.showPage({ ...pageWithSession(), hidesSuggestions: true });
  await group.waitFor({ state: 'detached' });
  await chat.close();
});

test('a queued message of plain text can be added next', async () => {
  const chat = await browser.open();
  const link = { type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' } as const;
  const queue = [
    { id: 'q1', text: 'Then this' },
    { id: 'q2', text: 'And that', attachments: [link] },
    { id: 'q3', text: 'And those', joins: true },
  ] as const;
  await chat.showPage(pageWithSession());
  const running = { activity: { state: 'running', since: Date.now() }, canSteer: 'text' } as const;
  await chat.showSession(sessionA, snapshot({ queue, ...running }));
  const rows = chat.page.getByRole('list', { name: 'Queue' }).getByRole('listitem');
  const add = (at: number) => rows.nth(at).getByRole('button', { name: 'Add to this turn' });
  assert.deepEqual([await add(0).count(), await add(1).count(), await add(2).count()], [1, 0, 0]);
  assert.match(await rows.nth(2).innerText(), /added next/);
  await rows.nth(0).hover();
  await add(0).click();
  assert.deepEqual(await chat.posted('changeQueue'), [
    { type: 'changeQueue', session: sessionA, id: 'q1', change: { kind: 'steer' } },
  ]);
  await chat.close();
});

test("a queued message's buttons send, move, change, and remove it", async () => {
  const chat = await browser.open();
  const running = { activity: { state: 'running', since: Date.now() }, canSteer: true } as const;
  const link = { type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' } as const;
  const queue = [
    { id: 'q1', text: 'Then this' },
    { id: 'q2', text: 'And that', attachments: [link] },
  ];
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ queue, ...running }));
  const second = chat.page.getByRole('list', { name: 'Queue' }).getByRole('listitem').nth(1);
  for (const name of ['Add to this turn', 'Stop Claude and send now', 'Move up', 'Remove']) {
    await second.hover();
    await second.getByRole('button', { name, exact: true }).click();
  }
  const changes = (await chat.posted('changeQueue')).map(({ id, change }) => [id, change]);
  assert.deepEqual(changes, [
    ['q2', { kind: 'steer' }],
    ['q2', { kind: 'stopAndSend' }],
    ['q2', { kind: 'move', to: 0 }],
    ['q2', { kind: 'remove' }],
  ]);
  await chat.message.fill('A draft');
  await second.hover();
  await second.getByRole('button', { name: 'Edit', exact: true }).click();
  assert.equal(await chat.message.inputValue(), 'And that\n\nA draft');
  assert.equal(await chat.button('Remove a.ts').count(), 1);
  assert.deepEqual(await chat.accessibilityProblems(), []);
  await chat.close();
});

test('an edited message of the queue returns to its place', async () => {
  const chat = await browser.open();
  const queue = [
    { id: 'q1', text: 'Then this' },
    { id: 'q2', text: 'And that' },
    { id: 'q3', text: 'And those' },
  ];
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ queue, activity: { state: 'running', since: Date.now() } }));
  const row = (text: string) =>
    chat.page.getByRole('list', { name: 'Queue' }).getByRole('listitem').filter({ hasText: text });
  const edit = async (text: string) => {
    await row(text).hover();
    await row(text).getByRole('button', { name: 'Edit', exact: true }).click();
  };
  await edit('And that');
  await chat.message.fill('And that, too');
  await chat.message.press('Enter');
  await edit('And those');
  await chat.message.fill('');
  await chat.message.fill('Something else');
  await chat.message.press('Enter');
  assert.deepEqual(await chat.posted('sendPrompt'), [
    { type: 'sendPrompt', session: sessionA, text: 'And that, too', after: ['q1'] },
    { type: 'sendPrompt', session: sessionA, text: 'Something else' },
  ]);
  await chat.close();
});

test('marks messages held by a stop and sends them by button', async () => {
  const chat = await browser.open();
  const queue = [
    { id: 'q1', text: 'Then this' },
    { id: 'q2', text: 'And that' },
  ];
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ queue, isQueueHeld: true }));
  assert.equal(await chat.button('Stopped: 2 queued messages are on hold').count(), 1);
  await chat.button('Send queued messages').click();
  assert.equal((await chat.posted('resumeQueue')).length, 1);
  assert.deepEqual(await chat.accessibilityProblems(), []);
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { isQueueHeld: false } }]);
  assert.equal(await chat.button('Send queued messages').count(), 0);
  await chat.close();
});

test('says in a narrow view how many messages are on hold', async () => {
  const chat = await browser.open({ width: 290 });
  const queue = [
    { id: 'q1', text: 'Then this' },
    { id: 'q2', text: 'And that' },
  ];
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ queue, isQueueHeld: true }));
  const words = chat.button('Stopped: 2 queued messages are on hold').locator('.clip');
  assert.equal(await words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0, 'not cut off');
  const height = await chat.page.locator('.pl-queue .head').evaluate((head) => head.clientHeight);
  assert.ok(height <= 64, `the words have ${height} px with the button`);
  await chat.close();
});

test("hides adding to a turn if the agent doesn't support it", async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(
    sessionA,
    snapshot({ queue: [{ id: 'q1', text: 'Then this' }], activity: { state: 'running', since: Date.now() } }),
  );
  await chat.page.getByRole('list', { name: 'Queue' }).getByRole('listitem').hover();
  assert.equal(await chat.button('Add to this turn').count(), 0);
  assert.equal(await chat.button('Stop Claude and send now').count(), 1);
  assert.equal(await chat.button('Move up').count(), 0);
  await chat.close();
});

test("announces a turn's events politely, one sentence at a time", async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ availableCommands: commands }));
  const polite = chat.page.locator('.pl-speech [aria-live=polite]');
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { activity: { state: 'running', since: 1 } } }]);
  assert.equal(await polite.textContent(), 'Claude is working');
  await chat.apply(sessionA, 1, [{ op: 'insert', entry: toolCall('t1', { status: 'failed' }) }]);
  await chat.apply(sessionA, 2, [
    { op: 'view', fields: { activity: { state: 'idle' } } },
    { op: 'summarize', id: 't1' as EntryId, summary: { startedAt: 1, endedAt: 2 } },
  ]);
  assert.equal(await polite.textContent(), 'Claude is working');
  await chat.page.waitForFunction(() => {
    const text = document.querySelector('.pl-speech [aria-live=polite]')?.textContent;
    return text === 'Claude is done: 1 tool call, 1 failed';
  });
  await chat.close();
});

test('offers New Session in an editor tab but not the view', async () => {
  const view = await browser.open();
  await view.showPage(pageWithSession());
  await view.showSession(sessionA, snapshot());
  assert.equal(await view.button('New session').count(), 0);
  await view.close();
  const tab = await browser.open({ host: 'editor', width: 900 });
  await tab.showPage(pageWithSession([], { host: 'editor' }));
  await tab.showSession(sessionA, snapshot());
  await tab.button('New session').click();
  assert.deepEqual(await tab.posted('newSession'), [{ type: 'newSession' }]);
  await tab.close();
});

test('animates nothing with reduced motion', async () => {
  const chat = await browser.open({ reducedMotion: true });
  await chat.showPage(pageWithSession([listing(sessionB, { state: 'running' })]));
  await chat.showSession(sessionA, snapshot({ connection: { state: 'starting' } }));
  assert.equal(await chat.page.evaluate(() => document.getAnimations().length), 0);
  await chat.close();
});

test('the tray leads to a request out of sight', async () => {
  const chat = await browser.open({ height: 600 });
  const entries = Array.from({ length: 40 }, (_, at) => agentMessage(`a${at}`, `Paragraph number ${at}. `.repeat(12)));
  await chat.showPage(pageWithSession());
  await chat.showSession(
    sessionA,
    snapshot({ activity: { state: 'requires_action', since: 1 } }, [asking('t1'), ...entries]),
  );
  const show = chat.button('Show request');
  await show.waitFor();
  assert.equal(await chat.page.getByText('Claude is waiting for you').isVisible(), true);
  await show.click();
  await show.waitFor({ state: 'detached' });
  assert.equal(await chat.page.getByRole('group', { name: /^Permission/ }).isVisible(), true);
  assert.equal(await chat.page.evaluate(() => document.activeElement?.getAttribute('role')), 'group');
  await chat.close();
});
