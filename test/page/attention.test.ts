import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EntryId } from '../../src/shared/values/ids';
import { useBrowser, type Chat } from './chat';
import { pageWithSession, plan, sessionA, snapshot, userMessage } from './samples';

const browser = useBrowser();

/** A session whose agent has sent nothing for 13 s, on a clock that the test moves. */
async function silentAgent(): Promise<Chat> {
  const chat = await browser.open({ ownWindow: true });
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({}, [userMessage('u', 'Retry')]));
  await chat.page.clock.install({ time: Date.now() });
  const since = Date.now();
  await chat.apply(sessionA, 0, [{ op: 'view', fields: { activity: { state: 'running', since } } }]);
  await chat.page.clock.pauseAt(since + 13_000);
  return chat;
}

const choice = (chat: Chat, name: string) => chat.page.locator('.pl-work').getByRole('button', { name, exact: true });

/** Presses a button by keyboard. */
async function press(chat: Chat, name: string): Promise<void> {
  await choice(chat, name).focus();
  await chat.page.keyboard.press('Enter');
}

test('a silent agent can be given more time by keyboard', async () => {
  const chat = await silentAgent();
  const { clock, keyboard } = chat.page;
  await clock.runFor(40_000);
  await chat.page.getByText(/Claude hasn’t responded for /).waitFor();
  assert.equal(await choice(chat, 'Keep waiting').count(), 0);
  await clock.runFor(10_000);
  const said = chat.page.locator('[aria-live=polite]');
  assert.match(await said.innerText(), /Claude hasn’t responded for 1 m \d s/);
  // Announced once, although the line counts on.
  await clock.runFor(12_000);
  assert.equal(await said.innerText(), '');
  await choice(chat, 'Keep waiting').focus();
  await clock.runFor(2000);
  assert.equal(await choice(chat, 'Keep waiting').evaluate((one) => one === document.activeElement), true);
  await keyboard.press('Enter');
  await choice(chat, 'Keep waiting').waitFor({ state: 'detached' });
  assert.equal(await chat.page.evaluate(() => document.activeElement?.getAttribute('role')), 'feed');
  await clock.runFor(58_000);
  assert.equal(await chat.page.getByText(/hasn’t responded/).count(), 0);
  await clock.runFor(3000);
  await choice(chat, 'Keep waiting').waitFor();
  await chat.close();
});

test('time in which the computer was asleep is no silence', async () => {
  const chat = await silentAgent();
  const { clock } = chat.page;
  await clock.runFor(1000);
  // Timers stand still during sleep, and the host says a moment later how long it was.
  await clock.fastForward(3_600_000);
  assert.equal(await chat.page.getByText(/hasn’t responded/).count(), 0);
  // What follows waits for frames.
  await clock.resume();
  await chat.receive({ type: 'slept', ms: 3_599_000 });
  await chat.page.getByText(/Claude hasn’t responded for (1|2)\d s/).waitFor();
  assert.equal(await choice(chat, 'Keep waiting').count(), 0);
  await chat.close();
});

test("a silent agent's choices include Stop and the log, and then disappear", async () => {
  const chat = await silentAgent();
  await chat.page.clock.runFor(60_000);
  // What follows waits for frames.
  await chat.page.clock.resume();
  await press(chat, 'Stop turn');
  assert.deepEqual(
    (await chat.posted('cancelTurn')).map(({ session }) => session),
    [sessionA],
  );
  await press(chat, 'Show log');
  const [asked] = await chat.posted('errorAction');
  assert.deepEqual([asked?.session, asked?.action], [sessionA, 'showLog']);
  await choice(chat, 'Show log').focus();
  await chat.apply(sessionA, 1, [{ op: 'view', fields: { title: 'Retry' } }]);
  await choice(chat, 'Show log').waitFor({ state: 'detached' });
  assert.equal(await chat.page.evaluate(() => document.activeElement?.getAttribute('role')), 'feed');
  await chat.close();
});

test('collapses a plan to a line with the next message', async () => {
  const chat = await browser.open();
  const entry = { kind: 'plan', id: 'plan:plan' as EntryId, turn: 1, planId: plan.planId } as const;
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ plans: [plan] }, [userMessage('u', 'Retry'), entry]));
  const strip = chat.page.getByRole('region', { name: 'Plan', exact: true });
  await strip.waitFor();
  const line = chat.page.getByRole('article', { name: 'Plan', exact: true });
  assert.equal(await line.getByRole('button').count(), 0, 'The plan of the running turn is in the tray alone.');
  await chat.apply(sessionA, 0, [{ op: 'insert', entry: userMessage('u2', 'And a test', 2) }]);
  await strip.waitFor({ state: 'detached' });
  assert.equal(await chat.page.getByRole('list', { name: 'Plan', exact: true }).count(), 0);
  await line.filter({ hasText: 'Plan, 2 of 5' }).getByRole('button', { name: 'Show plan' }).focus();
  await chat.page.keyboard.press('Enter');
  const list = chat.page.getByRole('list', { name: 'Plan, 2 of 5' });
  assert.equal(await list.getByRole('listitem').count(), 5);
  // The next plan has a line of its own, and the first keeps what it was.
  const next = { ...plan, type: 'items', items: [{ content: 'Test', priority: 'low', status: 'pending' }] } as const;
  await chat.apply(sessionA, 1, [
    { op: 'view', fields: { plans: [next] } },
    { op: 'replace', entry: { ...entry, plan } },
    { op: 'insert', entry: { ...entry, id: 'plan:plan@2' as EntryId, turn: 2 } },
  ]);
  await strip.getByText('0 of 1').waitFor();
  await line.filter({ hasText: 'Plan, 0 of 1' }).waitFor();
  assert.equal(await list.getByRole('listitem').count(), 5);
  await line.getByRole('button', { name: 'Hide plan' }).click();
  await list.waitFor({ state: 'detached' });
  await chat.close();
});

test('plays the sound of a notification after the first click', async () => {
  const chat = await browser.open({ ownWindow: true });
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot());
  // The sound is drawn instead of heard: it needs no device.
  await chat.page.evaluate(() => {
    class Drawn extends OfflineAudioContext {
      constructor() {
        super(1, 44_100, 44_100);
        setTimeout(() => void this.draw());
      }
      close = () => Promise.resolve();
      private async draw() {
        const samples = (await this.startRendering()).getChannelData(0);
        const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
        document.body.dataset['peak'] = String(peak);
      }
    }
    Object.assign(window, { AudioContext: Drawn });
  });
  await chat.message.click();
  await chat.receive({ type: 'playSound' });
  const drawn = chat.page.locator('body[data-peak]');
  const peak = Number(await drawn.getAttribute('data-peak'));
  assert.ok(peak > 0.02 && peak < 0.2, `The sound can be heard, and is soft: ${peak}`);
  await chat.close();
});

test('shows a stop at once and keeps its offers in view', async () => {
  const chat = await browser.open({ ownWindow: true });
  const since = Date.now();
  const queue = [{ id: 'q1', text: 'Then this' }];
  const many = Array.from({ length: 40 }, (_, at) => userMessage(`u${at}`, `Line ${at}`));
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ queue }, many));
  const activity = (stop?: object) => ({ state: 'running', since, ...(stop ? { stop } : {}) }) as const;
  const show = (rev: number, stop?: object) =>
    chat.apply(sessionA, rev, [
      { op: 'view', fields: { activity: activity(stop) as never, isQueueHeld: stop !== undefined } },
    ]);
  await show(0);
  await show(1, { since, isLate: false });
  const line = chat.page.locator('.pl-work');
  await line.getByText('Stopping…').waitFor();
  await chat.page.locator('[aria-live=polite]', { hasText: 'Stopping…' }).waitFor();
  assert.equal(await chat.button('1 queued message is on hold').count(), 1);
  await show(2, { since: since - 10_000, isLate: true });
  await line.getByText(/Claude hasn’t stopped for 1\d s\. Its file changes are kept\./).waitFor();
  const feed = chat.page.getByRole('feed');
  await feed.evaluate((element) => (element.scrollTop = 0));
  await chat.page.waitForFunction(() => {
    const [lineBox, feedBox] = ['.pl-work', '[role=feed]'].map((one) =>
      document.querySelector(one)!.getBoundingClientRect(),
    );
    return lineBox!.bottom <= feedBox!.bottom && lineBox!.top >= feedBox!.top;
  });
  assert.deepEqual(await chat.accessibilityProblems(), []);
  await choice(chat, 'End process').click();
  await choice(chat, 'Keep waiting').click();
  const actions = (await chat.posted('errorAction')).map(({ action }) => action);
  assert.deepEqual(actions, ['endProcess', 'keepWaiting']);
  await chat.close();
});
