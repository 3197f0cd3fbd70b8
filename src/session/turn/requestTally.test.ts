import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import type { SessionId } from '../../shared/values/ids';
import { toStored } from '../transcript/storedSession';
import { hasStoredShape } from '../transcript/storedShape';

/** The end of a request to a model, as Qwen sends it. */
const request = (inputTokens: number, outputTokens: number) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text: '' },
  _meta: { usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens } },
});
const totals = ({ session }: SessionHarness) =>
  [...session.transcript.entries.values()].flatMap(({ turnSummary: { tokens } = { startedAt: 0 } }) =>
    tokens ? [tokens.total] : [],
  );

suite('the tokens of requests', () => {
  test('add up to those of their turn and of the session', async () => {
    const harness = new SessionHarness().open();
    for (const text of ['Fix my notes', 'Again']) {
      harness.session.sendPrompt(text);
      harness.say('Done.').update(request(10, 2)).update(request(20, 3));
      await harness.agent.end();
    }
    assert.deepEqual(totals(harness), [35, 35]);
    assert.deepEqual(harness.view.spent, { total: 70, input: 60, output: 10 });
    const stored: unknown = JSON.parse(JSON.stringify(toStored(harness.session.key, harness.session.transcript)));
    assert.ok(hasStoredShape(stored));
  });

  test('of a failed or stopped turn count', async () => {
    const harness = new SessionHarness().open();
    harness.session.sendPrompt('Fix my notes');
    harness.update(request(10, 2));
    await harness.agent.fail(new Error('broken'));
    harness.session.sendPrompt('Again');
    harness.update(request(20, 3));
    harness.session.agentSide.disconnected(undefined);
    assert.deepEqual(totals(harness), [12, 23]);
    assert.equal(harness.view.spent?.total, 35);
  });

  test('of a replay were counted before', async () => {
    const harness = new SessionHarness();
    harness.update(request(10, 2));
    harness.open();
    harness.update(request(10, 2));
    harness.session.sendPrompt('Fix my notes');
    await harness.agent.end();
    assert.deepEqual([totals(harness), harness.view.spent], [[], undefined]);
  });

  test('give way to what the agent reports for the whole turn', async () => {
    const harness = new SessionHarness().open();
    harness.session.sendPrompt('Fix my notes');
    harness.update(request(10, 2));
    await harness.agent.end({ stopReason: 'end_turn', usage: { total: 12, input: 10, output: 2 } });
    assert.deepEqual([totals(harness), harness.view.spent?.total], [[12], 12]);
  });

  test('of a subagent count for the session only', async () => {
    const harness = new SessionHarness().open();
    harness.session.sendPrompt('Fix my notes');
    harness.update(request(10, 2));
    harness.session.agentSide.handleUpdate(request(100, 5), 'child' as SessionId);
    await harness.agent.end();
    assert.deepEqual([totals(harness), harness.view.spent?.total], [[12], 117]);
  });
});
