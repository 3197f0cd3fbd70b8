import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { faultsOnWire } from '../../../test/unit-support/secondSchema';
import {
  all,
  asks,
  isDone,
  isReady,
  PoolHarness,
  text,
  until,
  workspace,
} from '../../../test/unit-support/poolHarness';
import { firstView } from '../../session/firstView';
import { toStored } from '../../session/transcript/storedSession';
import type { SessionId, SessionKey, TerminalId, ToolCallId } from '../../shared/values/ids';
import { createTranscript } from '../../shared/transcript/ops';
import type { AgentSpec } from '../spec/agentSpec';
import { KnownVersions } from './knownVersions';
import { deleteSession, listSessions, setTitle } from '../connection/sessionRequests';
import type { Preparation } from '../connection/sessionSetup';

/* What Parley sends to an agent that speaks version 2. All of it is checked against the published schema. */

const versions = new KnownVersions({ read: () => ({}), write: () => undefined });
const nothing: Preparation = { additionalDirectories: [], mcpServers: [], skipped: [], secrets: [] };
let found = nothing;
const start = () => new PoolHarness({ versions, prepareSession: () => Promise.resolve(found) });
let test = start();

afterEach(async () => {
  const wires = test.pool.traffic.map((_agent, index) => test.wire(index));
  const isSecond = ([first]: (typeof wires)[number]) => JSON.stringify(first).includes('"protocolVersion":2');
  const faults = wires.filter(isSecond).flatMap(faultsOnWire);
  await test.pool.stopAll();
  test = start();
  found = nothing;
  assert.deepEqual(faults, []);
});

const second = (script: object, session: object = {}): AgentSpec => ({
  ...test.spec({ version: 2, initialize: { capabilities: { session }, ...initializeOf(script) }, ...script }),
  protocolVersion: 'auto',
});
const initializeOf = (script: object) => ('initialize' in script ? (script.initialize as object) : {});
const calls = (method: string, index = 0) =>
  test
    .wire(index)
    .flatMap(([direction, message]) => (direction === 'send' && message.method === method ? [message.params] : []));
const { signal } = new AbortController();

/** A session that only its agent has stored. */
function listed(spec: AgentSpec) {
  const view = { ...firstView(spec.id, spec.name, workspace), sessionId: 'old' as SessionId };
  const transcript = createTranscript({ ...view, connection: { state: 'closed' } });
  const session = test.pool.restoreSession(spec, toStored('listed' as SessionKey, transcript));
  session.restart();
  return session;
}

void describe('a session in version 2', () => {
  void it('is opened with supported features and typed servers', async () => {
    found = {
      ...nothing,
      additionalDirectories: ['/other'],
      mcpServers: [
        { name: 'files', command: '/bin/files', args: ['-v'], env: [{ name: 'A', value: 'b' }] },
        { type: 'http', name: 'web', url: 'https://a.example', headers: [] },
      ],
    };
    const availableCommands = [
      { type: 'command', name: 'plan', description: 'Plan it', input: { type: 'text', hint: 'what' } },
    ];
    const configOptions = [
      { configId: 'm', name: 'Mode', type: 'select', currentValue: 'a', options: [{ value: 'a', name: 'A' }] },
    ];
    const can = { additionalDirectories: {}, systemPrompt: {}, mcp: { stdio: {}, http: {} } };
    const spec = {
      ...second({ newSession: { availableCommands, configOptions } }, can),
      systemPrompt: { mode: 'append', text: 'Be brief.' } as const,
    };
    const session = test.start(spec);
    await until(session, isReady);
    assert.deepEqual(calls('session/new'), [
      {
        cwd: workspace,
        additionalDirectories: ['/other'],
        mcpServers: [
          { type: 'stdio', name: 'files', command: '/bin/files', args: ['-v'], env: [{ name: 'A', value: 'b' }] },
          { type: 'http', name: 'web', url: 'https://a.example', headers: [] },
        ],
        systemPrompt: { mode: 'append', content: [{ type: 'text', text: 'Be brief.' }] },
      },
    ]);
    const { view } = session.transcript;
    assert.deepEqual(view.availableCommands, [{ name: 'plan', description: 'Plan it', hint: 'what' }]);
    assert.deepEqual(
      view.configOptions.map(({ configId }) => configId),
      ['m'],
    );
  });

  void it('sets typed options, even if the change is reported before', async () => {
    const option = {
      configId: 'm',
      name: 'Mode',
      type: 'select',
      options: [
        { value: 'a', name: 'A' },
        { value: 'b', name: 'B' },
      ],
    };
    const flag = { configId: 'f', name: 'Fast', type: 'boolean', currentValue: false };
    const newSession = { configOptions: [{ ...option, currentValue: 'a' }, flag] };
    const after = [{ ...option, currentValue: 'b' }, flag];
    const update = { sessionUpdate: 'config_option_update', configOptions: after };
    const turns = [{ steps: [{ update }] }];
    const answers = { 'session/set_config_option': { configOptions: after } };
    const session = test.start(second({ newSession, turns, answers }));
    await until(session, isReady);
    const isSet = session.setConfigOption('m', 'b');
    session.sendPrompt('reports the same');
    assert.equal(await isSet, true);
    await until(session, isDone);
    await session.setConfigOption('f', true);
    assert.deepEqual(calls('session/set_config_option'), [
      { sessionId: 's1', configId: 'm', type: 'id', value: 'b' },
      { sessionId: 's1', configId: 'f', type: 'boolean', value: true },
    ]);
    assert.equal(session.transcript.view.configOptions[0]?.currentValue, 'b');
  });

  void it('resumes with a replay and takes its state from the agent', async () => {
    const replay = [
      { update: { sessionUpdate: 'user_message', messageId: 'u', content: [], _meta: null } },
      { update: { sessionUpdate: 'user_message_chunk', messageId: 'u', content: { type: 'text', text: 'hello' } } },
      { update: { sessionUpdate: 'agent_message', messageId: 'm', content: [] } },
      { update: { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: { type: 'text', text: 'hi there' } } },
      { update: { sessionUpdate: 'state_update', state: 'running', background: [] } },
    ];
    const session = listed(second({ replay, resume: {} }));
    await until(session, isReady);
    assert.deepEqual(calls('session/resume'), [
      { sessionId: 'old', cwd: workspace, mcpServers: [], replayFrom: { type: 'start' } },
    ]);
    assert.match(text(session), /You:\n {2}hello\n\nCodex:\n {2}hi there/);
    assert.equal(session.transcript.view.activity.state, 'running');
  });

  void it('is resumed without a replay if its conversation is shown', async () => {
    const update = (sessionUpdate: string, more: object) => ({ update: { sessionUpdate, ...more } });
    const replay = [update('agent_message_chunk', { messageId: 'late', content: { type: 'text', text: 'meanwhile' } })];
    const session = test.start(second({ turns: [{ steps: [{ say: 'first' }] }], replay, resume: {} }));
    session.sendPrompt('go');
    await until(session, isDone);
    session.endProcess();
    await until(session, (one) => one.transcript.view.connection.state === 'closed');
    session.restart();
    await until(session, isReady);
    assert.deepEqual(calls('session/resume'), [{ sessionId: 's1', cwd: workspace, mcpServers: [] }]);
    assert.match(text(session), /first[\s\S]*meanwhile/);
  });

  void it('can be forked, listed, named, deleted, and closed', async () => {
    const answers = {
      'session/fork': { sessionId: 'f1' },
      'session/list': { sessions: [{ sessionId: 's1', cwd: workspace, title: 'One' }] },
      'session/set_title': { title: 'Two' },
      'session/delete': { error: { code: -32002, message: 'Gone' } },
      'session/close': {},
    };
    const session = test.start(
      second({ answers, turns: [{ steps: [{ say: 'x' }] }] }, { fork: {}, title: {}, delete: {} }),
    );
    session.sendPrompt('go');
    await until(session, isDone);
    const stored = toStored('fork' as SessionKey, session.transcript);
    const view = { ...stored.snapshot.view, sessionId: '' as const };
    const spec = test.pool.specOf(session)!;
    const fork = test.pool.restoreSession(
      spec,
      { ...stored, snapshot: { ...stored.snapshot, view } },
      's1' as SessionId,
    );
    fork.restart();
    await until(fork, isReady);
    const agent = test.pool.runningAgentOf(session)!;
    const page = await listSessions(agent, { cwd: workspace, cursor: undefined }, signal);
    assert.deepEqual(
      page.sessions.map(({ title }) => title),
      ['One'],
    );
    assert.equal(await setTitle(agent, 's1' as SessionId, 'Two'), 'Two');
    await deleteSession(agent, 's9' as SessionId);
    fork.close();
    assert.deepEqual(test.sent().slice(-5), [
      'session/fork',
      'session/list',
      'session/set_title',
      'session/delete',
      'session/close',
    ]);
  });

  void it('stops one call or command if the agent can stop it', async () => {
    const content = [{ type: 'terminal', terminalId: 't1' }];
    const capabilities = { cancel: {} };
    const steps = [
      { update: { sessionUpdate: 'terminal_update', terminalId: 't1', command: 'sleep 9', capabilities } },
      {
        update: { sessionUpdate: 'tool_call_update', toolCallId: 'c1', title: 'Sleep', status: 'in_progress', content },
      },
      {
        update: {
          sessionUpdate: 'tool_call_update',
          toolCallId: 'c2',
          title: 'Think',
          status: 'in_progress',
          capabilities,
        },
      },
      { waitForCancel: true },
    ];
    const answers = { 'tool_call/cancel': {}, 'terminal/cancel': {} };
    const session = test.start(second({ turns: [{ steps }], answers }));
    session.sendPrompt('go');
    await until(session, (one) => all(one, 'tool_call').length === 2);
    assert.equal(session.work.stopToolCall('c1' as ToolCallId), false);
    assert.equal(session.work.stopToolCall('c2' as ToolCallId), true);
    assert.equal(session.work.stopTerminal('t1' as TerminalId), true);
    assert.deepEqual(calls('tool_call/cancel'), [{ sessionId: 's1', toolCallId: 'c2' }]);
    assert.deepEqual(calls('terminal/cancel'), [{ sessionId: 's1', terminalId: 't1' }]);
    session.cancel();
    await until(session, isDone);
  });

  void it('gets messages during a turn and keeps refused ones after Stop', async () => {
    const turns = [
      { steps: [{ say: 'working' }, { waitForCancel: true }], idle: { stopReason: 'cancelled' } },
      { insert: 'never' },
    ];
    const session = test.start(second({ turns }));
    session.sendPrompt('one');
    await until(session, (one) => /working/.test(text(one)));
    session.sendPrompt('two');
    assert.equal(calls('session/prompt').length, 2);
    session.cancel();
    await until(session, isDone);
    await until(session, (one) => one.transcript.view.queue.some(({ isOffered }) => isOffered === undefined));
    assert.equal(session.transcript.view.isQueueHeld, true);
  });

  void it('answers permission requests and forms, but nothing limited to version 1', async () => {
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
    const form = {
      mode: 'form',
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    };
    const steps = [
      { request: 'fs/read_text_file', params: { path: '/w/a' } },
      { report: true },
      { request: 'terminal/create', params: { command: 'ls' } },
      { report: true },
      { request: 'session/request_permission', params: { title: 'Sure?', options } },
      { report: true },
      { request: 'elicitation/create', params: form },
      { report: true },
    ];
    const session = test.start(second({ turns: [{ steps }] }));
    session.sendPrompt('go');
    await until(session, asks);
    const { permission } = all(session, 'tool_call')[0]!;
    assert.ok(permission.state === 'asked');
    session.answerPermission(permission.request, 'yes');
    await until(session, (one) => all(one, 'elicitation').length > 0);
    const { question } = all(session, 'elicitation')[0]!;
    assert.ok(question.state === 'asked');
    session.elicitations.answer(question.request, { action: 'accept', content: [['name', 'ann']] });
    await until(session, isDone);
    const said = text(session);
    assert.equal(said.match(/-32601/g)?.length, 2);
    assert.match(said, /"optionId":"yes"[\s\S]*"name":"ann"/);
  });

  void it('refuses a batch as a whole and continues', async () => {
    const line = JSON.stringify([
      { jsonrpc: '2.0', id: 'b1', method: 'fs/read_text_file', params: {} },
      { jsonrpc: '2.0', method: 'x' },
    ]);
    const session = test.start(second({ turns: [{ steps: [{ line }, { line: '[]' }, { say: 'well' }] }] }));
    session.sendPrompt('go');
    await until(session, isDone);
    const refusals = test.wire().filter(([direction, message]) => direction === 'send' && 'error' in message);
    assert.deepEqual(
      refusals.map(([, message]) => [message.id, (message as { error?: { code: number } }).error?.code]),
      [
        [null, -32600],
        [null, -32600],
      ],
    );
    assert.match(text(session), /well/);
  });

  void it('logs in and out with the methods of this version', async () => {
    const authMethods = [
      { methodId: 'key', type: 'agent', name: 'Key', _meta: { 'api-key': {} } },
      { methodId: 'shell', type: 'terminal', name: 'Shell', args: ['login'], env: [{ name: 'A', value: 'b' }] },
      { methodId: 'later', type: 'retina', name: 'Eye' },
    ];
    const session = test.start(
      second({ initialize: { authMethods }, answers: { 'auth/login': {}, 'auth/logout': {} } }),
    );
    await until(session, isReady);
    const agent = test.pool.runningAgentOf(session)!;
    assert.deepEqual(agent.authMethods, [
      { id: 'key', name: 'Key', type: 'apiKey' },
      { id: 'shell', name: 'Shell', type: 'terminal', args: ['login'], env: { A: 'b' } },
    ]);
    assert.equal(agent.can?.logout, true);
    await agent.authenticate(session, agent.authMethods[0]!, { type: 'apiKey', apiKey: 'sesame-4711' }, signal);
    await agent.logout();
    assert.deepEqual(test.sent().slice(-2), ['auth/login', 'auth/logout']);
  });

  void it('has an account before any session and needs no extensions', async () => {
    const authStatus = { kind: 'api_key', label: 'Owl key' };
    const beforeNew = [{ notify: '_auth/status_update', params: { authStatus } }];
    const script = { initialize: { _meta: { steering: { supported: true } } }, beforeNew };
    const session = test.start(second(script));
    await until(session, isReady);
    const agent = test.pool.runningAgentOf(session)!;
    assert.equal(agent.account.text, 'Owl key');
    assert.equal(agent.can?.steering, false);
  });

  void it('uses another process than version 1', async () => {
    const spec = second({ turns: [{ steps: [{ say: 'x' }] }] });
    const session = test.start(spec);
    await until(session, isReady);
    const first = test.start({ ...spec, protocolVersion: 1 });
    await until(first, isReady);
    assert.notEqual(test.pool.runningAgentOf(first), test.pool.runningAgentOf(session));
  });
});
