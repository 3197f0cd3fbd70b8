import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SessionHarness } from '../../test/unit-support/fakeSession';

const call = (fields: object = {}) => ({ sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'Run', ...fields });
const change = (fields: object = {}) => ({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', ...fields });
const statuses = (test: SessionHarness) => test.all('tool_call').map(({ status }) => status);

/* Deviations of real agents: see docs/agents.md. */
void describe('a turn that has ended', () => {
  void it('without output gets a notice, unless the agent said or did something', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('one');
    test.update({ sessionUpdate: 'usage_update', used: 1, size: 2 });
    await test.agent.end();
    assert.match(test.text, /Notice \(info\): Codex finished without replying\n {2}If you expected a reply/);
    test.session.sendPrompt('two');
    test.update(call({ status: 'completed' }));
    await test.agent.end();
    test.session.sendPrompt('three');
    test.session.cancel();
    await test.agent.end();
    assert.equal(test.all('notice').filter(({ title }) => /without replying/.test(title)).length, 1);
  });

  void it('fails with the text on the card after a system error', async () => {
    const status = (type: string) => ({
      sessionUpdate: 'session_info_update',
      _meta: { codex: { threadStatus: { type } } },
    });
    const test = new SessionHarness().open();
    test.session.sendPrompt('one');
    test.say('I begin.').update(status('systemError')).say('429, your key is ').say('hunter2');
    assert.deepEqual(test.all('agent_message').length, 1, 'the reason is not an answer');
    await test.agent.end();
    const [card] = test.all('error');
    assert.deepEqual([card?.cause, card?.actions[0]], ['429, your key is [redacted]', 'sendAgain']);
    assert.deepEqual([test.all('agent_message').length, test.session.endedTurns.last], [1, 'failed']);
    test.session.sendPrompt('without a reason');
    test.update(status('systemError'));
    await test.agent.end();
    assert.equal(test.all('error').length, 2);
    assert.equal(test.all('notice').length, 0);
  });

  void it('shows the text after a system error that the agent recovered from', async () => {
    const status = (type: string) => ({
      sessionUpdate: 'session_info_update',
      _meta: { codex: { threadStatus: { type } } },
    });
    const texts = ['recovers', 'thinks', 'works', 'says a lot', 'is stopped', 'exits'];
    const test = new SessionHarness().open();
    for (const text of texts) {
      test.session.sendPrompt('Go');
      test.update(status('systemError')).say(text === 'says a lot' ? text.padEnd(5000, '.') : text);
      if (text === 'recovers') test.update(status('active'));
      if (text === 'thinks') test.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } });
      if (text === 'works') test.update(call({ toolCallId: text, status: 'in_progress' }));
      if (text === 'is stopped') test.session.cancel();
      if (text === 'exits') test.session.agentSide.disconnected(undefined);
      else await test.agent.end();
    }
    const shown = test.all('agent_message').map(({ content: [block] }) => block?.type === 'text' && block.text);
    assert.deepEqual(
      shown.map((text) => String(text).replace(/\.+$/, '')),
      texts,
    );
    assert.deepEqual(test.all('error').length, 1, 'only the one with a long text still counts as failed');
  });

  void it('is stopped, not cut off, if Codex cancels it after a rejection', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('one');
    const answer = test.ask({ toolCallId: 'c1', title: 'Run', kind: 'execute' });
    test.answer(0, 'no');
    await answer;
    await test.agent.end('cancelled');
    assert.deepEqual(test.session.endedTurns.last, 'stopped');
    assert.equal(test.all('notice').at(-1)?.title, 'Codex stopped because its request was rejected');
    test.session.sendPrompt('two');
    await test.agent.end('cancelled');
    assert.deepEqual(test.session.endedTurns.last, 'cutOff');
    assert.equal(test.all('notice').at(-1)?.title, 'Codex cancelled this turn');
  });

  void it('closes open calls that arrived after the turn before it', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('one');
    test.say('started in the background');
    await test.agent.end();
    test.update(call({ status: 'in_progress' }), call({ toolCallId: 'c2', status: 'in_progress' }));
    test.update(change({ toolCallId: 'c2', status: 'failed' }));
    assert.deepEqual(statuses(test), ['in_progress', 'failed']);
    test.session.sendPrompt('two');
    test.say('done');
    await test.agent.end();
    assert.deepEqual(statuses(test), ['completed', 'failed']);
    test.update(change({ status: 'failed' }));
    assert.deepEqual(statuses(test), ['failed', 'failed']);
  });

  void it('closes calls and thoughts after the last turn when the agent exits', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('one');
    await test.agent.end();
    test.update(call({ status: 'in_progress' }));
    test.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } });
    test.session.agentSide.disconnected(undefined);
    assert.deepEqual(statuses(test), ['cancelled']);
    assert.notEqual(test.all('agent_thought')[0]!.endedAt, undefined);
  });
});

void describe('a message', () => {
  void it("with an id ends at a chunk without one (Codex's errors)", () => {
    const test = new SessionHarness().open();
    const chunk = (text: string, messageId?: string) => ({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text },
      ...(messageId === undefined ? {} : { messageId }),
    });
    test.update(chunk('Half an ans', 'm1'), chunk('unexpected status 400'), chunk(' Bad Request'), chunk('wer', 'm1'));
    const texts = test
      .all('agent_message')
      .map(({ content }) => content.map((one) => 'text' in one && one.text).join());
    assert.deepEqual(texts, ['Half an answer', 'unexpected status 400 Bad Request']);
  });
});

void describe('a command that the agent runs itself', () => {
  const terminal = [{ type: 'terminal', terminalId: 'c1' }];
  const output = (test: SessionHarness) => [...test.session.transcript.terminals.values()].map((one) => one.output);
  const whole = { rawOutput: { aggregated_output: 'one\ntwo\n', exit_code: 0 } };

  void it('without live output shows the output reported at its end', () => {
    const test = new SessionHarness().open();
    test.update(call({ content: terminal, _meta: { terminal_info: { terminal_id: 'c1', cwd: '/' } } }));
    test.update(
      change({ status: 'completed', ...whole, _meta: { terminal_exit: { terminal_id: 'c1', exit_code: 0 } } }),
    );
    assert.deepEqual(output(test), ['one\ntwo\n']);
    test.update(change({ status: 'completed', ...whole }));
    assert.deepEqual(output(test), ['one\ntwo\n']);
  });

  void it('shows the output at the end even without an introduction', () => {
    const test = new SessionHarness().open();
    test.update(call({ content: terminal }), change({ status: 'completed', content: terminal, ...whole }));
    assert.deepEqual(output(test), ['one\ntwo\n']);
  });

  void it('keeps its live output', () => {
    const test = new SessionHarness().open();
    test.update(call({ content: terminal, _meta: { terminal_output: { terminal_id: 'c1', data: 'live\n' } } }));
    test.update(change({ status: 'completed', ...whole }));
    assert.deepEqual(output(test), ['live\n']);
  });
});

void describe('a call', () => {
  void it('announced last, as by Cline, is one call and keeps its progress', async () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    test.update(change({ status: 'pending', title: 'Read a.md', kind: 'read' }));
    const answer = test.ask({ toolCallId: 'c1', status: 'pending' });
    test.answer(0, 'yes');
    await answer;
    test.update(change({ status: 'in_progress' }), call({ title: 'Read a.md', status: 'pending' }));
    assert.deepEqual(statuses(test), ['in_progress']);
    test.update(change({ status: 'completed', rawOutput: { lines: 3 } }));
    await test.agent.end();
    assert.match(test.text, /Tool call \(read, completed\): Read a\.md\n {2}output: {"lines":3}\n {2}answered: Allow/);
  });

  void it('that was rejected and left in progress ends as cancelled', async () => {
    for (const reason of ['end_turn', 'cancelled']) {
      const test = new SessionHarness().open();
      test.session.sendPrompt('go');
      test.update(call({ kind: 'edit', status: 'in_progress' }));
      const answer = test.ask({ toolCallId: 'c1' });
      test.answer(0, 'no');
      await answer;
      await test.agent.end(reason);
      assert.deepEqual(statuses(test), ['cancelled']);
    }
  });

  void it('changes only its output when updates repeat', () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('go');
    test.update(call({ status: 'in_progress', kind: 'execute' }));
    const { rev } = test.session.transcript;
    test.update(change({ status: 'in_progress', kind: 'execute', title: 'Run' }));
    assert.equal(test.session.transcript.rev, rev);
    const text = (value: string) => ({ content: [{ type: 'content', content: { type: 'text', text: value } }] });
    test.update(change(text('one\n')), change(text('one\ntwo\n')));
    assert.match(test.text, /Run\n {2}one\n {2}two\n$/);
  });

  void it('that reviews a plan shows it, even from the raw input', () => {
    const test = new SessionHarness().open();
    test.session.sendPrompt('plan');
    void test.ask({
      toolCallId: 'c1',
      title: 'Implement this plan?',
      kind: 'switch_mode',
      rawInput: { plan: '1. Go' },
    });
    assert.match(test.text, /Tool call \(switch_mode, pending\): Implement this plan\?\n {2}1\. Go\n {2}asks:/);
  });
});
