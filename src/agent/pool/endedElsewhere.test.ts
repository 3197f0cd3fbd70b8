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

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  for (const pid of pidsOf(test)) assert.equal(lives(pid), false, `process ${pid} is left`);
  test = new PoolHarness();
});

/** Two turns are answered, and the second one of each session hangs until its process ends. */
const resumable = {
  initialize: { agentCapabilities: { sessionCapabilities: { resume: {} } } },
  turns: [
    { steps: [{ say: 'one' }] },
    { steps: [{ say: 'two' }] },
    { steps: [{ say: 'half' }, { waitForCancel: true }] },
  ],
};

/** Two sessions in one process; each has had a turn. */
async function pair(script: object): Promise<readonly [Session, Session]> {
  const spec = test.spec(script);
  const [first, second] = [test.start(spec), test.start(spec)];
  first.sendPrompt('first');
  await until(first, isDone);
  second.sendPrompt('second');
  await until(second, isDone);
  return [first, second];
}

const isBack = (session: Session) => isReady(session) && test.pool.traffic.length === 2;

void describe('when a process is ended in another session', () => {
  void it('a session opens again and offers to continue its turn', async () => {
    const [first, second] = await pair(resumable);
    second.sendPrompt('long work');
    await until(second, (one) => isRunning(one) && text(one).includes('half'));
    second.sendPrompt('waits');
    first.endProcess();
    await Promise.all([until(first, isClosed), until(second, isBack)]);

    const card = all(second, 'error').at(-1)!;
    assert.deepEqual([card.code, card.actions], ['endedElsewhere', ['continueTurn', 'showLog']]);
    assert.equal(all(first, 'error').at(-1)!.code, 'agentEnded');
    assert.deepEqual(test.sent(), ['initialize', 'session/resume']);
    assert.deepEqual(second.transcript.view.activity, { state: 'idle' });
    assert.deepEqual(
      second.transcript.view.queue.map(({ text: waiting }) => waiting),
      ['waits'],
    );

    second.continueTurn();
    await until(second, (one) => isDone(one) && /Continue where you left off\.\n\nCodex:\n {2}one/.test(text(one)));
    assert.equal(text(second).match(/long work/g)?.length, 1, 'It isn’t sent again.');
  });

  void it('an idle session opens again without a word', async () => {
    const [first, second] = await pair(resumable);
    const before = text(second);
    first.endProcess();
    await Promise.all([until(first, isClosed), until(second, isBack)]);
    assert.equal(text(second), before);
  });

  void it('a session that is being opened is opened in the next process', async () => {
    const spec = test.spec({ ...resumable, sessions: ['s1', 's2', 's3'], initialize: 'silent' });
    const [first, second] = [test.start(spec), test.start(spec)];
    const isStarting = (one: Session) => one.transcript.view.connection.state === 'starting';
    assert.ok(isStarting(second));
    while (pidsOf(test).length === 0) await new Promise(setImmediate);
    first.endProcess();
    await until(first, isClosed);
    while (pidsOf(test).length < 2) await new Promise(setImmediate);
    assert.ok(isStarting(second));
    assert.deepEqual(all(second, 'error'), []);
    second.endProcess();
    await until(second, isClosed);
    assert.equal(all(second, 'error').at(-1)!.code, 'agentEnded');
  });

  void it('a session that its agent forgets offers to send again', async () => {
    const [first, second] = await pair({ turns: resumable.turns });
    second.sendPrompt('long work');
    await until(second, (one) => isRunning(one) && text(one).includes('half'));
    first.endProcess();
    await Promise.all([until(first, isClosed), until(second, isBack)]);
    assert.deepEqual(all(second, 'error').at(-1)!.actions, ['sendAgain', 'continueWith', 'showLog']);
    assert.match(text(second), /endedElsewhere[^]*Codex doesn’t remember this conversation/);
    second.sendAgain();
    await until(second, (one) => isDone(one) && /long work\n\nCodex:\n {2}one/.test(text(one)));
  });

  void it('a session that can’t be reopened says so', async () => {
    const broken = { code: -32603, message: 'Internal error', data: { details: 'database is locked' } };
    const [first, second] = await pair({ ...resumable, resume: { error: broken } });
    first.endProcess();
    await until(first, isClosed);
    await until(second, (one) => isClosed(one) && all(one, 'error').at(-1)?.code === 'sessionNotReopened');
  });
});
