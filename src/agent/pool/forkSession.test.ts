import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
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
import { toStored } from '../../session/transcript/storedSession';
import type { SessionKey } from '../../shared/values/ids';
import { archiveSession, setTitle } from '../connection/sessionRequests';

let harness = new PoolHarness();

afterEach(async () => {
  await harness.pool.stopAll();
  harness = new PoolHarness();
});

const capabilities = { sessionCapabilities: { fork: {}, title: {}, archive: {} }, auth: { status: {} } };

async function forked(answer: object) {
  const script = { initialize: { agentCapabilities: capabilities }, turns: [{ steps: [{ say: 'said before' }] }] };
  const session = harness.start({ ...script, answers: { 'session/fork': answer } });
  await until(session, isReady);
  session.sendPrompt('go');
  await until(session, isDone);
  const stored = toStored('fork' as SessionKey, session.transcript);
  const view = { ...stored.snapshot.view, sessionId: '' as const };
  const spec = harness.pool.specOf(session)!;
  const fork = harness.pool.restoreSession(spec, { ...stored, snapshot: { ...stored.snapshot, view } }, 's1' as never);
  fork.restart();
  return { session, fork };
}

test('a fork opens in the same process and has its own id', async () => {
  const { session, fork } = await forked({ sessionId: 'f1' });
  await until(fork, isReady);
  const asked = harness.wire().find(([, { method }]) => method === 'session/fork')?.[1];
  assert.deepEqual(asked?.params, { cwd: workspace, mcpServers: [], sessionId: 's1' });
  assert.deepEqual([session.transcript.view.sessionId, fork.transcript.view.sessionId], ['s1', 'f1']);
  assert.equal(harness.pool.runningAgentOf(fork), harness.pool.runningAgentOf(session));
  assert.equal(all(fork, 'agent_message').length, 1);
  assert.doesNotMatch(text(fork), /does not remember/);
});

test('a refused fork does not fall back to a new, empty session', async () => {
  const { session, fork } = await forked({ error: { code: -32603, message: 'Cannot fork' } });
  await until(fork, isClosed);
  await until(fork, (one) => all(one, 'error').length > 0);
  assert.match(text(fork), /Cannot fork/);
  assert.equal(harness.sent().filter((method) => method === 'session/new').length, 1);
  assert.equal(isReady(session), true);
});

test("requests titles and archiving in the protocol's form", async () => {
  const script = { initialize: { agentCapabilities: capabilities } };
  const answers = {
    'session/set_title': { title: ' A  title ' },
    'session/archive': {},
    'session/unarchive': {},
    'auth/status': { state: 'authenticated', accounts: [{ label: 'Owl' }] },
  };
  const session = harness.start({ ...script, answers });
  await until(session, isReady);
  const agent = harness.pool.runningAgentOf(session)!;
  assert.equal(await setTitle(agent, 's1' as never, 'x'), 'A title');
  await archiveSession(agent, 's1' as never, true);
  await archiveSession(agent, 's1' as never, false);
  assert.deepEqual(harness.sent().slice(-3), ['session/set_title', 'session/archive', 'session/unarchive']);
  assert.equal(agent.account.text, 'Owl');
});
