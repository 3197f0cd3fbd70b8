import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import { toStored } from '../transcript/storedSession';

const usedUp = [{ per: 'session', most: 10, used: 12 }] as const;
const queued = ({ view }: SessionHarness) => view.queue.map(({ text }) => text);

/** A session in which a budget is used up. */
function overBudget(): SessionHarness {
  const harness = new SessionHarness().open();
  harness.session.setBudgets(usedUp);
  return harness;
}

suite('a budget that is used up', () => {
  test('asks before each message is sent, and keeps what was typed', async () => {
    const harness = overBudget();
    harness.session.sendPrompt('one');
    harness.session.sendPrompt('two');
    assert.deepEqual([harness.agent.heard, queued(harness), harness.view.asksBudget], [[], ['one', 'two'], true]);
    assert.equal(harness.session.openRequests, 1);
    harness.session.sendAnyway();
    assert.deepEqual([harness.agent.heard, harness.view.asksBudget], [['prompt one'], false]);
    await harness.agent.end();
    assert.deepEqual([harness.agent.heard, queued(harness), harness.view.asksBudget], [['prompt one'], ['two'], true]);
    harness.session.queue.remove(harness.view.queue[0]!.id);
    assert.equal(harness.view.asksBudget, false);
    harness.session.sendAnyway();
    assert.deepEqual(harness.agent.heard, ['prompt one']);
  });

  test('never cuts the turn in progress, and stops its queue', async () => {
    const harness = new SessionHarness().open();
    harness.session.sendPrompt('one');
    harness.session.sendPrompt('two');
    harness.session.setBudgets(usedUp);
    assert.deepEqual([harness.view.activity.state, harness.view.asksBudget ?? false], ['running', false]);
    await harness.agent.end();
    assert.deepEqual([harness.agent.heard, queued(harness), harness.view.asksBudget], [['prompt one'], ['two'], true]);
    // The user sends exactly this message.
    harness.session.sendQueued(harness.view.queue[0]!.id, 'stopAndSend');
    assert.deepEqual(harness.agent.heard, ['prompt one', 'prompt two']);
  });

  test('asks before a message is added to the running turn', async () => {
    const harness = new SessionHarness().open();
    harness.agent.steer = () => Promise.resolve('injected');
    harness.session.sendPrompt('one');
    harness.session.setBudgets(usedUp);
    harness.session.sendPrompt('two');
    harness.session.sendQueued(harness.view.queue[0]!.id, 'steer');
    await settle();
    assert.deepEqual([queued(harness), harness.view.asksBudget], [['two'], true]);
    harness.session.sendAnyway();
    harness.session.sendQueued(harness.view.queue[0]!.id, 'steer');
    await settle();
    assert.deepEqual(queued(harness), []);
  });

  test('asks before an agent that inserts messages gets one', async () => {
    const harness = new SessionHarness().open();
    harness.agent.insertsPrompts = true;
    harness.session.sendPrompt('one');
    harness.session.setBudgets(usedUp);
    harness.session.sendPrompt('two');
    assert.deepEqual([harness.agent.heard, harness.view.asksBudget], [['prompt one'], true]);
    harness.session.sendAnyway();
    assert.deepEqual(harness.agent.heard, ['prompt one', 'prompt two']);
    await settle();
  });

  test('asks before a failed message is sent again', async () => {
    const harness = new SessionHarness().open();
    harness.session.sendPrompt('one');
    await harness.agent.fail(new Error('broken'));
    harness.session.setBudgets(usedUp);
    harness.session.sendAgain();
    assert.deepEqual([harness.agent.heard, harness.view.asksBudget], [['prompt one'], true]);
    harness.session.sendAnyway();
    assert.deepEqual(harness.agent.heard, ['prompt one', 'prompt one']);
  });

  test('sends what waited once the user raises it', () => {
    const harness = overBudget();
    harness.session.sendPrompt('one');
    harness.session.setBudgets([{ per: 'session', most: 20, used: 12 }]);
    assert.deepEqual([harness.agent.heard, harness.view.asksBudget], [['prompt one'], false]);
  });

  test('keeps its question out of a stored session, but not the message', () => {
    const harness = overBudget();
    harness.session.sendPrompt('one');
    const stored = toStored(harness.session.key, harness.session.transcript);
    const next = new SessionHarness('Codex', JSON.parse(JSON.stringify(stored)) as typeof stored);
    assert.deepEqual([queued(next), next.view.asksBudget, next.view.budgets], [['one'], false, []]);
    next.session.setBudgets(usedUp);
    next.open();
    assert.deepEqual([next.agent.heard, queued(next), next.view.asksBudget], [[], ['one'], true]);
  });
});
