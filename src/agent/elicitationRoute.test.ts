import { after, it } from 'node:test';
import assert from 'node:assert/strict';
import { all, isDone, isReady, PoolHarness, until } from '../../test/unit-support/poolHarness';
import type { Session } from '../session/session';

const harness = new PoolHarness();
after(() => harness.pool.stopAll());

const form = {
  mode: 'form',
  message: 'Which account?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};
// The agent of the tests names the session unless it is told otherwise.
const ofRequest = (requestId: number | string) => ({ ...form, sessionId: null, requestId });
const ask = (params: object) => ({ request: 'elicitation/create', params });

const isAsked = (session: Session) => all(session, 'elicitation').at(-1)?.question.state === 'asked';

function accept(session: Session): void {
  const question = all(session, 'elicitation').at(-1)?.question;
  assert.ok(question?.state === 'asked');
  session.elicitations.answer(question.request, { action: 'accept', content: [['name', 'ann']] });
}

/** What Parley answered the agent's forms with, oldest first. */
const answers = () =>
  harness.wire().flatMap(([direction, { method, result }]) => {
    return direction === 'send' && method === undefined && (result as { action?: string } | undefined)?.action
      ? [result]
      : [];
  });

const isAccepted = (value: unknown) => JSON.stringify(value).startsWith('{"action":"accept"');

void it('a form for a request shows in the session that waits for it, before that session exists', async () => {
  // Our requests: 0 is `initialize`, 1 is `session/new`.
  const session = harness.start({ beforeNew: [ask(ofRequest(1))] });
  await until(session, isAsked);
  assert.equal(session.transcript.view.connection.state, 'opening');
  accept(session);
  await until(session, isReady);
  assert.ok(isAccepted(answers()[0]));
  session.close();
});

void it('a form for a request that is over is taken away, and one for a request of nobody is cancelled', async () => {
  const unknown = { ask: 'elicitation/create', params: ofRequest(77) };
  const session = harness.start({
    beforeNew: [{ ask: 'elicitation/create', params: ofRequest(1) }, unknown, { waitForAsked: true }],
  });
  await until(session, isReady);
  assert.equal(all(session, 'elicitation').length, 1);
  await until(session, (one) => all(one, 'elicitation')[0]?.question.state === 'withdrawn');
  assert.deepEqual(answers(), [{ action: 'cancel' }, { action: 'cancel' }]);
  session.close();
});

void it('a form of a prompt or a session shows there, and the turn goes on with the answer', async () => {
  const steps = [ask(ofRequest('2')), ask({ ...form, toolCallId: 'c1' })];
  const session = harness.start({ turns: [{ steps }] });
  session.sendPrompt('go');
  await until(session, isAsked);
  accept(session);
  await until(session, (one) => all(one, 'elicitation').length === 2 && isAsked(one));
  assert.equal(all(session, 'elicitation')[1]?.about, 'c1');
  accept(session);
  await until(session, isDone);
  assert.equal(answers().filter(isAccepted).length, 2);
  session.close();
});
