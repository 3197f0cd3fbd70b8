import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import { toStored } from '../../session/transcript/storedSession';
import { hasStoredShape } from '../../session/transcript/storedShape';
import { Emitter } from '../../shared/values/event';
import { noticeMs, ScheduledMessages, type SchedulingSession } from './scheduledMessages';

const hour = 3_600_000;

/** A window in which these sessions are open. `answer` is what the user decides when told. */
function openWindow(harness: SessionHarness) {
  const told: string[] = [];
  let answer: (decision: 'send' | 'cancel' | undefined) => void = () => undefined;
  const sessions: readonly SchedulingSession[] = [harness.session];
  const messages = new ScheduledMessages({
    pool: { sessions, onDidChangeSessions: new Emitter<void>().event },
    now: harness.clock.now,
    schedule: harness.clock.schedule,
    tell: (_session, text) => {
      told.push(text);
      return new Promise((resolve) => (answer = resolve));
    },
  });
  return { told, messages, decide: (decision: 'send' | 'cancel' | undefined) => answer(decision) };
}

/** A session whose first message has failed. */
async function failed(): Promise<SessionHarness> {
  const harness = new SessionHarness().open();
  harness.session.sendPrompt('Fix my notes');
  await harness.agent.fail(new Error('usage limit reached'));
  return harness;
}
const sent = ({ agent }: SessionHarness) => agent.heard.filter((one) => one.startsWith('prompt'));

suite('a scheduled message', () => {
  test('is told a minute before and sent in time', async () => {
    const harness = await failed();
    const { told } = openWindow(harness);
    harness.session.scheduled.scheduleLast(harness.clock.now() + hour);
    harness.clock.pass(hour - noticeMs - 1);
    assert.deepEqual(told, []);
    harness.clock.pass(1);
    assert.deepEqual([told, sent(harness).length], [['Fix my notes'], 1]);
    harness.clock.pass(noticeMs);
    assert.deepEqual(sent(harness), ['prompt Fix my notes', 'prompt Fix my notes']);
    assert.equal(harness.session.scheduled.current, undefined);
    harness.clock.pass(hour);
    assert.equal(sent(harness).length, 2);
  });

  test('is sent at once or never, as the user says', async () => {
    for (const decision of ['send', 'cancel'] as const) {
      const harness = await failed();
      const { decide } = openWindow(harness);
      harness.session.scheduled.scheduleLast(harness.clock.now() + hour);
      harness.clock.pass(hour - noticeMs);
      decide(decision);
      await settle();
      assert.equal(sent(harness).length, decision === 'send' ? 2 : 1);
      harness.clock.pass(hour);
      assert.equal(sent(harness).length, decision === 'send' ? 2 : 1);
      assert.equal(harness.session.scheduled.current, undefined);
    }
  });

  test('survives a reload, and waits a minute if its time has passed', async () => {
    const before = await failed();
    before.session.scheduled.scheduleLast(before.clock.now() + hour);
    const stored = JSON.parse(JSON.stringify(toStored(before.session.key, before.session.transcript))) as ReturnType<
      typeof toStored
    >;
    assert.ok(hasStoredShape(stored));
    const harness = new SessionHarness('Codex', stored);
    harness.clock.pass(2 * hour);
    const { told } = openWindow(harness);
    assert.deepEqual(told, ['Fix my notes']);
    harness.clock.pass(noticeMs - 1);
    assert.deepEqual(harness.owner.asked, []);
    harness.clock.pass(1);
    // The agent is started for it.
    assert.equal(harness.owner.asked.length, 1);
    harness.open();
    assert.deepEqual(sent(harness), ['prompt Fix my notes']);
  });

  test('is replaced by one for another time', async () => {
    const harness = await failed();
    const { told, decide } = openWindow(harness);
    harness.session.scheduled.scheduleLast(harness.clock.now() + hour);
    harness.clock.pass(hour - noticeMs);
    harness.session.scheduled.scheduleLast(harness.clock.now() + 2 * hour);
    // An answer about the earlier one.
    decide('send');
    await settle();
    harness.clock.pass(hour);
    assert.deepEqual([told.length, sent(harness).length], [1, 1]);
    harness.clock.pass(hour - noticeMs);
    harness.clock.pass(noticeMs);
    assert.deepEqual([told.length, sent(harness).length], [2, 2]);
  });

  test('of a closed session is not sent', async () => {
    const harness = await failed();
    openWindow(harness);
    harness.session.scheduled.scheduleLast(harness.clock.now() + hour);
    harness.session.close();
    harness.clock.pass(2 * hour);
    assert.equal(sent(harness).length, 1);
  });
});
