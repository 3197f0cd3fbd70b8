import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { isDone, isReady, PoolHarness, until } from '../../../test/unit-support/poolHarness';
import type { Session } from '../../session/session';
import { followContext } from './askContext';

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  test = new PoolHarness();
});

const method = 'qwen/status/session/context_usage';
const asked = () => test.sent().filter((name) => name === method).length;
const usage = ({ transcript }: Session) => transcript.view.usage;

async function turns(answer: unknown, name = 'qwen-code'): Promise<Session> {
  const answers = answer === undefined ? {} : { [method]: answer };
  const session = test.start({ initialize: { agentInfo: { name } }, answers });
  await until(session, isReady);
  session.sendPrompt('Start.');
  await until(session, isDone);
  session.sendPrompt('Again.');
  await until(session, (one) => one.endedTurns.count === 2);
  return session;
}

void describe('the context of Qwen after a turn', () => {
  // Recorded from Qwen Code 0.24.4, shortened.
  const breakdown = { systemPrompt: 10, builtinTools: 22, messages: 10, freeSpace: 166_958 };
  const told = { totalTokens: 42, contextWindowSize: 200_000, breakdown, isEstimated: false };

  void it('is what the ring shows', async () => {
    const following = followContext(test.pool);
    const session = await turns({ v: 1, sessionId: 's1', usage: told });
    await until(session, (one) => usage(one).state === 'known');
    assert.deepEqual(usage(session), { state: 'known', used: 42, size: 200_000 });
    following.dispose();
  });

  void it('is unknown while Qwen only estimates, or if it no longer answers', async () => {
    const following = followContext(test.pool);
    const session = await turns({ v: 1, sessionId: 's1', usage: { ...told, isEstimated: true } });
    assert.equal(asked(), 2);
    // The answer after the second turn comes before the end of the third.
    session.sendPrompt('More.');
    await until(session, (one) => one.endedTurns.count === 3);
    assert.deepEqual(usage(session), { state: 'unknown' });
    session.close();
    const old = await turns(undefined);
    assert.equal(asked(), 1);
    assert.deepEqual(usage(old), { state: 'unknown' });
    old.close();
    await turns(undefined, 'gemini-cli');
    assert.equal(asked(), 0);
    following.dispose();
  });
});
