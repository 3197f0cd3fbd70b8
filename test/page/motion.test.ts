import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId, SessionKey } from '../../src/shared/values/ids';
import type { SessionListing } from '../../src/shared/pages/messages';
import { useBrowser, type Chat } from './chat';
import {
  agentMessage,
  listing,
  pageState,
  pageWithSession,
  sessionA,
  snapshot,
  toolCall,
  userMessage,
} from './samples';

const browser = useBrowser();

/** Names of the animations of all that matches; `none` for what stands still. */
async function motion(chat: Chat, selector: string): Promise<readonly string[]> {
  return chat.page.locator(selector).evaluateAll((all) => all.map((one) => getComputedStyle(one).animationName));
}

interface Stopped {
  readonly chat: Chat;
  readonly pass: (ms: number) => Promise<void>;
  readonly say: (text: string) => Promise<void>;
}

/** A page in whose running turn time goes on only by `pass`. */
async function openStopped(): Promise<Stopped> {
  const chat = await browser.open({ ownWindow: true });
  const { clock } = chat.page;
  const start = Date.now();
  await clock.install({ time: start });
  await chat.showPage(pageWithSession());
  const activity = { state: 'running', since: start } as const;
  await chat.showSession(sessionA, snapshot({ activity }, [userMessage('u', 'Go'), agentMessage('m', '')]));
  await clock.pauseAt(start + 60_000);
  let rev = 0;
  return {
    chat,
    pass: (ms) => clock.runFor(ms),
    async say(text) {
      const drawn = chat.apply(sessionA, rev++, [{ op: 'appendText', id: 'm' as EntryId, block: 0, text }]);
      await clock.runFor(50);
      await drawn;
    },
  };
}

test('pauses the working spinner while text streams and resumes it afterwards', async () => {
  const { chat, pass, say } = await openStopped();
  const spinner = () => motion(chat, '.pl-work .codicon');
  await say('First words ');
  assert.deepEqual(await spinner(), ['none']);
  // Longer than any pause of the line, over several of its own seconds, yet never without text for long.
  for (let at = 0; at < 12; at++) {
    await pass(350);
    await say('and more ');
    assert.deepEqual(await spinner(), ['none'], `after piece ${at}`);
  }
  await pass(600);
  assert.deepEqual(await spinner(), ['none'], 'a short pause');
  await pass(1200);
  assert.deepEqual(await spinner(), ['pl-spin'], 'a long pause');
  await say('and the end.');
  assert.deepEqual(await spinner(), ['none'], 'text again');
  assert.match(await chat.page.locator('.pl-feed').innerText(), /First words and more .*and the end\./s);
  await chat.close();
});

test('spins from the start and during output other than text', async () => {
  const chat = await browser.open();
  await chat.showPage(pageWithSession());
  const activity = { state: 'running', since: Date.now() } as const;
  await chat.showSession(sessionA, snapshot({ activity }, [userMessage('u', 'Go')]));
  assert.deepEqual(await motion(chat, '.pl-work .codicon'), ['pl-spin']);
  await chat.apply(sessionA, 0, [{ op: 'insert', entry: toolCall('t', { status: 'in_progress' }) }]);
  assert.deepEqual(await motion(chat, '.pl-work .codicon'), ['pl-spin']);
  await chat.close();
});

test('animates at most one tab, and never the visible one', async () => {
  const chat = await browser.open();
  const keys = ['s1', 's2', 's3', 's4', 's5'] as SessionKey[];
  const show = (active: SessionKey, states: readonly SessionListing['state'][]) =>
    chat.showPage(
      pageState({ active, sessions: states.map((state, at) => listing(keys[at]!, { title: `Session ${at}`, state })) }),
    );
  /** Numbers of the tabs that turn, and of those that say that they run. */
  const look = () =>
    chat.page.getByRole('tab').evaluateAll((tabs) => {
      const turns = (tab: Element) => [...tab.querySelectorAll('*')].some((part) => part.getAnimations().length > 0);
      const runs = (tab: Element) => /, (running|starting)$/.test(tab.getAttribute('aria-label') ?? '');
      const numbers = (is: (tab: Element) => boolean) => tabs.flatMap((tab, at) => (is(tab) ? [at] : []));
      return { turn: numbers(turns), run: numbers(runs) };
    });

  await show(keys[0]!, ['running', 'idle', 'running', 'starting', 'running']);
  await chat.showSession(keys[0]!, snapshot());
  assert.deepEqual(await look(), { turn: [2], run: [0, 2, 3, 4] });
  await show(keys[2]!, ['running', 'idle', 'running', 'starting', 'running']);
  assert.deepEqual(await look(), { turn: [0], run: [0, 2, 3, 4] });
  await show(keys[2]!, ['idle', 'requires_action', 'running', 'starting', 'running']);
  assert.deepEqual(await look(), { turn: [3], run: [2, 3, 4] });
  await show(keys[2]!, ['idle', 'requires_action', 'running', 'idle', 'closed']);
  assert.deepEqual(await look(), { turn: [], run: [2] });
  assert.equal(await chat.page.locator('.pl-tab[data-selected=true] .codicon-loading').count(), 1);
  await chat.close();
});
