import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all, isClosed, isReady, PoolHarness, until } from '../../../test/unit-support/poolHarness';
import { toDisposable } from '../../shared/values/disposable';
import { sendAgain, sendLimit } from './providerRequests';
import type { StoredProvider } from './storedProviders';

const secret = 'gateway-key-4711';
const main: StoredProvider = {
  providerId: 'main',
  isNamedById: false,
  isOff: false,
  config: { apiType: 'anthropic', baseUrl: 'https://gateway.example', headers: { Authorization: `Bearer ${secret}` } },
};
const june: StoredProvider = { providerId: 'old', isNamedById: true, isOff: true };
const initialize = { protocolVersion: 1, agentCapabilities: { providers: {} } };

/** `onTimer` receives the callback for an agent that takes too long. */
function harness(stored: readonly StoredProvider[], onTimer: (fire: () => void) => void = () => undefined) {
  return new PoolHarness({
    configureAgent: (spec, agent, signal) => {
      const schedule = (ms: number, action: () => void) => {
        assert.equal(ms, sendLimit);
        onTimer(action);
        return toDisposable(() => undefined);
      };
      return sendAgain(spec.name, agent, stored, schedule, signal);
    },
  });
}

const written = (test: PoolHarness) => JSON.stringify(test.pool.traffic.map(({ traffic }) => traffic.export()));

test('sends everything stored before the first session at each start', async (context) => {
  const pool = harness([main, june]);
  context.after(() => pool.pool.stopAll());
  const answers = { 'providers/set': {}, 'providers/disable': {} };
  const session = pool.start({ initialize, answers });
  await until(session, isReady);
  assert.deepEqual(pool.sent(), ['initialize', 'providers/set', 'providers/disable', 'session/new']);
  const [set, disable] = pool.wire().flatMap(([, { method, params }]) => (method?.startsWith('prov') ? [params] : []));
  assert.deepEqual(set, { providerId: 'main', ...main.config });
  assert.deepEqual(disable, { providerId: 'old', id: 'old' });
  session.endProcess();
  await until(session, isClosed);
  session.restart();
  await until(session, isReady);
  assert.deepEqual(pool.sent().slice(0, 3), ['initialize', 'providers/set', 'providers/disable']);
  assert.ok(all(session, 'notice').every(({ severity }) => severity !== 'warning'));
  assert.ok(!written(pool).includes(secret));
});

test('a refusal is one notice without the secret, and sessions still open', async (context) => {
  const refusal = { code: -32602, message: `bad header, not ${secret}` };
  const answers = {
    'providers/set': { error: refusal },
    'providers/disable': { error: { code: -32601, message: 'No' } },
  };
  const pool = harness([main, june]);
  context.after(() => pool.pool.stopAll());
  const session = pool.start({ initialize, answers });
  await until(session, isReady);
  await until(session, () => all(session, 'notice').length > 0);
  const [notice, ...more] = all(session, 'notice');
  assert.deepEqual(more, []);
  assert.match(notice!.title, /Some model provider settings weren’t applied to Codex/);
  assert.match(notice!.description ?? '', /main: bad header[\s\S]*old: No[\s\S]*Parley: Configure Model Providers…/);
  assert.ok(!JSON.stringify([...session.transcript.entries.values()]).includes(secret));
  assert.ok(!written(pool).includes(secret));
});

test('stops waiting for a silent agent after a while', async (context) => {
  const pool = harness([main, june], (fire) => setImmediate(fire));
  context.after(() => pool.pool.stopAll());
  const session = pool.start({ initialize, answers: { 'providers/set': 'silent' } });
  await until(session, isReady);
  await until(session, () => all(session, 'notice').length > 0);
  assert.match(all(session, 'notice')[0]!.description ?? '', /main: no response within 10 s[\s\S]*old: no response/);
});

test('an agent that exits in the meantime gets no notice', async (context) => {
  const pool = harness([main]);
  context.after(() => pool.pool.stopAll());
  const session = pool.start({ initialize, answers: { 'providers/set': 'silent' }, onShutdown: [] });
  while (!pool.sent().includes('providers/set')) await new Promise((resolve) => setImmediate(resolve));
  session.endProcess();
  await until(session, isClosed);
  assert.deepEqual(all(session, 'notice'), []);
  assert.ok(!pool.sent().includes('session/new'));
});
