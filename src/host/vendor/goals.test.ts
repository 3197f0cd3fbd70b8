import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { asks, isDone, isReady, PoolHarness, until } from '../../../test/unit-support/poolHarness';
import type { Session } from '../../session/session';
import { clearGoal, setGoal } from './goals';

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  test = new PoolHarness();
});

const method = '_session/goal';
const waits = {
  ask: 'session/request_permission',
  params: { sessionId: '$session', toolCall: { toolCallId: 'c1', title: 'Wait' }, options: [] },
};

async function start(script: object, name = '@agentclientprotocol/claude-agent-acp'): Promise<Session> {
  const session = test.start({ initialize: { agentInfo: { name, version: '0.101.0' } }, ...script });
  await until(session, isReady);
  return session;
}

const told = () =>
  test.wire().flatMap(([direction, sent]) => (direction === 'send' && sent.method === method ? [sent.params] : []));
const prompts = () =>
  test.wire().flatMap(([direction, sent]) => {
    const { prompt = [] } = (sent.params ?? {}) as { prompt?: readonly { text?: string }[] };
    return direction === 'send' && sent.method === 'session/prompt' ? [prompt[0]?.text] : [];
  });
const goal = ({ transcript }: Session) => transcript.view.goal;
const all = { objective: 'All tests pass' };

void describe('a goal', () => {
  void it('is a message of an idle agent, and cleared by its method', async () => {
    const session = await start({ answers: { [method]: {} } });
    assert.equal(session.transcript.view.canSetGoal, true);
    await setGoal(test.pool, session, 'All tests pass');
    await until(session, isDone);
    assert.deepEqual(prompts(), ['/goal All tests pass']);
    assert.deepEqual(goal(session), all);
    await clearGoal(test.pool, session);
    assert.deepEqual(told(), [{ sessionId: 's1', action: 'clear' }]);
    assert.equal(goal(session), 'none');
    session.sendPrompt('/goal Typed by hand');
    assert.deepEqual(goal(session), { objective: 'Typed by hand' });
  });

  void it('reaches a running turn, with what the agent says about it', async () => {
    const info = {
      sessionUpdate: 'session_info_update',
      _meta: { jetbrains: { air: { version: 1, goal: { ...all, status: 'active', iterations: 2 } } } },
    };
    const session = await start({
      answers: { [method]: {} },
      turns: [{ steps: [waits, { waitForCancel: true }, { update: info }] }],
    });
    session.sendPrompt('Start.');
    await until(session, asks);
    await setGoal(test.pool, session, 'All tests pass');
    assert.deepEqual(told(), [{ sessionId: 's1', action: 'set', objective: 'All tests pass' }]);
    assert.deepEqual(goal(session), all);
    session.cancel();
    await until(session, isDone);
    assert.deepEqual(goal(session), { ...all, status: 'active', iterations: 2 });
    // Updates that say nothing about the goal leave it alone.
    session.agentSide.handleUpdate({ sessionUpdate: 'session_info_update', title: 'Tests' });
    assert.deepEqual(goal(session), { ...all, status: 'active', iterations: 2 });
  });

  void it('is gone without a word if the agent no longer has it', async () => {
    for (const answers of [{}, { [method]: 'yes' }]) {
      const session = await start({ answers });
      session.sendPrompt('/goal All tests pass');
      await until(session, isDone);
      await clearGoal(test.pool, session);
      await clearGoal(test.pool, session);
      assert.equal(told().length, 1);
      assert.equal(goal(session), 'none');
      assert.equal(session.transcript.view.canSetGoal, false);
      session.close();
    }
    const other = await start({ answers: { [method]: {} } }, 'gemini-cli');
    assert.equal(other.transcript.view.canSetGoal, undefined);
    other.sendPrompt('/goal All tests pass');
    assert.equal(goal(other), undefined);
  });
});
