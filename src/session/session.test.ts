import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConnectionClosedError, internal, requestCancelled } from '../acp/base/errors';
import { FakeAgent, SessionHarness, settle } from '../../test/unit-support/fakeSession';
import { agentExited } from './failures';

const running = { sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Run', kind: 'execute', status: 'in_progress' };

void describe('prompts', () => {
  void it("shows a prompt immediately, runs, and is idle after the agent's response", async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('Fix my notes');
    assert.deepEqual(test.view.activity, { state: 'running', since: 1000 });
    assert.equal(test.view.title, 'Fix my notes');
    test.say('Done.');
    await test.agent.end();
    assert.deepEqual(test.view.activity, { state: 'idle' });
    assert.equal(test.text, '# Fix my notes\n\nYou:\n  Fix my notes\n\nCodex:\n  Done.\n');
  });

  void it('shows a prompt while the session is getting ready', () => {
    const test = new SessionHarness();
    test.session.sendPrompt('first');
    test.session.sendPrompt('second');
    assert.match(test.text, /waiting: second[\s\S]*You:\n {2}first/);
    assert.deepEqual(test.agent.heard, []);
    test.open();
    assert.deepEqual(test.agent.heard, ['prompt first']);
    assert.deepEqual(test.view.connection, { state: 'ready' });
  });

  void it('sends one prompt at a time and keeps the others in order', async () => {
    const test = new SessionHarness().open();
    for (const text of ['one', 'two', 'three']) test.session.sendPrompt(text);
    assert.deepEqual(test.agent.heard, ['prompt one']);
    assert.deepEqual(
      test.view.queue.map(({ text }) => text),
      ['two', 'three'],
    );
    assert.equal(test.all('user_message').length, 1);
    await test.agent.end();
    assert.deepEqual(test.agent.heard, ['prompt one', 'prompt two']);
    await test.agent.end();
    await test.agent.end();
    assert.deepEqual(test.agent.heard, ['prompt one', 'prompt two', 'prompt three']);
    assert.deepEqual([test.view.queue, test.view.activity], [[], { state: 'idle' }]);
  });

  void it('removes a waiting message from the queue', async () => {
    const test = new SessionHarness().open();
    for (const text of ['one', 'two']) test.session.sendPrompt(text);
    const [waiting] = test.view.queue;
    assert.equal(test.session.queue.remove(waiting!.id)?.text, 'two');
    assert.equal(test.session.queue.remove(waiting!.id), undefined);
    await test.agent.end();
    assert.deepEqual(test.agent.heard, ['prompt one']);
  });

  void it('hides the echo of a prompt but shows other user messages', async () => {
    const test = new SessionHarness().open();
    const user = (text: string) => ({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text } });
    test.session.sendPrompt('Fix it');
    test.update(user('Fix '), user('it'), user('and more')).say('ok');
    assert.deepEqual(
      test.all('user_message').map(({ content }) => content),
      [[{ type: 'text', text: 'Fix it' }], [{ type: 'text', text: 'and more' }]],
    );
    await test.agent.end();
    test.session.sendPrompt('Fix it again');
    test.update(user('Fix ')).say('ok');
    assert.match(test.text, /You:\n {2}Fix it again\n\nYou \(reported by the agent\):\n {2}Fix\s+Codex:/);
  });

  void it('explains why a turn ended, whatever the reason', async () => {
    const test = new SessionHarness().open();
    for (const reason of ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled', 'sleepy']) {
      test.session.sendPrompt(reason);
      test.say('ok');
      await test.agent.end(reason);
    }
    assert.deepEqual(
      test.all('notice').map(({ turn, title }) => [turn, title]),
      [
        [2, 'Codex reached its token limit'],
        [3, 'Codex reached the limit of requests per turn'],
        [4, 'Codex declined to answer'],
        [5, 'Codex cancelled this turn'],
        [6, 'The turn ended: sleepy'],
      ],
    );
    assert.deepEqual(
      test.all('user_message').map(({ state }) => state),
      ['sent', 'sent', 'sent', 'refused', 'sent', 'sent'],
    );
  });

  void it('shows why a prompt failed, keeps the queue, and continues on request', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('one');
    test.session.sendPrompt('two');
    test.update(running);
    await test.agent.fail(internal('Internal error', { details: 'The model is on holiday, hunter2' }));
    assert.match(
      test.text,
      /Error \(promptFailed\): Codex couldn’t answer\.\n {2}The model is on holiday, \[redacted\]/,
    );
    assert.match(test.text, /Tool call \(execute, cancelled\): Run/);
    assert.deepEqual([test.view.activity, test.view.connection], [{ state: 'idle' }, { state: 'ready' }]);
    assert.deepEqual(test.agent.heard, ['prompt one']);
    test.session.sendAgain();
    assert.deepEqual(test.agent.heard, ['prompt one', 'prompt one']);
    await test.agent.end();
    assert.deepEqual(test.agent.heard, ['prompt one', 'prompt one', 'prompt two']);
  });

  void it('closes everything left open when the turn ends', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    test.update(running, { ...running, toolCallId: 'c2', status: 'pending' }, { ...running, toolCallId: 'c3' });
    test.update({ sessionUpdate: 'tool_call_update', toolCallId: 'c3', status: 'failed' });
    test.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } });
    await test.agent.end();
    assert.deepEqual(
      test.all('tool_call').map(({ status }) => status),
      ['completed', 'cancelled', 'failed'],
    );
    assert.equal(test.all('agent_thought')[0]!.endedAt, 1000);
  });

  void it('shows updates after the end of the turn without becoming busy', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    await test.agent.end();
    test.say('late').update({ sessionUpdate: 'session_info_update', title: 'Late title' });
    assert.match(test.text, /# Late title[\s\S]*Codex:\n {2}late/);
    assert.deepEqual(test.view.activity, { state: 'idle' });
  });
});

void describe('cancelling', () => {
  void it('cancels once, closes calls, keeps listening, and ends with the response', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    test.update(running);
    const answer = test.ask({ toolCallId: 'c2', title: 'Edit' });
    test.session.cancel();
    test.session.cancel();
    assert.deepEqual(test.agent.heard, ['prompt go', 'cancel']);
    assert.deepEqual(await answer, { outcome: { outcome: 'cancelled' } });
    assert.deepEqual(
      test.all('tool_call').map(({ status }) => status),
      ['cancelled', 'cancelled'],
    );
    test.say('still here').update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'in_progress' });
    assert.equal(test.all('tool_call')[0]!.status, 'cancelled');
    assert.equal(test.view.activity.state, 'running');
    await test.agent.end('cancelled');
    assert.equal(test.view.activity.state, 'idle');
    assert.match(test.text, /still here[\s\S]*Notice \(info\): Stopped/);
    test.session.cancel();
    assert.deepEqual(test.agent.heard, ['prompt go', 'cancel']);
  });

  void it('shows Stopped even if the agent reports a normal end of turn', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    test.session.cancel();
    test.update({ sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Late', status: 'in_progress' });
    await test.agent.end('end_turn');
    assert.match(test.text, /Notice \(info\): Stopped/);
    assert.equal(test.all('tool_call')[0]!.status, 'cancelled');
  });

  void it('cancels before any update and treats an error as the end', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    test.session.cancel();
    await test.agent.fail(internal('aborted'));
    assert.equal(test.all('error').length, 0);
    assert.match(test.text, /Stopped/);
    test.session.sendPrompt('again');
    await test.agent.fail(requestCancelled());
    assert.equal(test.all('error').length, 0);
  });

  void it('withdraws questions that arrive after the cancel', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    test.session.cancel();
    assert.deepEqual(await test.ask({ toolCallId: 'c9', title: 'Late' }), { outcome: { outcome: 'cancelled' } });
    assert.equal(test.view.activity.state, 'running');
  });

  void it('offers to end the process when the agent does not stop', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    test.session.cancel();
    const stopping = () => (test.view.activity.state === 'idle' ? undefined : test.view.activity.stop);
    const since = test.clock.now();
    assert.deepEqual(stopping(), { since, isLate: false });
    test.clock.pass(9999);
    test.say('I go on.');
    assert.equal(stopping()?.isLate, false);
    test.clock.pass(1);
    assert.deepEqual(stopping(), { since, isLate: true });
    test.session.keepWaiting();
    assert.equal(stopping()?.isLate, false);
    test.clock.pass(10_000);
    assert.equal(stopping()?.isLate, true);
    test.session.endProcess();
    assert.deepEqual(test.owner.asked, ['endProcess']);
    await test.agent.end('cancelled');
    assert.deepEqual(test.view.activity, { state: 'idle' });
    assert.equal(test.all('error').length, 0);
    assert.equal(test.clock.waiting, 0);
  });

  void it('drops an unsent message', () => {
    const test = new SessionHarness();
    test.session.sendPrompt('go');
    test.session.cancel();
    test.open();
    assert.deepEqual(test.agent.heard, []);
    assert.match(test.text, /Stopped\n {2}The message wasn’t sent/);
  });
});

void describe('losing the agent', () => {
  const exit = agentExited('Codex', { exitCode: 137, logTail: 'killed\n', wanted: false });

  void it('closes everything open, shows the reason, and restarts on request', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    test.update(running);
    const answer = test.ask({ toolCallId: 'c2', title: 'Edit' });
    test.session.sendPrompt('next');
    await test.agent.fail(new ConnectionClosedError());
    assert.equal(test.view.activity.state, 'requires_action');
    test.session.agentSide.disconnected(exit);
    assert.deepEqual(await answer, { outcome: { outcome: 'cancelled' } });
    assert.deepEqual([test.view.activity, test.view.connection], [{ state: 'idle' }, { state: 'closed' }]);
    assert.match(
      test.text,
      /Codex stopped unexpectedly \(exit code 137\)\.\n {2}The system or another program killed it/,
    );
    assert.match(test.text, /log:\n\s+killed\n\s+actions: restartAgent, continueWith, showLog/);
    test.session.restart();
    assert.deepEqual(test.owner.asked, ['restart']);
    test.agent = new FakeAgent();
    test.open();
    assert.deepEqual(test.agent.heard, ['prompt next']);
    assert.match(test.text, /Codex doesn’t remember this conversation/);
  });

  void it('restarts when the user sends a message and then sends it', async () => {
    const test = new SessionHarness().open();
    test.session.agentSide.disconnected(exit);
    test.session.sendPrompt('hello again');
    assert.deepEqual(test.owner.asked, ['restart']);
    test.open();
    assert.deepEqual(test.agent.heard, ['prompt hello again']);
    await settle();
  });

  void it('makes room for a replay without losing the queued message', () => {
    const test = new SessionHarness().open().say('old');
    test.session.agentSide.disconnected(exit);
    test.session.sendPrompt('new');
    test.session.replay.begin();
    test.say('old, told again');
    test.open({}, false);
    assert.equal(test.text, '# new\nstate: ready, running\n\nCodex:\n  old, told again\n\nYou:\n  new\n');
  });

  void it('settles everything and notifies its owner once when closed', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    const answer = test.ask({ toolCallId: 'c1', title: 'Edit' });
    const states: string[] = [];
    test.session.onDidChangeState(() => states.push(test.view.connection.state));
    test.session.close();
    test.session.close();
    assert.deepEqual(await answer, { outcome: { outcome: 'cancelled' } });
    assert.deepEqual(test.owner.asked, ['closed']);
    assert.equal(states.at(-1), 'closed');
    test.session.sendPrompt('nobody hears');
    assert.deepEqual(test.agent.heard, ['prompt go', 'cancel']);
    assert.equal(test.clock.waiting, 0);
  });
});
