import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { all, isDone, isReady, isRunning, PoolHarness, text, until } from '../../../test/unit-support/poolHarness';
import type { Session } from '../../session/session';
import type { RequestKey } from '../../shared/values/ids';

/* What Qwen Code sends by itself, in the shapes of its recorded traffic. */

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  test = new PoolHarness();
});

const initialize = { agentInfo: { name: 'qwen-code', title: 'Qwen Code', version: '0.24.4' } };
const drain = {
  request: 'craft/drainMidTurnQueue',
  params: { sessionId: '$session', todoStopGuardWatchQueuedPrompt: true },
};
/** A turn between two tool calls of which the user adds a message. */
const waitsForUser = {
  ask: 'session/request_permission',
  params: {
    sessionId: '$session',
    toolCall: { toolCallId: 'c1', title: 'Wait' },
    options: [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  },
};
const isAsked = ({ transcript }: Session) => transcript.view.activity.state === 'requires_action';

async function inTurn(
  script: object = {
    turns: [
      { steps: [waitsForUser, { waitForAsked: true }, drain, { report: true }, drain, { report: true }] },
      {},
      {},
    ],
  },
) {
  const session = test.start({ initialize, ...script });
  session.sendPrompt('Start.');
  await until(session, isAsked);
  return session;
}

function requestOf(session: Session): RequestKey {
  const call = all(session, 'tool_call').find(({ permission }) => permission.state === 'asked');
  assert.ok(call?.permission.state === 'asked');
  return call.permission.request;
}

function allow(session: Session): void {
  session.answerPermission(requestOf(session), 'yes');
}

const isOver = (session: Session) => isDone(session) && session.transcript.view.queue.length === 0;

void describe('messages during a turn of Qwen', () => {
  void it('reach the turn if the user adds them, once, and are shown', async () => {
    const session = await inTurn();
    session.sendPrompt('Also mention the weather.');
    session.sendPrompt('Later.');
    const [first] = session.queue.all;
    assert.ok(first);
    assert.equal(session.transcript.view.canSteer, 'text');
    session.sendQueued(first.id, 'steer');
    assert.deepEqual(
      session.queue.all.map(({ joins }) => joins),
      [true, undefined],
    );
    allow(session);
    await until(session, isOver);
    const shown = text(session);
    assert.match(shown, /"messages":\["Also mention the weather\."\],"hasQueuedPrompt":false/);
    assert.match(shown, /"messages":\[\],"hasQueuedPrompt":false/);
    const yours = all(session, 'user_message').map(({ content: [block], turn }) => [turn, block]);
    assert.deepEqual(yours, [
      [1, { type: 'text', text: 'Start.' }],
      [1, { type: 'text', text: 'Also mention the weather.' }],
      [2, { type: 'text', text: 'Later.' }],
    ]);
  });

  void it('stay queued without the user, with attachments, or after a stop', async () => {
    const session = await inTurn();
    session.sendPrompt('Later.');
    session.sendPrompt('With a file.', [{ type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' }]);
    for (const { id } of session.queue.all.slice(1)) session.sendQueued(id, 'steer');
    assert.deepEqual(
      session.queue.all.map(({ joins }) => joins),
      [undefined, undefined],
    );
    assert.deepEqual(session.agentSide.takeJoining(), []);
    for (const { id } of session.queue.all) session.sendQueued(id, 'steer');
    session.cancel();
    assert.deepEqual(session.agentSide.takeJoining(), []);
    assert.deepEqual(
      session.queue.all.map(({ text: words, joins }) => [words, joins]),
      [
        ['Later.', undefined],
        ['With a file.', undefined],
      ],
    );
  });

  void it('follow a turn that a rejection ends', async () => {
    const session = await inTurn();
    session.sendPrompt('Also mention the weather.');
    for (const { id } of session.queue.all) session.sendQueued(id, 'steer');
    session.answerPermission(requestOf(session), 'no', { text: 'Not this.' });
    await until(session, isOver);
    assert.doesNotMatch(text(session), /"messages":\["/);
    const yours = all(session, 'user_message').map(({ content: [block], turn }) => [turn, block]);
    assert.deepEqual(yours, [
      [1, { type: 'text', text: 'Start.' }],
      [2, { type: 'text', text: 'Not this.' }],
      [3, { type: 'text', text: 'Also mention the weather.' }],
    ]);
  });

  void it("aren't taken by a session that isn't theirs, or by another agent", async () => {
    const foreign = { ...drain, params: { sessionId: 'other' } };
    const session = await inTurn({
      turns: [{ steps: [waitsForUser, { waitForAsked: true }, foreign, { report: true }] }, {}],
    });
    session.sendPrompt('Mine.');
    for (const { id } of session.queue.all) session.sendQueued(id, 'steer');
    allow(session);
    await until(session, isOver);
    assert.match(text(session), /"messages":\[\]/);
    const other = test.start({ turns: [{ steps: [drain, { report: true }] }] });
    other.sendPrompt('Start.');
    await until(other, isDone);
    assert.match(text(other), /-32601/);
    assert.equal(other.transcript.view.canSteer, false);
  });
});

void describe('a suggested message', () => {
  const suggest = (suggestion: unknown, sessionId = '$session') => ({
    notify: 'qwen/notify/session/prompt-suggestion',
    params: { v: 1, sessionId, suggestion, promptId: '$session########1' },
  });
  const shownOf = ({ transcript }: Session) => transcript.view.suggestions ?? [];

  void it('is shown until the next message, and only if it is short', async () => {
    const afterNew = [
      suggest(4),
      suggest('x'.repeat(201)),
      suggest(' \n'),
      suggest('other', 'nobody'),
      suggest('Run the tests'),
    ];
    const steps = [{ waitForCancel: true }];
    const session = test.start({ initialize, afterNew, turns: [{ steps }] });
    await until(session, isReady);
    await until(session, (one) => shownOf(one).length > 0);
    assert.deepEqual(shownOf(session), ['Run the tests']);
    session.sendPrompt('Start.');
    await until(session, isRunning);
    assert.deepEqual(shownOf(session), []);
    session.agentSide.suggest('Too late');
    assert.deepEqual(shownOf(session), []);
  });
});
