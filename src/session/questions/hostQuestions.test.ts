import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import type { Judgment, PermissionCase, PermissionRules } from '../services';

const target = { host: 'example.com', port: 443 };
const takesRules = ['allow_once', 'reject_once'] as const;

/** Rules that ask, unless the test sets an answer. */
class FakeRules implements PermissionRules {
  readonly cases: PermissionCase[] = [];
  answers: 'allow_once' | 'reject_once' | undefined;

  answer(request: PermissionCase): Promise<Judgment> {
    this.cases.push(request);
    const option = request.options.find(({ kind }) => kind === this.answers);
    return Promise.resolve(option ? { option, rule: 'example.com' } : { option: undefined, takesRules });
  }
}

function start() {
  const harness = new SessionHarness().open();
  const rules = new FakeRules();
  const connect = (signal = new AbortController().signal, to = target) =>
    harness.session.hosts.decide(to, signal, rules);
  return { harness, rules, connect };
}

void describe('a connection from the sandbox', () => {
  void it('waits for the user’s answer to a question about its host', async () => {
    const { harness, connect } = start();
    const decision = connect();
    await settle();
    const [card] = harness.all('tool_call');
    assert.equal(card?.asks?.question, 'Codex wants to connect to example.com:443');
    assert.deepEqual([card.permission.state, card.toolKind], ['asked', 'fetch']);
    assert.equal(harness.view.activity.state, 'requires_action');
    harness.answer(0, 'allow');
    assert.deepEqual(await decision, { isAllowed: true, by: 'you' });
    const rejected = connect(undefined, { host: 'other.example', port: 443 });
    await settle();
    harness.answer(1, 'reject');
    assert.deepEqual(await rejected, { isAllowed: false, by: 'you' });
  });

  void it('offers to save a rule for its host', async () => {
    const { harness, connect } = start();
    void connect();
    await settle();
    const { permission } = harness.all('tool_call')[0]!;
    assert.ok(permission.state === 'asked');
    assert.deepEqual(permission.takesRules, takesRules);
    assert.deepEqual(harness.session.openCase(permission.request)?.host, target);
  });

  void it('shares one question with the others to its host and port', async () => {
    const { harness, connect } = start();
    const both = [connect(), connect()];
    const other = connect(undefined, { host: 'example.com', port: 80 });
    await settle();
    assert.equal(harness.all('tool_call').length, 2);
    harness.answer(0, 'allow');
    assert.deepEqual(await Promise.all(both), Array(2).fill({ isAllowed: true, by: 'you' }));
    harness.answer(1, 'reject');
    assert.equal((await other).isAllowed, false);
  });

  void it('keeps the question open until the last of them has ended', async () => {
    const { harness, connect } = start();
    const [one, two] = [new AbortController(), new AbortController()];
    const both = [connect(one.signal), connect(two.signal)];
    await settle();
    one.abort();
    assert.deepEqual(await both[0], { isAllowed: false, by: 'nobody' });
    assert.equal(harness.all('tool_call')[0]?.permission.state, 'asked');
    two.abort();
    assert.deepEqual(await both[1], { isAllowed: false, by: 'nobody' });
    assert.deepEqual(harness.all('tool_call')[0]?.permission, { state: 'cancelled', programLeft: true });
    assert.equal(harness.view.activity.state, 'idle');
    void connect();
    await settle();
    assert.equal(harness.all('tool_call')[1]?.permission.state, 'asked', 'A later connection asks again.');
  });

  void it('leaves its question open if it has often not waited', async () => {
    const { harness, connect } = start();
    const connectShortly = async () => {
      const closed = new AbortController();
      const decision = connect(closed.signal);
      await settle();
      closed.abort();
      assert.deepEqual(await decision, { isAllowed: false, by: 'nobody' });
    };
    for (let times = 0; times < 6; times++) await connectShortly();
    const cards = harness.all('tool_call');
    const states = cards.map(({ permission }) => permission.state);
    assert.deepEqual(states, ['cancelled', 'cancelled', 'cancelled', 'asked']);
    assert.match(cards.at(-1)?.asks?.text ?? '', /applies to its next connection/);
    harness.answer(3, 'allow');
    assert.deepEqual(await connect(), { isAllowed: true, by: 'you' });
    assert.equal(harness.all('tool_call').length, 4);
  });

  void it('gets the same answer until the turn is over', async () => {
    const { harness, connect } = start();
    harness.session.sendPrompt('go');
    const decision = connect();
    await settle();
    harness.answer(0, 'reject');
    await decision;
    assert.deepEqual(await connect(), { isAllowed: false, by: 'you' });
    assert.equal(harness.all('tool_call').length, 1);
    await harness.agent.end();
    harness.session.sendPrompt('again');
    void connect();
    await settle();
    assert.equal(harness.all('tool_call').at(-1)?.permission.state, 'asked');
  });

  void it('is answered by a rule in silence, whatever the user answered before', async () => {
    const { harness, rules, connect } = start();
    rules.answers = 'allow_once';
    assert.deepEqual(await connect(), { isAllowed: true, by: 'rule' });
    rules.answers = undefined;
    const decision = connect();
    await settle();
    harness.answer(0, 'reject');
    await decision;
    rules.answers = 'allow_once';
    assert.deepEqual(await connect(), { isAllowed: true, by: 'rule' });
    rules.answers = 'reject_once';
    assert.deepEqual(await connect(), { isAllowed: false, by: 'rule' });
    assert.equal(harness.all('tool_call').length, 1);
  });

  void it('isn’t asked about while the turn stops or the session is closed', async () => {
    const { harness, connect } = start();
    harness.session.sendPrompt('go');
    const waiting = connect();
    await settle();
    harness.session.cancel();
    assert.deepEqual(await waiting, { isAllowed: false, by: 'nobody' });
    assert.deepEqual(await connect(), { isAllowed: false, by: 'nobody' });
    await harness.agent.end('cancelled');
    const last = connect();
    await settle();
    harness.session.close();
    assert.deepEqual(await last, { isAllowed: false, by: 'nobody' });
    assert.deepEqual(await connect(), { isAllowed: false, by: 'nobody' });
    assert.equal(harness.all('tool_call').length, 2);
  });

  void it('says what is special about its host', async () => {
    const { harness, connect } = start();
    for (const host of ['127.0.0.1', '10.0.0.1', '8.8.8.8', 'xn--80ak6aa92e.com', 'example.com'])
      void connect(undefined, { host, port: 80 });
    await settle();
    const notes = harness.all('tool_call').map(({ asks }) => asks?.text.split('\n')[1]);
    assert.deepEqual(
      notes.map((note) => note?.split(' ').slice(0, 4).join(' ')),
      ['This is a server', 'This is in your', 'This is an address', 'This name has letters', undefined],
    );
  });
});
