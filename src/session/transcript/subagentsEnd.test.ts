import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeAgent, SessionHarness, settle } from '../../../test/unit-support/fakeSession';
import { call, cancelled, Subagents } from '../../../test/unit-support/fakeSubagents';
import { chunk } from '../../../test/unit-support/playUpdates';
import type { SessionId } from '../../shared/values/ids';
import { closeStored, toStored } from './storedSession';

void describe('the end of a subagent', () => {
  void it('closes its running calls as completed or cut off', async () => {
    const test = await new Subagents().begin('a', 'b');
    for (const child of ['a', 'b'])
      test.from(child, chunk('thought', 'Hm'), call('t'), call('u', { status: 'pending' }), chunk('thought', 'So'));
    test.tell('a', { state: { state: 'idle', stopReason: 'end_turn' } });
    test.tell('b', { state: { state: 'idle', stopReason: 'cancelled' } });
    assert.deepEqual(
      test.all('tool_call').map(({ status }) => status),
      ['completed', 'cancelled', 'cancelled', 'cancelled'],
    );
    assert.ok(test.all('agent_thought').every(({ endedAt }) => endedAt !== undefined));
  });

  void it("can come after its parent's response while the session is idle", async () => {
    const test = await new Subagents().begin('a');
    test.from('a', call('t')).say('It works on.');
    await test.agent.end();
    assert.deepEqual(test.view.activity, { state: 'idle' });
    assert.equal(test.row('a').state, 'running');
    assert.equal(test.all('tool_call')[0]?.status, 'in_progress');
    test.from('a', chunk('agent', 'Still here'));
    test.session.sendPrompt('And now?');
    await test.agent.end();
    assert.equal(test.row('a').state, 'running');
    assert.deepEqual(test.view.activity, { state: 'idle' });
    test.from('a', { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' });
    test.tell('a', { state: { state: 'idle' } });
    assert.deepEqual([test.row('a').state, test.all('tool_call')[0]?.status], ['idle', 'completed']);
  });

  void it('comes with its cancelled turn unless the agent reports otherwise', async () => {
    const test = await new Subagents().begin('earlier');
    await test.agent.end();
    test.session.sendPrompt('More');
    await settle();
    test.announce('a').from('a', call('t'));
    const asked = test.askFrom('a', { toolCallId: 't' });
    test.session.cancel();
    assert.deepEqual(await asked, cancelled);
    assert.deepEqual([test.row('a').stopReason, test.all('tool_call')[0]?.status], ['cancelled', 'cancelled']);
    assert.equal(test.row('earlier').state, 'running');
    test.tell('a', { state: { state: 'idle', stopReason: 'end_turn' } });
    assert.equal(test.row('a').stopReason, 'end_turn');
  });

  void it("comes with its agent's exit, and its id may be reused", async () => {
    const test = await new Subagents().begin('a');
    test.from('a', chunk('agent', 'One'), call('t'));
    await test.agent.end();
    for (const turn of ['Two', 'Three', 'Four']) {
      test.session.sendPrompt(turn);
      await test.agent.end();
    }
    test.session.agentSide.disconnected(undefined);
    assert.deepEqual([test.row('a').state, test.row('a').stopReason], ['idle', 'cancelled']);
    assert.equal(test.all('tool_call')[0]?.status, 'cancelled');
    test.agent = new FakeAgent('s2');
    test.open().announce('a').from('a', chunk('agent', 'Two'), call('t'));
    assert.deepEqual(
      test.all('subagent').map(({ sessionId, state }) => [sessionId, state]),
      [
        ['a', 'idle'],
        ['a~2', 'running'],
      ],
    );
    assert.deepEqual(
      test.all('agent_message').map(({ subagent }) => subagent),
      ['a', 'a~2'],
    );
    test.session.work.stopSubagent('a~2' as SessionId);
    assert.equal(test.agent.heard.at(-1), 'cancel a');
  });

  void it('has happened by the next window, where its id may be reused', async () => {
    const test = await new Subagents().begin('a', 'b');
    test.from('a', chunk('thought', 'Hm'), call('t'));
    test.tell('b', { state: { state: 'idle', stopReason: 'end_turn' } });
    const stored = toStored(test.session.key, test.session.transcript);
    const back = closeStored(JSON.parse(JSON.stringify(stored)) as typeof stored, 99);
    const states = [...back.entries.values()].flatMap((entry) =>
      entry.kind === 'subagent' ? [[entry.state, entry.stopReason]] : [],
    );
    assert.deepEqual(states, [
      ['idle', 'cancelled'],
      ['idle', 'end_turn'],
    ]);
    for (const entry of back.entries.values()) {
      if (entry.kind === 'agent_thought') assert.notEqual(entry.endedAt, undefined);
      if (entry.kind === 'tool_call') assert.equal(entry.status, 'cancelled');
    }
    const next = new SessionHarness('Codex', stored).open();
    next.update({ sessionUpdate: 'subagent_update', sessionId: 'a', title: 'Anew' });
    assert.deepEqual(
      next.all('subagent').map(({ sessionId }) => sessionId),
      ['a', 'b', 'a~2'],
    );
  });
});
