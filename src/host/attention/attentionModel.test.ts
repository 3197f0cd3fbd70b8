import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SessionKey } from '../../shared/values/ids';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { AttentionModel, factsOf, isWanted, type SessionFacts, type Sight } from './attentionModel';

const nowhere: Sight = { visible: new Set(), isFocused: true };
const seen: Sight = { visible: new Set(['a' as SessionKey]), isFocused: true };

function facts(fields: Partial<SessionFacts> = {}): SessionFacts {
  return {
    key: 'a' as SessionKey,
    agentName: 'Claude',
    title: 'Retry uploads',
    state: 'idle',
    worksLate: false,
    requests: 0,
    isFailed: false,
    endedTurns: { count: 0, last: undefined },
    ...fields,
  };
}

const waiting = facts({ state: 'waiting', requests: 1 });
const running = facts({ state: 'running' });
const ended = (last: 'completed' | 'stopped' | 'cutOff' | 'failed', count = 1) =>
  facts({ endedTurns: { count, last } });

/** The kinds of events that a sequence of states causes. */
function eventsOf(states: readonly SessionFacts[], sight = nowhere): string[] {
  const model = new AttentionModel();
  return states.flatMap((state) => model.update([state], sight).events.map(({ kind }) => kind));
}

describe('events', () => {
  it('reports a request, the end of a turn, and a failure once', () => {
    assert.deepEqual(eventsOf([running, waiting, waiting]), ['request']);
    assert.deepEqual(eventsOf([running, ended('completed'), ended('completed')]), ['turnEnd']);
    assert.deepEqual(eventsOf([running, facts({ isFailed: true }), facts({ isFailed: true })]), ['failure']);
  });

  it('reports nothing for a session first seen after a restore', () => {
    assert.deepEqual(eventsOf([waiting]), []);
    assert.deepEqual(eventsOf([facts({ isFailed: true })]), []);
    assert.deepEqual(eventsOf([ended('completed')]), []);
  });

  it('reports a second request only after the session has worked again', () => {
    const two = facts({ state: 'waiting', requests: 2 });
    assert.deepEqual(eventsOf([running, waiting, two]), ['request']);
    assert.deepEqual(eventsOf([running, waiting, running, waiting]), ['request', 'request']);
  });

  it('reports each turn that ends, and a turn shorter than an update', () => {
    assert.deepEqual(eventsOf([facts(), ended('completed'), running, ended('completed', 2)]), ['turnEnd', 'turnEnd']);
  });

  it('reports an interrupted turn as failed, and none that the user stopped', () => {
    assert.deepEqual(eventsOf([running, ended('cutOff')]), ['failure']);
    assert.deepEqual(eventsOf([running, ended('failed')]), ['failure']);
    assert.deepEqual(eventsOf([running, ended('stopped')]), []);
  });

  it('reports nothing while queued messages follow', () => {
    const next = facts({ state: 'running', endedTurns: { count: 1, last: 'completed' } });
    assert.deepEqual(eventsOf([running, next]), []);
  });

  it("reports nothing when Parley's own question is answered outside a turn", () => {
    const before = ended('completed');
    assert.deepEqual(eventsOf([before, { ...before, state: 'waiting', requests: 1 }, before]), ['request']);
  });

  it('reports nothing in sight, and everything when the window lacks focus', () => {
    assert.deepEqual(eventsOf([running, waiting], seen), []);
    assert.deepEqual(eventsOf([running, waiting], { visible: seen.visible, isFocused: false }), ['request']);
  });

  it('follows the settings', () => {
    const wanted = (['never', 'whenUnfocused', 'always'] as const).map((when) => [
      isWanted(when, true),
      isWanted(when, false),
    ]);
    assert.deepEqual(wanted, [
      [false, false],
      [false, true],
      [true, true],
    ]);
  });
});

describe('status bar and badge', () => {
  it('has no item for idle sessions and those in sight', () => {
    const model = new AttentionModel();
    assert.equal(model.update([facts()], nowhere).status, undefined);
    assert.equal(model.update([running], seen).status, undefined);
    assert.equal(model.update([waiting], seen).status, undefined);
    assert.equal(model.update([waiting], seen).requests, 0);
  });

  it('prefers sessions that wait, and counts requests out of sight', () => {
    const b = facts({ key: 'b' as SessionKey, state: 'waiting', requests: 2 });
    const c = facts({ key: 'c' as SessionKey, state: 'running' });
    const state = new AttentionModel().update([waiting, c, b], seen);
    assert.deepEqual(state.status, { kind: 'waiting', sessions: [b] });
    assert.equal(state.requests, 2);
    assert.deepEqual(new AttentionModel().update([c], seen).status, { kind: 'running', sessions: [c] });
  });

  it("shows late work as running and still reports the turn's end", () => {
    const model = new AttentionModel();
    model.update([running], nowhere);
    const late = facts({ worksLate: true, endedTurns: { count: 1, last: 'completed' } });
    const { status, events, tabs } = model.update([late], nowhere);
    assert.deepEqual(status, { kind: 'running', sessions: [late] });
    assert.deepEqual([events.map(({ kind }) => kind), tabs.get(late.key)], [['turnEnd'], 'unread']);
    assert.equal(model.update([late], seen).tabs.get(late.key), 'running');
  });

  it('shows a visible session as in sight even without the focus', () => {
    assert.equal(new AttentionModel().update([waiting], { ...seen, isFocused: false }).status, undefined);
  });
});

describe('tabs', () => {
  const tabOf = (model: AttentionModel, session: SessionFacts, sight = nowhere) =>
    model.update([session], sight).tabs.get(session.key);

  it('shows running, waiting, unread until seen, and failed', () => {
    const model = new AttentionModel();
    assert.equal(tabOf(model, facts()), 'idle');
    assert.equal(tabOf(model, running), 'running');
    assert.equal(tabOf(model, waiting), 'waiting');
    assert.equal(tabOf(model, ended('completed')), 'unread');
    assert.equal(tabOf(model, ended('completed')), 'unread');
    assert.equal(tabOf(model, ended('completed'), seen), 'idle');
    assert.equal(tabOf(model, ended('completed')), 'idle');
    assert.equal(tabOf(model, facts({ isFailed: true }), seen), 'failed');
  });

  it('shows a turn that ended in sight as read', () => {
    const model = new AttentionModel();
    model.update([running], seen);
    assert.equal(tabOf(model, ended('completed'), seen), 'idle');
  });
});

describe('facts of a session', () => {
  it('follows a turn with a request to its end', async () => {
    const test = new SessionHarness('Claude').open();
    const now = () => {
      const { state, requests, endedTurns } = factsOf(test.session);
      return [state, requests, endedTurns.count, endedTurns.last];
    };
    assert.deepEqual(now(), ['idle', 0, 0, undefined]);
    test.session.sendPrompt('Do it');
    assert.deepEqual(now(), ['running', 0, 0, undefined]);
    void test.ask({ toolCallId: 'a', title: 'One' });
    void test.ask({ toolCallId: 'b', title: 'Two' });
    assert.deepEqual(now(), ['waiting', 2, 0, undefined]);
    test.answer(0, 'yes');
    test.answer(1, 'yes');
    assert.deepEqual(now(), ['running', 0, 0, undefined]);
    await test.agent.end();
    assert.deepEqual(now(), ['idle', 0, 1, 'completed']);
  });

  it('says how a turn ended', async () => {
    const test = new SessionHarness('Claude').open();
    const last = () => factsOf(test.session).endedTurns.last;
    test.session.sendPrompt('One');
    test.session.cancel();
    await test.agent.end('cancelled');
    assert.equal(last(), 'stopped');
    test.session.sendPrompt('Two');
    await test.agent.end('max_tokens');
    assert.equal(last(), 'cutOff');
    test.session.sendPrompt('Three');
    await test.agent.fail(new Error('No'));
    assert.equal(last(), 'failed');
    assert.equal(factsOf(test.session).isFailed, true);
  });

  it('waits for a login', () => {
    const test = new SessionHarness('Claude').open();
    test.session.login.ask();
    assert.deepEqual([factsOf(test.session).state, factsOf(test.session).requests], ['waiting', 1]);
    test.session.login.done();
    assert.equal(factsOf(test.session).state, 'idle');
  });
});
