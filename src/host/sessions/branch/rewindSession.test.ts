import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { all, isDone, PoolHarness, until } from '../../../../test/unit-support/poolHarness';
import type { Session } from '../../../session/session';
import { forkOrBranch } from './forkSession';
import { rewindSession } from './rewindSession';

/* Returning to a message with Qwen Code, in the shapes of its recorded traffic. */

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  test = new PoolHarness();
});

const snapshots = 'qwen/status/session/rewind_snapshots';
const rewind = 'qwen/control/session/rewind';
const branch = 'qwen/control/session/branch';
const snapshot = (turnIndex: number) => ({
  promptId: `s1########${turnIndex + 1}`,
  turnIndex,
  timestamp: '2026-11-27T03:08:06.115Z',
  diffStats: { filesChanged: 0, insertions: 0, deletions: 0 },
});
const answers = {
  [snapshots]: { snapshots: [snapshot(0), snapshot(1), snapshot(2)] },
  [branch]: { newSessionId: 'copy', title: 'Other way(1)', displayName: 'Other way(1)' },
  [rewind]: { success: true, historyBeforeRewind: [], targetTurnIndex: 1, filesChanged: [], filesFailed: [] },
};

/** A session with three messages, and a command that doesn't reach the model. */
async function talked(given: object = answers, name = 'qwen-code') {
  const initialize = { agentInfo: { name, version: '0.24.4' }, agentCapabilities: { loadSession: true } };
  const session = test.start({ initialize, answers: given, turns: [{ steps: [{ say: 'Answer $n' }] }] });
  for (const text of ['First', '/context', 'Second', 'Third']) {
    const before = session.endedTurns.count;
    session.sendPrompt(text);
    await until(session, (one) => isDone(one) && one.endedTurns.count > before);
  }
  return session;
}

const message = (session: Session, words: string) => {
  const found = all(session, 'user_message').find(
    ({ content: [block] }) => block?.type === 'text' && block.text === words,
  );
  return found?.id ?? assert.fail(words);
};
const said = (session: Session) =>
  all(session, 'user_message').map(({ content: [block] }) => (block?.type === 'text' ? block.text : ''));
const paramsOf = (method: string) =>
  test.wire().flatMap(([direction, sent]) => (direction === 'send' && sent.method === method ? [sent.params] : []));

/** An answer that the test gives. */
function gate<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve: (value) => resolve(value) };
}

void describe('returning to a message', () => {
  void it('stays in the session, and leaves a copy with the rest', async () => {
    const session = await talked();
    assert.equal(session.transcript.view.canRewind, true);
    const name = session.transcript.view.title;
    assert.equal(await rewindSession(test.pool, session, message(session, 'Second')), true);
    assert.deepEqual(paramsOf(rewind), [{ sessionId: 's1', targetTurnIndex: 1, rewindFiles: false }]);
    assert.deepEqual(paramsOf(branch), [{ sessionId: 's1', name: `${name} (before returning)` }]);
    assert.deepEqual(said(session), ['First', '/context']);
    assert.match(all(session, 'notice').at(-1)?.description ?? '', /The later messages are in “/);
    const copy = test.pool.sessions.find((one) => one !== session) ?? assert.fail('no copy');
    assert.deepEqual(said(copy), ['First', '/context', 'Second', 'Third']);
    assert.equal(copy.transcript.view.sessionId, 'copy');
    // The next message isn't taken for one that was there before.
    session.sendPrompt('Second again');
    await until(session, (one) => isDone(one) && all(one, 'agent_message').length === 3);
    assert.deepEqual(said(session), ['First', '/context', 'Second again']);
    assert.equal(paramsOf('session/new').length, 1);
  });

  void it('changes nothing if the agent counts other messages, fails, or is gone', async () => {
    const fewer = { ...answers, [snapshots]: { snapshots: [snapshot(0)] } };
    const odd = { ...answers, [snapshots]: { snapshots: [{ turnIndex: 'x' }, snapshot(1), snapshot(2)] } };
    const busy = {
      ...answers,
      [rewind]: { error: { code: -32602, message: 'Cannot rewind while a prompt is running' } },
    };
    const noCopy = { [snapshots]: answers[snapshots], [rewind]: answers[rewind] };
    for (const given of [fewer, odd, busy, noCopy, {}]) {
      const session = await talked(given);
      const { order } = session.transcript;
      const before = [...order];
      assert.equal(await rewindSession(test.pool, session, message(session, 'Second')), false);
      assert.deepEqual(session.transcript.order, before);
      assert.equal(test.pool.sessions.length, 1);
      await test.pool.stopAll();
      test = new PoolHarness();
    }
  });

  void it('is shown when the agent does it after it was given up', async () => {
    const session = await talked();
    const { vendor } = test.pool.runningAgentOf(session) ?? assert.fail('no agent');
    const [given, slow] = [new AbortController(), gate<boolean>()];
    const ask = vendor.ask.bind(vendor);
    vendor.ask = (async (...call: Parameters<typeof ask>) => {
      if (call[0] !== 'rewind') return ask(...call);
      given.abort();
      return slow.promise;
    }) as typeof ask;
    assert.equal(await rewindSession(test.pool, session, message(session, 'Second'), given.signal), false);
    assert.deepEqual(said(session), ['First', '/context', 'Second', 'Third']);
    slow.resolve(true);
    await until(session, (one) => all(one, 'notice').some(({ title }) => title.includes('after all')));
    assert.deepEqual(said(session), ['First', '/context']);
    const copy = test.pool.sessions.find((one) => one !== session) ?? assert.fail('no copy');
    assert.deepEqual(said(copy), ['First', '/context', 'Second', 'Third']);
  });

  void it('lists a copy that is made too late', async () => {
    const session = await talked();
    const { vendor } = test.pool.runningAgentOf(session) ?? assert.fail('no agent');
    const [given, slow] = [new AbortController(), gate<string>()];
    const ask = vendor.ask.bind(vendor);
    vendor.ask = (async (...call: Parameters<typeof ask>) => {
      if (call[0] !== 'branch') return ask(...call);
      given.abort();
      return slow.promise;
    }) as typeof ask;
    assert.equal(await rewindSession(test.pool, session, message(session, 'Second'), given.signal), false);
    assert.deepEqual([test.pool.sessions.length, paramsOf(rewind)], [1, []]);
    slow.resolve('copy');
    await slow.promise;
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(
      test.pool.sessions.map(({ transcript }) => transcript.view.sessionId),
      ['s1', 'copy'],
    );
  });

  void it('is never tried with commands, queued messages, or another agent', async () => {
    const session = await talked();
    assert.equal(await rewindSession(test.pool, session, message(session, '/context')), false);
    assert.deepEqual(paramsOf(rewind), []);
    const other = await talked(answers, 'gemini-cli');
    assert.equal(await rewindSession(test.pool, other, message(other, 'Second')), false);
    assert.equal(other.transcript.view.canRewind, undefined);
  });
});

void describe("forking with an agent's own method", () => {
  void it('opens a copy that the agent has made', async () => {
    const session = await talked();
    const fork = await forkOrBranch(test.pool, session);
    await until(fork, ({ transcript }) => transcript.view.connection.state === 'ready');
    assert.equal(fork.transcript.view.sessionId, 'copy');
    assert.deepEqual(said(fork), ['First', '/context', 'Second', 'Third']);
    assert.ok(all(fork, 'notice').some(({ title }) => title.startsWith('Forked from ')));
    const without = await talked({});
    await assert.rejects(forkOrBranch(test.pool, without), /can’t fork sessions/);
  });
});
