import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chunk } from '../../../test/unit-support/playUpdates';
import { call, cancelled, Subagents } from '../../../test/unit-support/fakeSubagents';
import type { SessionId } from '../../shared/values/ids';
import type { Entry } from '../../shared/transcript/transcript';

const shape = (entry: Entry) => `${entry.subagent ?? '-'} ${entry.id}`;

void describe('a subagent', () => {
  void it('has a row that updates change: absent fields stay, null clears', async () => {
    const test = await new Subagents().begin();
    test.announce('c', { description: 'Looks around' });
    const { startedAt } = test.row('c');
    test.clock.pass(50);
    test.tell('c', { title: 'Searcher' });
    assert.deepEqual(test.row('c'), {
      kind: 'subagent',
      id: 'subagent:c',
      turn: 1,
      sessionId: 'c',
      title: 'Searcher',
      description: 'Looks around',
      state: 'running',
      canCancel: true,
      startedAt,
    });
    test.tell('c', { description: null, capabilities: null, state: null });
    const { description, canCancel, state } = test.row('c');
    assert.deepEqual([description, canCancel, state], [undefined, false, 'unknown']);
    test.tell('c', { state: { state: 'idle', stopReason: 'error', error: { message: 'Too hot' } } });
    const ended = test.row('c');
    assert.deepEqual([ended.state, ended.stopReason, ended.error, ended.endedAt], ['idle', 'error', 'Too hot', 1050]);
    const { rev } = test.session.transcript;
    test.clock.pass(50);
    test.tell('c', { state: { state: 'idle', stopReason: 'error', error: { message: 'Too hot' } } });
    assert.equal(test.session.transcript.rev, rev, 'the same again is no news');
    test.tell('c', { state: { state: 'running' } });
    const again = test.row('c');
    assert.deepEqual([again.state, again.stopReason ?? again.error ?? again.endedAt], ['running', undefined]);
  });

  void it('uses its task as description unless the agent sends one', async () => {
    const test = await new Subagents().begin();
    test.announce('c');
    const tell = (fields: object) => test.from('c', { sessionUpdate: 'session_message', messageId: 'm', ...fields });
    const content = [{ type: 'text', text: ' Read the notes.\n' }, { type: 'image' }, 7];
    tell({ messageId: 'own', senderSessionId: 's1', recipientSessionId: 's1', content });
    tell({ senderSessionId: 's1', recipientSessionId: 'c', content: 'none' });
    assert.equal(test.row('c').description, undefined);
    tell({ senderSessionId: 's1', recipientSessionId: 'c', content });
    const more = [{ type: 'text', text: 'And more.' }];
    tell({ messageId: 'later', senderSessionId: 's1', recipientSessionId: 'c', content: more });
    assert.equal(test.row('c').description, 'Read the notes.');
    test.tell('c', { description: 'Reads' });
    assert.equal(test.row('c').description, 'Reads');
    test.announce('d');
    const chunk = (words: string) =>
      test.from('d', {
        sessionUpdate: 'session_message_chunk',
        messageId: 'n',
        content: { type: 'text', text: words },
      });
    chunk('Write ');
    test.from('d', { sessionUpdate: 'session_message', messageId: 'n', recipientSessionId: 'd' });
    assert.equal(test.row('d').description, 'Write');
    chunk('tests.');
    assert.equal(test.row('d').description, 'Write tests.');
  });

  void it("has its own entries, which never merge with another speaker's", async () => {
    const test = await new Subagents().begin();
    test.say('Parent, ').announce('a').announce('b');
    test.from('a', chunk('agent', 'I am '), chunk('thought', 'Hm', 'm'), call('t'));
    test.from('b', chunk('agent', 'Me too'), chunk('thought', 'Ha', 'm'), call('t'));
    test.update(chunk('thought', 'Hum', 'm'), call('t'));
    test.from('a', { sessionUpdate: 'tool_call_update', toolCallId: 't', title: 'Of a' });
    test.from('b', { sessionUpdate: 'tool_call_update', toolCallId: 't', title: 'Of b' });
    test.update({ sessionUpdate: 'tool_call_update', toolCallId: 't', title: 'Of the parent' });
    assert.deepEqual(
      test.all('tool_call').map(({ subagent, title }) => [subagent, title]),
      [
        ['a', 'Of a'],
        ['b', 'Of b'],
        [undefined, 'Of the parent'],
      ],
    );
    assert.equal(test.all('agent_thought').length, 3);
    test.from('a', chunk('agent', 'after it'));
    test.update(chunk('agent', 'of the parent'));
    assert.deepEqual(
      test
        .all('agent_message')
        .map(({ subagent, content: [block] }) => [subagent, block?.type === 'text' ? block.text : '']),
      [
        [undefined, 'Parent, '],
        ['a', 'I am '],
        ['b', 'Me too'],
        ['a', 'after it'],
        [undefined, 'of the parent'],
      ],
    );
    assert.equal(new Set(test.entries.map(({ id }) => id)).size, test.entries.length);
  });

  void it('continues its message and thought while its parent speaks, and vice versa', async () => {
    const test = await new Subagents().begin('a');
    test.update(chunk('thought', 'Parent '));
    test.from('a', chunk('thought', 'Child '));
    test.update(chunk('thought', 'thinks'));
    test.from('a', chunk('thought', 'thinks'));
    const thoughts = () =>
      test
        .all('agent_thought')
        .map(({ content: [block], endedAt }) => [block?.type === 'text' ? block.text : '', endedAt !== undefined]);
    assert.deepEqual(thoughts(), [
      ['Parent thinks', false],
      ['Child thinks', false],
    ]);
    test.from('a', call('t'));
    assert.deepEqual(thoughts()[0], ['Parent thinks', false]);
    assert.deepEqual(thoughts()[1], ['Child thinks', true]);
    test.say('done');
    assert.deepEqual(thoughts()[0], ['Parent thinks', true]);
  });

  void it("changes none of its parent's title, settings, commands, usage, or plan", async () => {
    const test = await new Subagents().begin('a');
    const plan = (content: string) => ({
      sessionUpdate: 'plan',
      entries: [{ content, priority: 'low', status: 'pending' }],
    });
    test.update(plan('Of the parent'));
    const before = test.view;
    test.from(
      'a',
      { sessionUpdate: 'session_info_update', title: 'Mine' },
      { sessionUpdate: 'usage_update', used: 5, size: 9 },
      { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'x', description: '' }] },
      { sessionUpdate: 'current_mode_update', currentModeId: 'x' },
      {
        sessionUpdate: 'config_option_update',
        configOptions: [{ id: 'x', name: 'X', type: 'boolean', currentValue: true }],
      },
      chunk('user', 'Your task: search'),
    );
    assert.equal(test.view, before);
    test.from('a', plan('Of the child'));
    assert.deepEqual(
      test.view.plans.map(({ subagent }) => subagent),
      [undefined, 'a'],
    );
    assert.deepEqual(test.view.plans[0], before.plans[0]);
    assert.deepEqual(test.all('plan').map(shape), ['- plan:plan', 'a plan:a/plan']);
    test.from('a', { sessionUpdate: 'plan', entries: [] });
    assert.deepEqual(test.view.plans, before.plans);
    assert.equal(test.all('user_message').length, 1);
  });

  void it("has its own commands, even with its parent's ids", async () => {
    const test = await new Subagents().begin('a');
    const shell = (data: string) => ({
      _meta: { terminal_info: { terminal_id: 'x' }, terminal_output: { terminal_id: 'x', data } },
    });
    test.update(call('t', { kind: 'execute', ...shell('parent') }));
    test.from('a', call('t', { kind: 'execute', ...shell('child'), content: [{ type: 'terminal', terminalId: 'x' }] }));
    assert.match(test.text, /running\): Call t\n {4}parent[\s\S]*running\): Call t\n {6}child/);
    // Parley's own terminal is shown wherever its id appears.
    const ours = { terminalId: 'our-1', driver: 'pty', command: 'make', cwd: '/' } as never;
    test.session.terminals.created(ours);
    test.from('a', call('u', { content: [{ type: 'terminal', terminalId: 'our-1' }] }));
    assert.match(test.text, /terminal \(pty, running\): make/);
  });

  void it('may have its own subagents, which refer to it', async () => {
    const test = await new Subagents().begin('a');
    test.announce('b', {}, 'a').from('b', chunk('agent', 'Deep', 'm'));
    assert.deepEqual(test.entries.slice(1).map(shape), ['- subagent:a', 'a subagent:b', 'b agent_message:m']);
  });

  void it('asks in its own call and is answered there', async () => {
    const test = await new Subagents().begin('a');
    test.update(call('t'));
    test.from('a', call('t'));
    const answer = test.askFrom('a', { toolCallId: 't', title: 'May I?' });
    assert.equal(test.view.activity.state, 'requires_action');
    assert.deepEqual(
      test.all('tool_call').map(({ permission }) => permission.state),
      ['none', 'asked'],
    );
    test.answer(1, 'yes');
    assert.deepEqual(await answer, { outcome: { outcome: 'selected', optionId: 'yes' } });
    const form = { mode: 'form', message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
    const place = { isOfTurn: true, toolCallId: 't' as never };
    void test.session.agentSide.handleElicitation(form, place, new AbortController().signal, 'a' as SessionId);
    const [asked] = test.all('elicitation');
    assert.deepEqual([asked?.subagent, asked?.about], ['a', 't~2']);
    await assert.rejects(test.askFrom('nobody', { toolCallId: 't' }), { message: 'Unknown session: nobody' });
  });

  void it('can be stopped separately and withdraws only its own questions', async () => {
    const test = await new Subagents().begin('a', 'b');
    test.announce('c', {}, 'a');
    const own = test.ask({ toolCallId: 'p' });
    const asked = ['a', 'b', 'c'].map((child) => test.askFrom(child, { toolCallId: 'q' }));
    const form = { mode: 'form', message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
    const forms = ['b', 'c'].map((child) =>
      test.session.agentSide.handleElicitation(
        form,
        { isOfTurn: true },
        new AbortController().signal,
        child as SessionId,
      ),
    );
    test.session.work.stopSubagent('a' as SessionId);
    assert.deepEqual(await Promise.all([asked[0], asked[2]]), [cancelled, cancelled]);
    assert.deepEqual(await forms[1], { action: 'cancel' });
    assert.deepEqual(
      test.all('elicitation').map(({ question }) => question.state),
      ['asked', 'withdrawn'],
    );
    assert.deepEqual(
      test.all('tool_call').map(({ permission }) => permission.state),
      ['asked', 'cancelled', 'asked', 'cancelled'],
    );
    test.tell('b', { capabilities: {} });
    test.session.work.stopSubagent('b' as SessionId);
    test.tell('a', { state: { state: 'idle', stopReason: 'cancelled' } });
    test.session.work.stopSubagent('a' as SessionId);
    test.session.work.stopSubagent('nobody' as SessionId);
    assert.deepEqual(test.agent.heard, ['prompt Go', 'cancel a']);
    test.session.cancel();
    assert.deepEqual(await Promise.all([own, asked[1]]), [cancelled, cancelled]);
  });
});
