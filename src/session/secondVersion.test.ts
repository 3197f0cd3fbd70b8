import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { offeredDialect } from '../acp/dialects';
import { requestCancelled, ResponseError } from '../acp/base/errors';
import type { MessageId, SessionKey, TerminalId, ToolCallId } from '../shared/values/ids';
import { lateWorkOf } from '../shared/transcript/lateWork';
import { closeStored, fromStored, toStored } from './transcript/storedSession';
import { SessionHarness, settle } from '../../test/unit-support/fakeSession';

/* Sessions of agents that speak version 2. What real agents do differently from each other is from recorded traffic. */

const base64 = (text: string) => Buffer.from(text).toString('base64');
const text = (words: string) => ({ type: 'text', text: words });
const running = { sessionUpdate: 'state_update', state: 'running' };
const idle = { sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' };
const echo = (messageId: string, words: string) => ({
  sessionUpdate: 'user_message',
  messageId,
  content: [text(words)],
});
const echoChunk = (messageId: string, words: string) => ({
  sessionUpdate: 'user_message_chunk',
  messageId,
  content: text(words),
});
const says = (words: string, messageId = 'm1') => ({
  sessionUpdate: 'agent_message_chunk',
  messageId,
  content: text(words),
});
const calls = (toolCallId: string, fields: object) => ({ sessionUpdate: 'tool_call_update', toolCallId, ...fields });
const terminal = (terminalId: string, fields: object) => ({ sessionUpdate: 'terminal_update', terminalId, ...fields });
const { signal } = new AbortController();
const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

function open(): SessionHarness {
  const test = new SessionHarness();
  test.agent.insertsPrompts = true;
  return test.open({}, true, offeredDialect);
}

/** Opens a session and sends a message that the agent has added. */
async function begun(words = 'go'): Promise<SessionHarness> {
  const test = open();
  test.session.sendPrompt(words);
  test.update(echo('u1', words));
  await added(test, 0, 'u1');
  return test.update(running);
}

async function added(test: SessionHarness, prompt: number, messageId: string): Promise<void> {
  test.agent.prompts[prompt]!.resolve(messageId as MessageId);
  await settle();
}

const shown = (test: SessionHarness) =>
  test.all('user_message').map(({ content }) => content.map((block) => ('text' in block ? block.text : '')).join(''));
const call = (test: SessionHarness, at = 0) => test.all('tool_call')[at]!;
const term = (test: SessionHarness, id: string) => test.session.transcript.terminals.get(id as TerminalId)!;

void describe('a turn of version 2', () => {
  void it('begins with the message, then answer and state, as with Claude', async () => {
    const test = open();
    test.session.sendPrompt('go');
    test.update(echo('u1', 'go'));
    await added(test, 0, 'u1');
    assert.equal(test.view.activity.state, 'running');
    test.update({ ...running, background: [] }, says('done'), idle);
    assert.deepEqual([shown(test), test.view.activity.state], [['go'], 'idle']);
    assert.equal(test.session.endedTurns.last, 'completed');
  });

  void it('begins with the state, then message and answer, as with Codex', async () => {
    const test = open();
    test.session.sendPrompt('go');
    test.update(running, { sessionUpdate: 'session_info_update', _meta: { codex: {} } }, echoChunk('u1', 'go'));
    await added(test, 0, 'u1');
    test.update(says('done'), idle);
    assert.deepEqual([shown(test), test.view.activity.state], [['go'], 'idle']);
  });

  void it('shows the message once if it is reported only after the answer', async () => {
    const test = open();
    test.session.sendPrompt('go');
    await added(test, 0, 'u1');
    test.update({ ...echo('u1', ''), content: [] }, echoChunk('u1', 'Go, with more words'), running, says('x'), idle);
    assert.deepEqual(shown(test), ['go']);
  });

  void it('shows a message of another client between the prompt and its answer', async () => {
    const test = open();
    test.session.sendPrompt('go');
    test.update(echo('other', 'from elsewhere'));
    assert.deepEqual(shown(test), ['go'], 'it may be the prompt in other words');
    await added(test, 0, 'u1');
    assert.deepEqual(shown(test), ['go', 'from elsewhere']);
  });

  void it('is not ended by an idle snapshot from before the agent began', async () => {
    const test = open();
    test.session.sendPrompt('go');
    test.update({ sessionUpdate: 'state_update', state: 'idle', background: [] });
    assert.equal(test.view.activity.state, 'running');
    test.update(echo('u1', 'go'));
    await added(test, 0, 'u1');
    test.update(running, says('x'), idle, idle, idle);
    assert.deepEqual([test.session.endedTurns.count, test.view.activity.state], [1, 'idle']);
  });

  void it("can begin without a prompt and isn't idle in unknown states", async () => {
    const test = await begun();
    test.update(says('x'), idle, running, says('by myself', 'm2'));
    assert.equal(test.view.activity.state, 'running');
    assert.deepEqual(
      test.entries.map(({ turn }) => turn),
      [1, 1, 1],
    );
    test.update({ sessionUpdate: 'state_update', state: 'hibernating' });
    assert.equal(test.view.activity.state, 'running');
    test.update(idle);
    assert.deepEqual([test.view.activity.state, test.session.endedTurns.count], ['idle', 2]);
    assert.doesNotMatch(test.text, /without replying/);
  });

  void it('is running when a session opens whose agent is running', () => {
    const test = new SessionHarness().introduce(offeredDialect);
    test.agent.insertsPrompts = true;
    test.update(running, says('still here'));
    test.open({}, false, offeredDialect);
    assert.equal(test.view.activity.state, 'running');
    test.update(idle);
    assert.equal(test.view.activity.state, 'idle');
  });

  void it('gets the message that waited while its session was opened', async () => {
    const test = new SessionHarness().introduce(offeredDialect);
    test.agent.insertsPrompts = true;
    test.session.sendPrompt('at last');
    test.update(running);
    test.open({}, false, offeredDialect);
    assert.deepEqual(test.agent.heard, ['prompt at last']);
    test.update(idle);
    assert.equal(test.view.activity.state, 'running', 'that was the end of something else');
    test.update(echo('u1', 'at last'));
    await added(test, 0, 'u1');
    test.update(running, says('x'), idle);
    assert.deepEqual([shown(test), test.view.activity.state], [['at last'], 'idle']);
  });

  void it('ends when stopped, even if the agent never began it', async () => {
    const test = open();
    test.session.sendPrompt('go');
    test.session.cancel();
    test.update({ ...idle, stopReason: 'cancelled' });
    assert.equal(test.view.activity.state, 'idle');
    test.agent.prompts[0]!.reject(requestCancelled());
    await settle();
    assert.equal(test.all('notice').filter(({ title }) => title === 'Stopped').length, 1);
    assert.equal(test.all('error').length, 0);
  });

  void it('shows the error that ended it', async () => {
    const test = await begun();
    test.update({ ...idle, stopReason: 'error', error: { code: -32603, message: 'Overloaded', data: 'hunter2' } });
    assert.match(test.text, /Error \(overloaded\)[\s\S]*Overloaded/);
    assert.doesNotMatch(test.text, /hunter2/);
    assert.equal(test.session.endedTurns.last, 'failed');
  });

  void it('fails when the agent refuses its prompt', async () => {
    const test = open();
    test.session.sendPrompt('go');
    test.agent.prompts[0]!.reject(new ResponseError(-32602, 'No such model'));
    await settle();
    assert.match(test.text, /No such model/);
    assert.equal(test.view.activity.state, 'idle');
  });
});

void describe('a message into a running turn of version 2', () => {
  void it('is sent at once and shown where the agent adds it', async () => {
    const test = await begun();
    test.update(says('before'));
    test.session.sendPrompt('also this');
    assert.deepEqual(test.agent.heard, ['prompt go', 'prompt also this']);
    assert.deepEqual(
      test.view.queue.map(({ isOffered }) => isOffered),
      [true],
    );
    test.update(says(' and', 'm1'), echo('u2', 'also this'), says('after', 'm2'));
    await added(test, 1, 'u2');
    assert.deepEqual(test.view.queue, []);
    assert.deepEqual(
      test.entries.map(({ kind, turn }) => [kind, turn]),
      [
        ['user_message', 1],
        ['agent_message', 1],
        ['user_message', 1],
        ['agent_message', 1],
      ],
    );
    test.update(idle);
    assert.deepEqual([test.session.endedTurns.count, test.view.activity.state], [1, 'idle']);
  });

  void it('begins the next turn if the agent adds it after this one', async () => {
    const test = await begun();
    test.session.sendPrompt('then this');
    test.update(says('x'), calls('c', { title: 'Build', status: 'completed' }), idle);
    assert.ok(call(test).turnSummary, 'the turn before has its end');
    assert.deepEqual(shown(test), ['go']);
    test.update(echo('u2', 'then this'));
    await added(test, 1, 'u2');
    test.update(running, says('y', 'm2'), idle);
    assert.deepEqual(
      test.all('user_message').map(({ id, turn }) => [id, turn]),
      [
        ['prompt:1', 1],
        ['prompt:2', 2],
      ],
    );
    assert.equal(test.session.endedTurns.count, 2);
  });

  void it('begins the next turn also if the state comes first', async () => {
    const test = await begun();
    test.session.sendPrompt('then this');
    test.update(says('x'), idle, running, echoChunk('u2', 'then this'));
    await added(test, 1, 'u2');
    test.update(says('y', 'm2'), idle);
    assert.deepEqual(
      test.all('user_message').map(({ turn }) => turn),
      [1, 2],
    );
    assert.deepEqual(test.view.activity, { state: 'idle' });
  });

  void it('waits for the user after a stop before the agent added it', async () => {
    const test = await begun();
    test.session.sendPrompt('never seen');
    test.session.cancel();
    test.agent.prompts[1]!.reject(requestCancelled());
    await settle();
    test.update({ ...idle, stopReason: 'cancelled' });
    assert.deepEqual(
      test.view.queue.map(({ text: words, isOffered }) => [words, isOffered]),
      [['never seen', undefined]],
    );
    assert.equal(test.view.isQueueHeld, true);
    assert.deepEqual(shown(test), ['go']);
    test.session.resumeQueue();
    assert.equal(test.agent.heard.at(-1), 'prompt never seen');
  });

  void it('stays queued with a notice if the agent refuses it', async () => {
    const test = await begun();
    test.session.sendPrompt('more');
    test.agent.prompts[1]!.reject(new ResponseError(-32603, 'Not now'));
    await settle();
    assert.match(test.text, /couldn’t add the message/);
    assert.equal(test.view.queue.length, 1);
    test.update(idle);
    assert.equal(test.agent.heard.at(-1), 'prompt more');
  });

  void it('is kept but not resent after the window was closed', async () => {
    const test = await begun();
    test.session.sendPrompt('more');
    const stored = fromStored(JSON.parse(JSON.stringify(toStored(test.session.key, test.session.transcript))));
    assert.ok(stored !== undefined && stored !== 'later');
    const { queue, isQueueHeld } = closeStored(stored, 1).view;
    assert.deepEqual([queue, isQueueHeld], [[{ id: 'queued:1', text: 'more' }], true]);
  });

  void it('is kept but not resent after the agent exits', async () => {
    const test = await begun();
    test.session.sendPrompt('more');
    test.session.agentSide.disconnected(undefined);
    assert.deepEqual([test.view.queue.length, test.view.isQueueHeld], [1, true]);
    test.open({}, false, offeredDialect);
    assert.equal(test.agent.heard.length, 2);
  });

  void it('replaces the turn if the user wants that', async () => {
    const test = await begun();
    test.session.sendPrompt('instead');
    const { id } = test.view.queue[0]!;
    test.session.sendQueued(id, 'stopAndSend');
    test.agent.prompts[1]!.reject(requestCancelled());
    await settle();
    test.update({ ...idle, stopReason: 'cancelled' });
    assert.deepEqual(test.agent.heard, ['prompt go', 'prompt instead', 'cancel', 'prompt instead']);
    assert.deepEqual([shown(test), test.view.queue], [['go', 'instead'], []]);
  });

  void it("can't be changed or removed until the agent has added it", async () => {
    const test = await begun();
    test.session.sendPrompt('mine');
    const { id } = test.view.queue[0]!;
    assert.equal(test.session.queue.remove(id), undefined);
    assert.equal(test.view.queue.length, 1);
  });

  void it('is marked unread if the agent began a turn without it', async () => {
    const test = await begun();
    test.session.sendPrompt('then this');
    test.update(idle, running, says('something else', 'm2'));
    test.agent.prompts[1]!.reject(new ResponseError(-32603, 'Full'));
    await settle();
    assert.match(test.text, /Error \(promptFailed\)[\s\S]*Full/);
    assert.doesNotMatch(test.text, /stays queued/);
    test.session.sendPrompt('and this');
    test.update(idle, running);
    test.agent.prompts[2]!.reject(requestCancelled());
    await settle();
    assert.match(test.text, /didn’t receive your last message/);
  });

  void it('can have the same text twice', async () => {
    const test = await begun();
    test.session.sendPrompt('again');
    test.session.sendPrompt('again');
    test.update(echo('u2', 'again'), echo('u3', 'again'));
    await added(test, 2, 'u2');
    await added(test, 1, 'u3');
    assert.deepEqual(shown(test), ['go', 'again', 'again']);
    assert.deepEqual(test.view.queue, []);
  });
});

void describe('items of version 2', () => {
  void it('have ids that are unique only for their type', async () => {
    const test = await begun();
    const thought = { sessionUpdate: 'agent_thought_chunk', messageId: 'm1', content: text('hm') };
    test.update(thought, says('yes', 'm1'), thought);
    assert.deepEqual(
      test.all('agent_thought').map(({ content }) => content),
      [[text('hmhm')]],
    );
    assert.deepEqual(
      test.all('agent_message').map(({ content }) => content),
      [[text('yes')]],
    );
  });

  void it('are cleared and replaced by whole messages, and continued by chunks', async () => {
    const test = await begun();
    const whole = (content: unknown) => ({ sessionUpdate: 'agent_message', messageId: 'm1', content });
    test.update(says('wrong'), whole([]), says('right'));
    assert.deepEqual(test.all('agent_message')[0]!.content, [text('right')]);
    test.update({ sessionUpdate: 'agent_message', messageId: 'm1' });
    assert.deepEqual(test.all('agent_message')[0]!.content, [text('right')]);
    test.update(whole(null));
    assert.deepEqual(test.all('agent_message')[0]!.content, []);
  });

  void it('keep fields that an update omits and lose those it clears', async () => {
    const test = await begun();
    const locations = [{ path: '/workspace/a' }];
    test.update(calls('c1', { title: 'Read', kind: 'read', locations, rawInput: { a: 1 }, rawOutput: 'x' }));
    test.update(calls('c1', { status: 'in_progress' }));
    assert.deepEqual([call(test).locations, call(test).rawOutput], [locations, 'x']);
    test.update(
      calls('c1', { rawOutput: null, rawInput: null, locations: null, content: null, kind: null, _meta: null }),
    );
    assert.deepEqual([call(test).locations, call(test).toolKind, call(test).title], [[], 'other', 'Read']);
    assert.ok(!('rawOutput' in call(test)) && !('rawInput' in call(test)));
  });

  void it('can pause and resume, and an unknown status is not final', async () => {
    const test = await begun();
    const status = (value: string) => {
      test.update(calls('c1', { status: value }));
      return call(test).status;
    };
    assert.deepEqual(['in_progress', 'paused', 'thinking', 'completed', 'paused'].map(status), [
      'in_progress',
      'paused',
      'in_progress',
      'completed',
      'completed',
    ]);
  });

  void it('receive content piece by piece', async () => {
    const test = await begun();
    const chunk = (content: object) => ({ sessionUpdate: 'tool_call_content_chunk', toolCallId: 'c1', content });
    test.update(calls('c1', { title: 'Search', kind: 'search' }));
    test.update(chunk({ type: 'content', content: text('one') }), chunk({ type: 'content', content: text('two') }));
    assert.equal(call(test).content.length, 2);
  });

  void it("keep their identity in a session's next process, not in other sessions", async () => {
    const test = await begun();
    test.update(calls('c1', { title: 'Build', status: 'in_progress' }), says('x'), idle);
    test.session.agentSide.disconnected(undefined);
    test.session.agentSide.useDialect(offeredDialect, true);
    test.update(calls('c1', { status: 'completed', rawOutput: 'late' }));
    assert.deepEqual(
      test.all('tool_call').map(({ rawOutput }) => rawOutput),
      ['late'],
    );
    test.session.agentSide.disconnected(undefined);
    // The agent can't continue the session, so it begins another.
    test.session.agentSide.useDialect(offeredDialect, true);
    test.session.agentSide.useDialect(offeredDialect);
    test.update(calls('c1', { title: 'Another' }));
    assert.deepEqual(
      test.all('tool_call').map(({ title }) => title),
      ['Build', 'Another'],
    );
  });

  void it('keep details that a replay omits and receive those it adds', async () => {
    const test = await begun();
    const patch = { format: 'git_patch', text: '--- /w/a\n+++ /w/a\n@@ -1 +1 @@\n-old\n+new\n' };
    const diff = { type: 'diff', changes: [{ operation: 'modify', path: '/w/a' }], patch };
    test.update(
      calls('c1', { title: 'Edit', kind: 'edit', status: 'completed', content: [diff] }),
      calls('c2', { title: 'Read', kind: 'read', status: 'completed' }),
      idle,
    );
    const read = { type: 'content', content: text('what was read') };
    test.session.replay.compare([
      echo('u1', 'go'),
      calls('c1', { title: 'Edit', kind: 'edit', status: 'pending', content: [], rawOutput: null, _meta: null }),
      calls('c1', { status: 'completed', rawOutput: 'Edited.' }),
      calls('c2', { title: 'Read', kind: 'read', status: 'completed', locations: null, content: [read] }),
      idle,
    ]);
    assert.equal(test.all('tool_call').length, 2);
    assert.equal(call(test).content[0]?.type, 'diff', 'Claude replays no diffs');
    assert.deepEqual(call(test, 1).content, [read]);
    assert.deepEqual(shown(test), ['go']);
  });

  void it('are ignored if they belong to another version', async () => {
    const test = await begun();
    const before = test.session.transcript.rev;
    test.update(
      { sessionUpdate: 'hologram', id: 1 },
      { sessionUpdate: 'tool_call', toolCallId: 'c' },
      { sessionUpdate: 'session_info_update', _meta: { codex: { threadStatus: { type: 'idle' } } } },
    );
    assert.deepEqual(test.entries.length, 1);
    assert.equal(test.session.transcript.view.title, 'go');
    assert.ok(test.session.transcript.rev - before <= 1);
  });
});

void describe('a turn during which the window closed', () => {
  const closed = async () =>
    new SessionHarness('Codex', toStored('s' as SessionKey, (await begun()).session.transcript));
  const ends = { idle: ['Codex went on without it.', undefined], running: ['Codex went on without it.', 'cutOff'] };
  for (const [state, [description, brokenBy]] of Object.entries(ends)) {
    void it(`says what its agent on another machine did since: ${state}`, async () => {
      const test = (await closed()).introduce(offeredDialect);
      test.session.replay.compare([echo('u1', 'go'), says('done'), { ...idle, state }], true);
      const [notice] = test.all('notice');
      assert.equal(notice?.title, 'The window closed while Codex was working');
      assert.deepEqual([notice.description, notice.turnSummary?.brokenBy], [description, brokenBy]);
      assert.deepEqual(
        test.entries.map(({ kind }) => kind),
        ['user_message', 'agent_message', 'notice'],
      );
    });
  }

  void it('says that the next message starts an agent that ended with it', async () => {
    const test = (await closed()).introduce(offeredDialect);
    test.session.replay.compare([echo('u1', 'go'), says('done'), idle]);
    assert.match(test.all('notice')[0]?.description ?? '', /Send a message to start it again/);
  });
});

void describe('an option of version 2', () => {
  void it('may be reported as changed before the answer says so', async () => {
    const option = (currentValue: string) => ({
      configId: 'mode',
      name: 'Mode',
      type: 'select',
      currentValue,
      options: [
        { value: 'ask', name: 'Ask' },
        { value: 'auto', name: 'Auto' },
      ],
    });
    const report = (currentValue: string) => ({
      sessionUpdate: 'config_option_update',
      configOptions: [option(currentValue)],
    });
    const test = await begun();
    test.update(report('ask'));
    const isSet = test.session.setConfigOption('mode', 'auto');
    test.update(report('auto'));
    test.agent.changes[0]!.resolve(test.view.configOptions);
    assert.equal(await isSet, true);
    assert.deepEqual(
      test.view.configOptions.map(({ currentValue }) => currentValue),
      ['auto'],
    );
    assert.equal(test.all('notice').length, 0);
  });
});

void describe('a terminal of version 2', () => {
  void it('may come before its call and get its command later', async () => {
    const test = await begun();
    test.update(
      terminal('t', {}),
      calls('t', { title: 'Terminal', kind: 'execute', content: [{ type: 'terminal', terminalId: 't' }] }),
      terminal('t', { command: 'printf hello' }),
      terminal('t', { output: { data: base64('hello') } }),
      terminal('t', { exitStatus: { exitCode: 0 } }),
    );
    const { command, cwd, output, exit } = term(test, 't');
    assert.deepEqual([command, cwd, output], ['printf hello', '/workspace', 'hello']);
    assert.ok(exit.state === 'exited' && exit.exitCode === 0);
  });

  void it('may get output and exit in one update, with a null signal', async () => {
    const test = await begun();
    const exitStatus = { exitCode: 3, signal: null };
    test.update(terminal('t', { command: 'x', cwd: '/w', output: { data: base64('all') }, exitStatus }));
    const { output, exit } = term(test, 't');
    assert.deepEqual([output, exit], ['all', { state: 'exited', exitCode: 3, endedAt: test.clock.time }]);
  });

  void it('accepts bytes that split characters or are replaced', async () => {
    const test = await begun();
    const bytes = Buffer.from('für 👍');
    for (const byte of bytes) {
      const data = Buffer.from([byte]).toString('base64');
      test.update({ sessionUpdate: 'terminal_output_chunk', terminalId: 't', data });
    }
    assert.equal(term(test, 't').output, 'für 👍');
    test.update(terminal('t', { output: { data: base64('new') } }));
    assert.equal(term(test, 't').output, 'new');
    test.update({
      sessionUpdate: 'terminal_output_chunk',
      terminalId: 't',
      data: Buffer.from([0xc3]).toString('base64'),
    });
    test.update(terminal('t', { exitStatus: { exitCode: 0 } }));
    assert.equal(term(test, 't').output, 'new\ufffd', 'nothing of the output is lost');
    test.update(terminal('t', { output: null, exitStatus: null }));
    assert.deepEqual([term(test, 't').output, term(test, 't').exit.state], ['', 'running']);
  });
});

void describe('a permission request of version 2', () => {
  const request = (params: object) => ({ sessionId: 's1', title: 'Make edits?', options, ...params });

  void it("about a call shows the call's earlier diff", async () => {
    const test = await begun();
    const patch = { format: 'git_patch', text: 'diff --git /w/a /w/a\n--- /w/a\n+++ /w/a\n@@ -1 +1 @@\n-old\n+new\n' };
    const diff = { type: 'diff', changes: [{ operation: 'modify', path: '/w/a' }], patch };
    test.update(calls('c1', { kind: 'edit', title: 'Editing files', status: 'in_progress', content: [diff] }));
    const toolCall = {
      toolCallId: 'c1',
      title: 'Edit files',
      locations: [{ path: '/w/a' }],
      kind: 'edit',
      status: 'pending',
    };
    const answer = test.session.agentSide.handlePermission(
      request({ subject: { type: 'tool_call', toolCall } }),
      signal,
    );
    const { content, permission, status } = call(test);
    assert.deepEqual(content, [{ type: 'diff', path: '/w/a', oldText: 'old\n', newText: 'new\n', line: 1 }]);
    assert.equal(status, 'in_progress');
    assert.ok(permission.state === 'asked');
    assert.deepEqual(permission.words, { title: 'Make edits?' });
    test.answer(0, 'yes');
    assert.deepEqual(await answer, { outcome: { outcome: 'selected', optionId: 'yes' } });
  });

  void it('about a command shows the command and ends with the answer', async () => {
    const test = await begun();
    const subject = { type: 'command', command: 'make all', cwd: '/workspace/sub' };
    const answer = test.session.agentSide.handlePermission(request({ title: 'Run it?', subject }), signal);
    const { toolKind, rawInput, title } = call(test);
    assert.deepEqual(
      [toolKind, rawInput, title],
      ['execute', { command: 'make all', cwd: '/workspace/sub' }, 'Run it?'],
    );
    test.answer(0, 'no');
    await answer;
    assert.equal(call(test).status, 'cancelled');
  });

  void it("about a call's command appears in the call with that command", async () => {
    const test = await begun();
    test.update(calls('c1', { title: 'ls', kind: 'execute', rawInput: { command: 'ls' } }));
    const subject = { type: 'command', command: 'rm -rf x', cwd: '/w', toolCallId: 'c1' };
    void test.session.agentSide.handlePermission(request({ subject }), signal);
    assert.equal(test.all('tool_call').length, 1);
    assert.deepEqual(call(test).rawInput, { command: 'rm -rf x', cwd: '/w' });
    test.session.close();
  });

  void it('without a known subject shows its own text', async () => {
    const test = await begun();
    const description = 'It needs the network.';
    const free = test.session.agentSide.handlePermission(request({ title: 'Go online?', description }), signal);
    const strange = test.session.agentSide.handlePermission(
      request({ title: 'Launch?', subject: { type: 'rocket', to: 'moon' } }),
      signal,
    );
    assert.deepEqual(
      test.all('tool_call').map(({ title }) => title),
      ['Go online?', 'Launch?'],
    );
    const { permission } = call(test);
    assert.deepEqual(permission.state === 'asked' && permission.words, { title: 'Go online?', description });
    assert.deepEqual(call(test, 1).rawInput, { type: 'rocket', to: 'moon' });
    test.answer(0, 'yes');
    test.answer(1, 'no');
    await Promise.all([free, strange]);
    assert.deepEqual(
      test.all('tool_call').map(({ status }) => status),
      ['completed', 'cancelled'],
    );
  });

  void it('is answered as cancelled when the agent withdraws it', async () => {
    const test = await begun();
    const withdrawn = new AbortController();
    const answer = test.session.agentSide.handlePermission(request({}), withdrawn.signal);
    withdrawn.abort();
    assert.deepEqual(await answer, { outcome: { outcome: 'cancelled' } });
  });
});

void describe('background work of version 2', () => {
  const background = [
    { type: 'terminal', terminalId: 't' },
    { type: 'tool_call', toolCallId: 'c2' },
    { type: 'spaceship', name: 'x' },
  ];

  async function atWork(): Promise<SessionHarness> {
    const test = await begun();
    const content = [{ type: 'terminal', terminalId: 't' }];
    return test.update(
      terminal('t', { command: 'npm run dev', capabilities: { cancel: {} } }),
      calls('c1', { title: 'npm run dev', kind: 'execute', status: 'completed', content }),
      calls('c2', { title: 'Watch', status: 'in_progress', capabilities: { cancel: {} } }),
      says('It runs.'),
      { ...idle, background },
    );
  }

  void it('is listed after its turn and during others with open calls', async () => {
    const test = await atWork();
    const listed = () => lateWorkOf(test.view).map((work) => work.kind === 'reported' && [work.entry, work.canCancel]);
    const expected = [
      ['tool_call:c1', true],
      ['tool_call:c2', true],
      [undefined, false],
    ];
    assert.deepEqual(listed(), expected);
    assert.equal(call(test, 1).status, 'in_progress');
    test.update(running);
    assert.deepEqual(listed(), expected);
    test.session.cancel();
    assert.equal(call(test, 1).status, 'in_progress', 'a stop is about the turn');
    test.update({ ...idle, stopReason: 'cancelled', background: [] });
    assert.deepEqual(lateWorkOf(test.view), []);
  });

  void it('is one entry if the agent lists a command and its call', async () => {
    const test = await atWork();
    test.update({
      ...idle,
      background: [
        { type: 'tool_call', toolCallId: 'c1' },
        { type: 'terminal', terminalId: 't' },
      ],
    });
    assert.deepEqual(
      lateWorkOf(test.view).map((work) => work.kind === 'reported' && [work.entry, work.terminal, work.canCancel]),
      [['tool_call:c1', 't', true]],
    );
  });

  void it('can be stopped one by one or all together', async () => {
    const test = await atWork();
    const stopped: string[] = [];
    test.agent.cancelTerminal = async (id) => void stopped.push(`terminal ${id}`);
    test.agent.cancelToolCall = async (id) => void stopped.push(`call ${id}`);
    test.session.work.stop({ toolCall: 'c2' as ToolCallId });
    assert.deepEqual(stopped, ['call c2']);
    test.session.work.stopLate();
    assert.deepEqual(stopped, ['call c2', 'terminal t', 'call c2']);
    test.update(calls('c2', { status: 'cancelled' }), terminal('t', { exitStatus: { signal: 'SIGTERM' } }));
    assert.equal(test.session.work.stopToolCall('c2' as ToolCallId), false);
    assert.deepEqual(test.agent.heard, ['prompt go'], 'the turn is left alone');
  });

  void it("shows that it couldn't be stopped", async () => {
    const test = await atWork();
    test.agent.cancelToolCall = () => Promise.reject(new ResponseError(-32602, 'Already over: hunter2'));
    test.session.work.stop({ toolCall: 'c2' as ToolCallId });
    await settle();
    assert.match(test.text, /couldn’t stop “Watch”/);
    assert.doesNotMatch(test.text, /hunter2/);
  });
});
