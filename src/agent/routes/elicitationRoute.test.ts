import { after, it } from 'node:test';
import assert from 'node:assert/strict';
import { all, isDone, isReady, PoolHarness, until } from '../../../test/unit-support/poolHarness';
import type { Session } from '../../session/session';

const harness = new PoolHarness();
after(() => harness.pool.stopAll());

const form = {
  mode: 'form',
  message: 'Which account?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};
// The test agent adds the session id unless told otherwise.
const ofRequest = (requestId: number | string) => ({ ...form, sessionId: null, requestId });
const ask = (params: object) => ({ request: 'elicitation/create', params });

const isAsked = (session: Session) => all(session, 'elicitation').at(-1)?.question.state === 'asked';

function accept(session: Session): void {
  const question = all(session, 'elicitation').at(-1)?.question;
  assert.ok(question?.state === 'asked');
  session.elicitations.answer(question.request, { action: 'accept', content: [['name', 'ann']] });
}

/** Parley's responses to the agent's forms, oldest first. */
const answers = () =>
  harness.wire().flatMap(([direction, { method, result }]) => {
    return direction === 'send' && method === undefined && (result as { action?: string } | undefined)?.action
      ? [result]
      : [];
  });

const isAccepted = (value: unknown) => JSON.stringify(value).startsWith('{"action":"accept"');

void it('shows a form for a request before its waiting session exists', async () => {
  // Parley's requests: 0 is `initialize`, 1 is `session/new`.
  const session = harness.start({ beforeNew: [ask(ofRequest(1))] });
  await until(session, isAsked);
  assert.equal(session.transcript.view.connection.state, 'opening');
  accept(session);
  await until(session, isReady);
  assert.ok(isAccepted(answers()[0]));
  session.close();
});

void it('removes the form of a finished request and cancels those without one', async () => {
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

void it('shows a form in its session, and the turn continues afterwards', async () => {
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
