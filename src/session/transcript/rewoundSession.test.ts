import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeAgent, SessionHarness } from '../../../test/unit-support/fakeSession';
import type { EntryId, SessionKey } from '../../shared/values/ids';
import { exportedSession } from '../document/exportedSession';
import { findInSession } from '../find/findInSession';
import { earlierConversation } from '../document/earlierConversation';
import { rewoundSession } from './rewoundSession';
import { hasStoredShape } from './storedShape';

const key = 'rewound' as SessionKey;
const message = (turn: number) => `prompt:${turn}` as EntryId;

/** A session with three turns. The second one failed. */
async function said(): Promise<SessionHarness> {
  const harness = new SessionHarness().open();
  for (const turn of [1, 2, 3]) {
    harness.session.sendPrompt(`question ${turn}`);
    harness.say(`answer ${turn} GITHUB_TOKEN=ghp_abcdefghijklmnop0123456789`);
    if (turn === 2) await harness.agent.fail(new Error('no'));
    else await harness.agent.end();
  }
  return harness;
}

/** Sends an edited message in the session that continues before it. */
async function edited(from: SessionHarness, turn: number): Promise<SessionHarness> {
  const { transcript } = from.session;
  const stored = rewoundSession(key, transcript, message(turn));
  const earlier = earlierConversation(transcript, message(turn));
  assert.ok(stored && earlier);
  assert.ok(hasStoredShape(JSON.parse(JSON.stringify(stored))));
  const next = new SessionHarness('Codex', stored);
  next.agent = new FakeAgent();
  next.session.sendPrompt('edited', [earlier]);
  next.open();
  next.say('answer to the edited one');
  await next.agent.end();
  return next;
}

const shown = ({ session }: SessionHarness) =>
  session.transcript.order.map((id) => {
    const entry = session.transcript.entries.get(id);
    return `${entry?.earlier ? 'earlier ' : ''}${entry?.kind}`;
  });

function found({ session }: SessionHarness, text: string) {
  const steps = findInSession(session.transcript, { text, matchCase: false, wholeWord: false, isRegex: false });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value?.reduce((sum, [, count]) => sum + count, 0);
  }
}

test('shows the earlier conversation, then a notice and the message', async () => {
  const next = await edited(await said(), 3);
  assert.deepEqual(shown(next), [
    'earlier user_message',
    'earlier agent_message',
    'earlier user_message',
    'earlier agent_message',
    'earlier error',
    'notice',
    'user_message',
    'agent_message',
  ]);
  const { entries } = next.session.transcript;
  for (const entry of entries.values()) if (entry.kind === 'error') assert.deepEqual(entry.actions, []);
  assert.equal(entries.get(message(3))?.turn, 3);
});

test("doesn't exist if nothing was said before the message", async () => {
  assert.equal(rewoundSession(key, (await said()).session.transcript, message(1)), undefined);
});

test('finds and exports earlier messages once, marked as earlier', async () => {
  const next = await edited(await said(), 3);
  assert.equal(found(next, 'question 1'), 1);
  const { turns } = exportedSession(next.session.transcript, 0);
  assert.deepEqual(
    turns.map(({ turn, earlier = false }) => [turn, earlier]),
    [
      [1, true],
      [2, true],
      [3, false],
    ],
  );
  assert.equal(JSON.stringify(turns).split('question 1').length, 2);
});

test('sends each earlier message once, without secrets, even after another edit', async () => {
  const next = await edited(await edited(await said(), 2), 2);
  assert.equal(shown(next).filter((kind) => kind.endsWith('notice')).length, 1);
  next.session.sendPrompt('last');
  await next.agent.end();
  const received = earlierConversation(next.session.transcript, message(3));
  assert.equal(received?.type, 'resource');
  assert.equal(received.text.split('question 1').length, 2);
  assert.doesNotMatch(received.text, /question 2|ghp_/);
  assert.match(received.text, /User:\n {2}edited\n\nAgent \(Codex\):\n {2}answer to the edited one\n/);
});
