import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import {
  all,
  isClosed,
  isDone,
  isReady,
  isRunning,
  lives,
  pidsOf,
  PoolHarness,
  text,
  until,
} from '../../../test/unit-support/poolHarness';
import type { Session } from '../../session/session';
import { Crashes, crashWaits } from './crashes';

let test = new PoolHarness({ holdTimers: true });
afterEach(async () => {
  await test.pool.stopAll();
  for (const pid of pidsOf(test)) assert.equal(lives(pid), false, `process ${pid} is left`);
  test = new PoolHarness({ holdTimers: true });
});

const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'npm test', status: 'in_progress' };
/** Its second turn of each process hangs in a command. */
const resumable = {
  initialize: { agentCapabilities: { sessionCapabilities: { resume: {} } } },
  turns: [{ steps: [{ say: 'one' }] }, { steps: [{ update: call }, { waitForCancel: true }] }],
};

async function working(script: object = resumable): Promise<Session> {
  const session = test.start(script);
  session.sendPrompt('first');
  await until(session, isDone);
  session.sendPrompt('second');
  await until(session, (one) => isRunning(one) && text(one).includes('npm test'));
  return session;
}

async function crash(session: Session): Promise<void> {
  process.kill(pidsOf(test).at(-1)!, 'SIGKILL');
  await until(session, isClosed);
}

/** Lets the wait before the next start pass. */
function pass(waitMs: number | undefined): void {
  const start = test.held.get(waitMs ?? 0);
  assert.ok(start, `nothing waits ${waitMs} ms: ${[...test.held.keys()].join(' ')}`);
  test.held.delete(waitMs ?? 0);
  start();
}

void describe('an agent that crashes', () => {
  void it('starts again, opens its session, and offers to continue', async () => {
    const session = await working();
    session.sendPrompt('waits');
    await crash(session);
    const card = all(session, 'error').at(-1)!;
    assert.deepEqual([card.code, card.actions], ['agentRestarts', ['continueTurn', 'showLog']]);
    assert.match(card.cause ?? '', /Codex restarts by itself and reopens this session\./);
    pass(crashWaits[0]);
    await until(session, isReady);
    assert.deepEqual(test.sent(), ['initialize', 'session/resume']);
    assert.deepEqual(
      session.transcript.view.queue.map(({ text: waiting }) => waiting),
      ['waits'],
    );
    session.continueTurn();
    await until(session, (one) => isDone(one) && /- npm test\n[^]*Codex:\n {2}one/.test(text(one)));
    assert.match(text(session), /Continue where you left off\.[^]*These were cut off, and may be done in part:/);
    assert.equal(text(session).match(/second/g)?.length, 1, 'It isn’t sent again.');
  });

  void it('is the user’s decision after three times in ten minutes', async () => {
    const session = await working();
    for (const wait of crashWaits) {
      await crash(session);
      pass(wait);
      await until(session, isReady);
    }
    await crash(session);
    const card = all(session, 'error').at(-1)!;
    assert.deepEqual([card.code, card.actions], ['agentExited', ['restartAgent', 'continueWith', 'showLog']]);
  });

  void it('does not start again once its session is closed', async () => {
    const session = await working();
    await crash(session);
    session.close();
    assert.equal(test.held.has(crashWaits[0] ?? 0), false);
  });

  void it('starts at once when the user sends a message', async () => {
    const session = await working();
    await crash(session);
    session.sendPrompt('third');
    await until(session, (one) => isDone(one) && /third\n\nCodex:\n {2}one/.test(text(one)));
    assert.equal(test.held.has(crashWaits[0] ?? 0), false);
  });

  void it('waits for the user if it would remember nothing', async () => {
    const session = await working({ turns: resumable.turns });
    await crash(session);
    assert.equal(all(session, 'error').at(-1)!.code, 'agentExited');
  });
});

void it('crashes count for ten minutes, for each agent', () => {
  const crashes = new Crashes();
  const minute = 60_000;
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((time) => crashes.next('a', time * minute)),
    [...crashWaits, undefined, undefined],
  );
  assert.equal(crashes.next('b', 4 * minute), crashWaits[0]);
  assert.equal(crashes.next('a', 20 * minute), crashWaits[0]);
});
