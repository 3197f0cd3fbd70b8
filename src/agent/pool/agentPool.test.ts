import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import {
  all,
  asks,
  isClosed,
  isDone,
  isReady,
  lives,
  pidsOf,
  PoolHarness,
  text,
  until,
  workspace,
} from '../../../test/unit-support/poolHarness';
import { toStored } from '../../session/transcript/storedSession';
import { firstView } from '../../session/firstView';
import { createTranscript } from '../../shared/transcript/ops';
import type { AgentId, SessionId, SessionKey } from '../../shared/values/ids';

let test = new PoolHarness();
afterEach(async () => {
  await test.pool.stopAll();
  for (const pid of pidsOf(test)) assert.equal(lives(pid), false, `process ${pid} is left`);
  test = new PoolHarness();
});

const update = (fields: object) => ({ update: fields });
const viewOf = (sessionId: string) =>
  ({
    ...firstView('settings:Codex' as AgentId, 'Codex', workspace),
    sessionId: sessionId as SessionId,
    connection: { state: 'closed' },
  }) as const;

void describe('a session in an agent process', () => {
  void it('starts, opens, answers, and sends the messages that the protocol requires', async () => {
    const session = test.start({ turns: [{ steps: [{ say: 'Hello from $cwd' }] }] });
    const states = new Set<string>();
    session.onDidChangeState(() => states.add(session.transcript.view.connection.state));
    assert.equal(session.transcript.view.connection.state, 'starting');
    session.sendPrompt('Hi');
    await until(session, isDone);
    assert.deepEqual([...states], ['starting', 'opening', 'ready'].slice(-states.size));
    assert.equal(text(session), `# Hi\n\nYou:\n  Hi\n\nCodex:\n  Hello from ${workspace}\n`);
    assert.deepEqual(test.sent(), ['initialize', 'session/new', 'session/prompt']);
    const [[, initialize], , [, opened]] = test.wire() as [
      [string, { params: object }],
      unknown,
      [string, { params: object }],
    ];
    assert.deepEqual(initialize.params, {
      protocolVersion: 1,
      clientInfo: { name: 'parley-acp', title: 'Parley', version: '0.1.0' },
      clientCapabilities: {
        fs: { readTextFile: true, writeTextFile: true },
        terminal: true,
        session: { configOptions: { boolean: {} }, notices: {}, compaction: {}, promptSuggestions: {} },
        auth: { terminal: true, _meta: { gateway: true } },
        elicitation: { form: {}, url: {} },
        plan: {},
        subagents: {},
        _meta: { terminal_output: true, 'terminal-auth': true },
      },
    });
    assert.deepEqual(opened.params, { cwd: workspace, mcpServers: [] });
  });

  void it('keeps its messages when the agent gives its id to another session', async () => {
    const spec = test.spec({ sessions: ['same', 'same'], turns: [{ steps: [{ say: 'for the first' }] }] });
    const first = test.start(spec);
    await until(first, isReady);
    const second = test.start(spec);
    await until(second, isClosed);
    assert.match(text(second), /sessionNotOpened[^]*The agent returned the ID of another open session/);
    first.sendPrompt('Hi');
    await until(first, isDone);
    assert.match(text(first), /for the first/);
    assert.doesNotMatch(text(second), /for the first/);
  });

  void it('is shown during its replay, and not after a failed one', async () => {
    const can = { initialize: { agentCapabilities: { loadSession: true } } };
    const said = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'said before' } };
    const toolCall = { toolCallId: 'c', title: 'Go on?' };
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
    // Holds the answer back until the user has answered.
    const hold = { request: 'session/request_permission', params: { toolCall, options } };
    const stored = toStored('earlier' as SessionKey, createTranscript(viewOf('s9')));
    for (const end of [[], [{ exit: 3 }]]) {
      const session = test.pool.restoreSession(
        test.spec({ ...can, replay: [update(said), hold, ...end] }),
        structuredClone(stored),
      );
      session.restart();
      await until(session, asks);
      assert.equal(session.transcript.view.connection.state, 'opening');
      assert.match(text(session), /said before/);
      const [call] = all(session, 'tool_call');
      if (call?.permission.state === 'asked') session.answerPermission(call.permission.request, 'yes');
      await until(session, (one) => isReady(one) || isClosed(one));
      if (end.length > 0) assert.doesNotMatch(text(session), /said before/);
      else assert.equal(text(session).match(/said before/g)?.length, 1);
      session.close();
    }
  });

  void it('keeps a message below the history that is being replayed', async () => {
    const say = (role: 'user' | 'agent', words: string) =>
      update({ sessionUpdate: `${role}_message_chunk`, content: { type: 'text', text: words } });
    const toolCall = { toolCallId: 'c', title: 'Go on?', status: 'completed' };
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
    const hold = { request: 'session/request_permission', params: { toolCall, options } };
    const session = test.pool.restoreSession(
      test.spec({
        initialize: { agentCapabilities: { loadSession: true } },
        replay: [say('user', 'first'), say('agent', 'one'), hold, say('user', 'second'), say('agent', 'two')],
        turns: [{ steps: [{ say: 'three' }] }, { steps: [{ say: 'four' }] }],
      }),
      toStored('earlier' as SessionKey, createTranscript(viewOf('s9'))),
    );
    session.restart();
    await until(session, asks);
    session.sendPrompt('third');
    session.sendPrompt('fourth');
    const [call] = all(session, 'tool_call');
    if (call?.permission.state === 'asked') session.answerPermission(call.permission.request, 'yes');
    await until(session, (one) => isDone(one) && text(one).includes('four'));
    const words = ['first', 'one', 'second', 'two', 'third', 'three', 'fourth', 'four'];
    const said = new RegExp(`^(?:You|Codex):\\n {2}(${words.join('|')})$`, 'gm');
    assert.deepEqual(
      [...text(session).matchAll(said)].map(([, word]) => word),
      words,
      text(session),
    );
  });

  void it('isn’t opened twice in one process', async () => {
    const spec = test.spec({
      initialize: { agentCapabilities: { loadSession: true } },
      turns: [{ steps: [{ say: 'answer' }] }],
    });
    const first = test.start(spec);
    first.sendPrompt('Hi');
    await until(first, isDone);
    const stored = structuredClone(toStored('other' as SessionKey, first.transcript));
    const second = test.pool.restoreSession(spec, stored);
    second.restart();
    await until(second, (one) => text(one).includes('already open in another tab'));
    first.sendPrompt('More');
    await until(first, (one) => isDone(one) && all(one, 'agent_message').length === 2);
  });

  void it('uses no optional features of an agent that advertises none', async () => {
    const session = test.start({});
    session.sendPrompt('Hi');
    await until(session, isDone);
    session.close();
    await test.pool.stopAll();
    assert.deepEqual(test.sent(), ['initialize', 'session/new', 'session/prompt']);
  });

  void it('keeps updates that arrive before the session has an id', async () => {
    const commands = {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'web', description: '' }],
    };
    const session = test.start({ beforeNew: [update(commands), { say: 'Welcome' }], afterNew: [{ say: ' back' }] });
    await until(session, () => isReady(session) && text(session).includes('back'));
    assert.equal(text(session), 'commands: /web\n\nCodex:\n  Welcome back\n');
  });

  void it('shares a process between sessions and routes by session', async () => {
    const script = {
      turns: [
        { steps: [{ ask: 'fs/read_text_file', params: { path: '/x' } }, { waitForAsked: true }, { say: '$session' }] },
      ],
    };
    const [first, second] = [test.start(script), test.start(script)];
    first.sendPrompt('one');
    second.sendPrompt('two');
    await Promise.all([until(first, isDone), until(second, isDone)]);
    assert.equal(pidsOf(test).length, 1);
    assert.deepEqual([all(first, 'agent_message').length, all(second, 'agent_message').length], [1, 1]);
    assert.match(text(first), /Codex:\n {2}s1/);
    assert.match(text(second), /Codex:\n {2}s2/);
    const elsewhere = test.start(script, '/');
    await until(elsewhere, isReady);
    assert.equal(pidsOf(test).length, 2);
    assert.deepEqual(test.pool.sessions, [first, second, elsewhere]);
  });

  void it('stops the process with its last session and reports closed sessions', async () => {
    const script = {
      initialize: { agentCapabilities: { sessionCapabilities: { close: {} } } },
      answers: { 'session/close': { error: { code: -32002, message: 'gone' } } },
    };
    const [first, second] = [test.start(script), test.start(script)];
    await Promise.all([until(first, isReady), until(second, isReady)]);
    first.close();
    second.sendPrompt('still there?');
    await until(second, isDone);
    assert.deepEqual(test.sent().slice(-2), ['session/close', 'session/prompt']);
    second.close();
    await test.pool.stopAll();
    assert.equal(lives(pidsOf(test)[0]!), false);
    assert.deepEqual(test.pool.sessions, []);
  });

  void it('cancels a turn', async () => {
    const session = test.start({
      turns: [{ steps: [{ say: 'working' }, { waitForCancel: true }, { say: ' until now' }], stopReason: 'cancelled' }],
    });
    session.sendPrompt('go');
    await until(session, () => text(session).includes('working'));
    session.cancel();
    session.cancel();
    await until(session, isDone);
    assert.match(text(session), /working until now[\s\S]*Stopped/);
    assert.deepEqual(
      test.sent().filter((method) => method === 'session/cancel'),
      ['session/cancel'],
    );
  });

  void it('ignores updates of unknown sessions and unknown notifications', async () => {
    const stray = {
      as: 'child',
      ...update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } }),
    };
    const session = test.start({
      turns: [
        { steps: [stray, stray, { notify: '_auth/status_update' }, { line: 'npm WARN deprecated' }, { say: 'fine' }] },
      ],
    });
    session.sendPrompt('go');
    await until(session, isDone);
    assert.match(text(session), /Codex:\n {2}fine\n$/);
    const notes = test.pool.traffic[0]!.traffic.entries().filter(({ direction }) => direction === 'note');
    assert.equal(notes.filter(({ message }) => String(message).includes('child')).length, 1);
  });

  void it('sets modes, models, and options each with its own method', async () => {
    const session = test.start({
      newSession: {
        modes: {
          currentModeId: 'ask',
          availableModes: [
            { id: 'ask', name: 'Ask' },
            { id: 'code', name: 'Code' },
          ],
        },
        models: { currentModelId: 'a', availableModels: [{ modelId: 'a' }, { modelId: 'b' }] },
      },
      answers: { 'session/set_mode': {}, 'session/set_model': {} },
    });
    await until(session, isReady);
    void session.setConfigOption('@mode', 'code');
    void session.setConfigOption('@model', 'b');
    session.sendPrompt('go');
    await until(session, isDone);
    const params = test
      .wire()
      .flatMap(([, { method, params: given }]) => (method?.startsWith('session/set') ? [given] : []));
    assert.deepEqual(params, [
      { sessionId: 's1', modeId: 'code' },
      { sessionId: 's1', modelId: 'b' },
    ]);
  });

  void it("sets booleans and choices among the agent's options", async () => {
    const configOptions = [
      { id: 'web', name: 'Web', type: 'boolean', currentValue: false },
      { id: 'depth', name: 'Depth', type: 'select', currentValue: '1', options: [{ value: '1' }, { value: '2' }] },
    ];
    const answers = { 'session/set_config_option': { configOptions: [{ ...configOptions[0], currentValue: true }] } };
    const session = test.start({ newSession: { configOptions }, answers });
    await until(session, isReady);
    void session.setConfigOption('web', true);
    void session.setConfigOption('depth', '2');
    await until(session, () => session.transcript.view.configOptions.length === 1);
    const params = test
      .wire()
      .flatMap(([, { method, params: given }]) => (method === 'session/set_config_option' ? [given] : []));
    assert.deepEqual(params, [
      { sessionId: 's1', configId: 'web', type: 'boolean', value: true },
      { sessionId: 's1', configId: 'depth', value: '2' },
    ]);
  });
});
