import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import type { ElicitationAnswer } from '../../shared/forms/elicitation';
import { closeStored, toStored } from '../transcript/storedSession';

const requestedSchema = {
  type: 'object',
  properties: { version: { type: 'string', title: 'Version' }, count: { type: 'integer' }, log: { type: 'boolean' } },
  required: ['count'],
};
const form = { mode: 'form', message: 'How is it cut?', requestedSchema };
const url = { mode: 'url', message: 'Log in', elicitationId: 'e1', url: 'https://example.com/login' };

const ask = ({ session }: SessionHarness, params: object, place = { isOfTurn: true }, signal?: AbortSignal) =>
  session.agentSide.handleElicitation(params, place, signal ?? new AbortController().signal);

function answer(test: SessionHarness, value: ElicitationAnswer, at = -1): void {
  const open = test
    .all('elicitation')
    .flatMap(({ question }) => (question.state === 'asked' ? [question.request] : []));
  test.session.elicitations.answer(open.at(at)!, value);
}

const state = (test: SessionHarness, at = -1) => test.all('elicitation').at(at)!.question.state;

void describe('forms of an agent', () => {
  void it('wait for the user and return valid input', async () => {
    const test = new SessionHarness().open();
    const answered = ask(test, form);
    assert.equal(test.view.activity.state, 'requires_action');
    assert.match(
      test.text,
      /Question: How is it cut\?\n {2}asks: Version \(text\) \| count \(integer\) \| log \(boolean\)/,
    );
    answer(test, { action: 'accept', content: [['count', 'many']] });
    assert.equal(state(test), 'asked');
    const problem = test.all('elicitation')[0]!.question;
    assert.equal(problem.state === 'asked' && problem.problem, 'notValid');
    answer(test, { action: 'accept', content: [['count', 3], ['sneaky', 'x']] }); // prettier-ignore
    assert.deepEqual(await answered, { action: 'accept', content: { count: 3, log: false } });
    assert.match(test.text, /submitted: count: 3 \| log: no/);
    assert.equal(test.view.activity.state, 'idle');
  });

  void it('distinguish declining from cancelling', async () => {
    const test = new SessionHarness().open();
    const [first, second] = [ask(test, form), ask(test, form)];
    answer(test, { action: 'decline' }, 0);
    assert.deepEqual(await first, { action: 'decline' });
    assert.equal(test.view.activity.state, 'requires_action');
    answer(test, { action: 'cancel' });
    assert.deepEqual(await second, { action: 'cancel' });
    assert.deepEqual([state(test, 0), state(test, 1)], ['declined', 'dismissed']);
  });

  void it("end with their turn, except those that Parley's own requests need", async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    const [ofTurn, ofRequest] = [ask(test, form), ask(test, form, { isOfTurn: false })];
    test.session.cancel();
    assert.deepEqual(await ofTurn, { action: 'cancel' });
    assert.deepEqual(await ask(test, form), { action: 'cancel' });
    assert.deepEqual([state(test, 0), state(test, 1)], ['withdrawn', 'asked']);
    await test.agent.end('cancelled');
    test.session.close();
    assert.deepEqual(await ofRequest, { action: 'cancel' });
    assert.deepEqual(await ask(test, form, { isOfTurn: false }), { action: 'cancel' });
  });

  void it('end when withdrawn, when the agent exits, and with the window', async () => {
    const test = new SessionHarness().open();
    const abort = new AbortController();
    const withdrawn = ask(test, form, { isOfTurn: true }, abort.signal);
    abort.abort();
    assert.deepEqual(await withdrawn, { action: 'cancel' });
    const gone = ask(test, form);
    const stored = structuredClone(toStored(test.session.key, test.session.transcript));
    test.session.agentSide.disconnected(undefined);
    assert.deepEqual(await gone, { action: 'cancel' });
    const restored = [...closeStored(stored, 0).entries.values()].findLast(({ kind }) => kind === 'elicitation');
    assert.equal(restored?.kind === 'elicitation' && restored.question.state, 'withdrawn');
    assert.deepEqual(await ask(test, form, { isOfTurn: true }, abort.signal), { action: 'cancel' });
  });

  void it('keep a key that is special in JavaScript', async () => {
    const test = new SessionHarness().open();
    const properties: unknown = JSON.parse('{"__proto__":{"type":"string"}}');
    const answered = ask(test, { ...form, requestedSchema: { properties } });
    answer(test, { action: 'accept', content: [['__proto__', 'x']] });
    assert.equal(JSON.stringify(await answered), '{"action":"accept","content":{"__proto__":"x"}}');
  });

  void it('with a wrong mode or schema are rejected and never shown', async () => {
    const test = new SessionHarness().open();
    await assert.rejects(ask(test, { ...form, mode: 'telepathy' }), { code: -32602 });
    await assert.rejects(ask(test, { ...form, requestedSchema: [] }), { code: -32602 });
    assert.equal(test.all('elicitation').length, 0);
  });
});

void describe('URLs of an agent', () => {
  void it('are accepted by consent and completed when the agent says so', async () => {
    const test = new SessionHarness().open();
    const answered = ask(test, url);
    const { question } = test.all('elicitation')[0]!;
    assert.ok(question.state === 'asked');
    assert.equal(test.session.elicitations.addressOf(question.request), 'https://example.com/login');
    test.session.elicitations.refuse(question.request, 'notOpened');
    await settle();
    assert.equal(state(test), 'asked');
    answer(test, { action: 'accept', content: [] });
    assert.deepEqual(await answered, { action: 'accept' });
    test.session.elicitations.complete('nobody knows');
    assert.match(test.text, /opened: example\.com$/m);
    test.session.elicitations.complete('e1');
    assert.match(test.text, /opened: example\.com, done/);
    test.session.elicitations.complete('e1');
    assert.equal(test.session.elicitations.addressOf(question.request), undefined);
  });

  void it('completed before the user answers are removed without consent', async () => {
    const test = new SessionHarness().open();
    const answered = ask(test, url);
    test.session.elicitations.complete('e1');
    assert.deepEqual(await answered, { action: 'cancel' });
    assert.equal(state(test), 'completed');
  });
});
