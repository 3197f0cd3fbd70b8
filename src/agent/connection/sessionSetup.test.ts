import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import {
  all,
  isClosed,
  isDone,
  isReady,
  PoolHarness,
  text,
  until,
  workspace,
} from '../../../test/unit-support/poolHarness';
import { firstView } from '../../session/firstView';
import { toStored } from '../../session/transcript/storedSession';
import type { SessionId, SessionKey } from '../../shared/values/ids';
import { createTranscript } from '../../shared/transcript/ops';
import type { AgentSpec } from '../spec/agentSpec';
import { deleteSession, listSessions } from './sessionRequests';
import type { Preparation } from './sessionSetup';

const server = { name: 'files', command: '/bin/files', args: ['--key', 'hidden-7'], env: [] };
const nothing: Preparation = { additionalDirectories: [], mcpServers: [], skipped: [], secrets: [] };
let found: Preparation = nothing;
let test = harness();

function harness() {
  return new PoolHarness({ prepareSession: () => Promise.resolve(found) });
}

afterEach(async () => {
  await test.pool.stopAll();
  found = nothing;
  test = harness();
});

const can = (sessionCapabilities: object, loadSession = false) => ({
  initialize: { agentCapabilities: { loadSession, sessionCapabilities } },
});

function opened(index = 0) {
  const setup = /^session\/(new|load|resume)$/;
  return test
    .wire(index)
    .flatMap(([, { method, params }]) => (setup.test(method ?? '') ? [{ method, ...params }] : []));
}

/** A session that only its agent has stored. */
function listed(spec: AgentSpec) {
  const key = 'listed' as SessionKey;
  const transcript = createTranscript({
    ...firstView(spec.id, spec.name, workspace),
    sessionId: 'old' as SessionId,
    connection: { state: 'closed' },
  });
  const session = test.pool.restoreSession(spec, toStored(key, transcript));
  session.restart();
  return session;
}

void describe('the setup of a session', () => {
  void it('is complete each time, with folders only for agents that support them', async () => {
    found = { ...nothing, additionalDirectories: ['/b', '/c'], mcpServers: [server] };
    for (const [method, script] of [
      ['session/resume', can({ resume: {}, additionalDirectories: {} })],
      ['session/load', can({ additionalDirectories: {} }, true)],
    ] as const) {
      const session = test.start({ ...script, turns: [{ steps: [{ say: 'hello' }] }] });
      session.sendPrompt('go');
      await until(session, isDone);
      session.endProcess();
      await until(session, isClosed);
      const setup = { cwd: workspace, mcpServers: [server], additionalDirectories: ['/b', '/c'] };
      assert.deepEqual(opened(), [{ method: 'session/new', ...setup }]);
      session.restart();
      await until(session, isReady);
      assert.deepEqual(opened(), [{ method, ...setup, sessionId: 's1' }]);
      session.close();
    }
    const plain = test.start({});
    await until(plain, isReady);
    assert.deepEqual(opened().map(Object.keys), [['method', 'cwd', 'mcpServers']]);
  });

  void it('reports skipped servers once and without secrets', async () => {
    const skipped = [
      { name: 'web', reason: 'the agent doesn’t support http servers' },
      { name: 'odd', reason: 'program hidden-7 wasn’t found' },
    ];
    found = { ...nothing, skipped, secrets: ['hidden-7'] };
    const session = test.start({});
    await until(session, (one) => all(one, 'notice').length > 0);
    session.endProcess();
    await until(session, isClosed);
    session.restart();
    await until(session, isReady);
    const warnings = all(session, 'notice').filter(({ severity }) => severity === 'warning');
    const shown = warnings.map(({ title, description }) => `${title}:${description ?? ''}`);
    assert.deepEqual(shown, [
      '2 MCP servers were skipped:\nweb: the agent doesn’t support http servers.\nodd: program [redacted] wasn’t found.',
    ]);
  });

  void it('keeps values secret in the log', async () => {
    found = { ...nothing, mcpServers: [server], secrets: ['hidden-7'] };
    const session = test.start({});
    await until(session, isReady);
    const log = test.pool.traffic[0]!.traffic.export();
    assert.match(log, /session\/new.*"--key"/);
    assert.doesNotMatch(log, /hidden-7/);
  });

  void it('has a system prompt each time if the agent supports this mode', async () => {
    const prompt = (mode: 'append' | 'override', script: object) => ({
      ...test.spec({ ...script, turns: [{ steps: [{ say: 'hello' }] }] }),
      systemPrompt: { mode, text: 'Be brief.' },
    });
    const content = [{ type: 'text', text: 'Be brief.' }];
    const session = test.start(prompt('append', can({ systemPrompt: {}, resume: {} })));
    session.sendPrompt('go');
    await until(session, isDone);
    assert.deepEqual(opened()[0], {
      method: 'session/new',
      cwd: workspace,
      mcpServers: [],
      systemPrompt: { mode: 'append', content },
    });
    session.endProcess();
    await until(session, isClosed);
    session.restart();
    await until(session, isReady);
    assert.deepEqual((opened()[0] as { systemPrompt?: unknown }).systemPrompt, { mode: 'append', content });
    assert.equal(all(session, 'notice').length, 0);
    session.close();
    const override = test.start(prompt('override', can({ systemPrompt: { mode: { override: {} } } })));
    await until(override, isReady);
    assert.deepEqual((opened()[0] as { systemPrompt?: unknown }).systemPrompt, { mode: 'override', content });
    override.close();
    for (const script of [{}, can({ systemPrompt: {} })]) {
      const refused = test.start(prompt('override', script));
      await until(refused, (one) => all(one, 'notice').length > 0);
      assert.deepEqual(Object.keys(opened()[0]!), ['method', 'cwd', 'mcpServers']);
      assert.match(text(refused), /The system prompt wasn’t sent/);
      refused.close();
    }
  });
});

void describe('a session that only its agent has stored', () => {
  const chunk = (role: string, said: string) => ({
    update: { sessionUpdate: `${role}_message_chunk`, content: { type: 'text', text: said } },
  });

  void it('is loaded, not resumed, and shown completely and only once', async () => {
    const replay = [chunk('user', 'long ago'), chunk('agent', 'I remember')];
    const session = listed(test.spec({ ...can({ resume: {} }, true), replay }));
    await until(session, (one) => text(one).includes('I remember'));
    assert.match(text(session), /You:\n {2}long ago\n\nCodex:\n {2}I remember\n$/);
    assert.deepEqual(opened(), [{ method: 'session/load', sessionId: 'old', cwd: workspace, mcpServers: [] }]);
  });

  void it('is resumed if nothing else is supported, with a notice', async () => {
    const session = listed(test.spec(can({ resume: {} })));
    await until(session, (one) => all(one, 'notice').length > 0);
    assert.match(text(session), /Earlier messages aren’t available/);
  });

  void it('is not replaced by another one when the agent refuses', async () => {
    const script = { ...can({}, true), load: { error: { code: -32002, message: 'No such session' } } };
    const session = listed(test.spec(script));
    await until(session, isClosed);
    await until(session, (one) => all(one, 'error').length > 0);
    assert.match(text(session), /No such session/);
    assert.deepEqual(test.sent(), ['initialize', 'session/load']);
  });
});

void describe('an agent that is used outside sessions', () => {
  void it('starts for a request, answers, and stops when unused', async () => {
    const answers = {
      'session/list': { sessions: [{ sessionId: 'x', cwd: workspace }] },
      'session/delete': { error: { code: -32002, message: 'gone' } },
    };
    const lease = test.pool.lease(test.spec({ ...can({ list: {}, delete: {} }), answers }), workspace);
    await lease.ready;
    const page = await listSessions(lease.agent, { cwd: workspace, cursor: undefined }, new AbortController().signal);
    assert.deepEqual(page, { sessions: [{ sessionId: 'x', cwd: workspace, title: '', isArchived: false }] });
    await deleteSession(lease.agent, 'x' as SessionId);
    assert.deepEqual(test.sent(), ['initialize', 'session/list', 'session/delete']);
    lease.dispose();
    lease.dispose();
    await lease.agent.exited;
  });

  void it('keeps running as long as a session or a request needs it', async () => {
    const session = test.start({});
    await until(session, isReady);
    const [lease, ...others] = test.pool.leaseRunning();
    assert.deepEqual([others.length, lease?.spec.name], [0, 'Codex']);
    session.close();
    await assert.rejects(
      listSessions(lease!.agent, { cwd: '/', cursor: undefined }, new AbortController().signal),
      /session\/list/,
    );
    lease!.dispose();
    await lease!.agent.exited;
    assert.deepEqual(test.pool.leaseRunning(), []);
  });
});
