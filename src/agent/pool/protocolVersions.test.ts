import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { faultsOnWire } from '../../../test/unit-support/secondSchema';
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
} from '../../../test/unit-support/poolHarness';
import type { AgentSpec } from '../spec/agentSpec';
import { offerTimeout } from '../handshake/handshakeTime';
import { KnownVersions } from './knownVersions';

let stored: Readonly<Record<string, unknown>> = {};
const versions = new KnownVersions({ read: () => stored, write: (written) => (stored = written) });
let test = new PoolHarness({ versions });

afterEach(async () => {
  await test.pool.stopAll();
  for (const pid of pidsOf(test)) assert.equal(lives(pid), false, `process ${pid} is left`);
  stored = {};
  test = new PoolHarness({ versions });
});

const auto = (script: object): AgentSpec => ({ ...test.spec(script), protocolVersion: 'auto' });
const requested = () =>
  test
    .wire()
    .flatMap(([direction, { method, params }]) =>
      direction === 'send' && method === 'initialize' ? [(params as { protocolVersion: number }).protocolVersion] : [],
    );
const saysHello = { turns: [{ steps: [{ say: 'hello' }] }] };

async function talks(spec: AgentSpec, words: RegExp) {
  const session = test.start(spec);
  session.sendPrompt('hi');
  await until(session, isDone);
  await until(session, (one) => words.test(text(one)));
  return session;
}

void describe('the version of the protocol', () => {
  void it('is 1 unless the settings say otherwise', async () => {
    await talks(test.spec({ version: 2, ...saysHello }), /hello/);
    assert.deepEqual(requested(), [1]);
  });

  void it('is 2 with a supporting agent, and every message fits its schema', async () => {
    await talks(auto({ version: 2, ...saysHello }), /hello/);
    assert.deepEqual(requested(), [2]);
    assert.deepEqual(stored, {});
    assert.deepEqual(faultsOnWire(test.wire()), []);
  });

  void it('is negotiated again in version 1 if the agent answers 1', async () => {
    const script = { initialize: { agentInfo: { name: 'old', version: '7' } }, ...saysHello };
    await talks(auto(script), /hello/);
    assert.deepEqual(requested(), [2, 1]);
    assert.equal(pidsOf(test).length, 1);
    const isFirst = (params?: object) => params && 'protocolVersion' in params && params.protocolVersion === 1;
    const first = test.wire().find(([, { params }]) => isFirst(params))![1];
    assert.ok('clientCapabilities' in first.params!, 'the agent knows what the editor can do');
    assert.deepEqual(Object.values(stored), ['7']);
  });

  void it("is negotiated again only when the agent's version changes", async () => {
    const script = { initialize: { agentInfo: { name: 'old', version: '7' } }, ...saysHello };
    const session = await talks(auto(script), /hello/);
    session.close();
    await talks(auto(script), /hello/);
    assert.deepEqual(requested(), [1]);
    stored = Object.fromEntries(Object.keys(stored).map((key) => [key, '6']));
    await test.pool.stopAll();
    await talks(auto(script), /hello/);
    assert.deepEqual(requested(), [1]);
    assert.deepEqual(stored, {}, 'it is offered version 2 the next time');
  });

  const refusals: readonly (readonly [string, object])[] = [
    [
      'refuses the offer',
      { offer: { error: { code: -32022, message: 'No', data: { requested: 2, supported: [1] } } } },
    ],
    [
      'does not understand the offer',
      { offer: { error: { code: -32602, message: 'clientCapabilities is required' } } },
    ],
    ['exits at the offer', { offer: 'exit' }],
    ['refuses to be asked twice', { again: { error: { code: -32600, message: 'Already initialized' } } }],
  ];
  for (const [what, script] of refusals) {
    void it(`is 1, in a new process, with an agent that ${what}`, async () => {
      const session = await talks(auto({ ...script, ...saysHello }), /hello/);
      assert.equal(pidsOf(test).length, 2);
      assert.equal(all(session, 'error').length, 0);
      assert.equal(requested().at(-1), 1);
      assert.equal(Object.keys(stored).length, 1);
    });
  }

  void it('is 1 in a new process if the agent ignores the offer', async () => {
    test = new PoolHarness({ versions, holdTimers: true });
    const session = test.start(auto({ offer: 'silent', ...saysHello }));
    while (!test.held.has(offerTimeout)) await new Promise(setImmediate);
    test.held.get(offerTimeout)!();
    await until(session, isReady);
    assert.equal(pidsOf(test).length, 2);
  });

  void it('suggests the setting for an agent that supports only version 2', async () => {
    const only = (...supported: readonly number[]) => ({ error: { code: -32022, message: 'No', data: { supported } } });
    const second = test.start({ initialize: only(2) });
    await until(second, isClosed);
    assert.match(text(second), /Error \(versionNotSupported\)[\s\S]*set parley\.protocolVersion to “auto”/);
    const third = test.start(auto({ offer: only(3, 4) }));
    await until(third, isClosed);
    assert.match(text(third), /version 3; Parley supports versions 1 and 2/);
    assert.equal(pidsOf(test).length, 2);
  });

  void it("is negotiated with an agent built on the protocol's SDK", async () => {
    const spec = { ...auto({}), args: [resolve('test/fixtures/agents/sdkSecond.mjs')] };
    const session = test.start(spec);
    session.sendPrompt('hi');
    await until(session, asks);
    const { permission } = all(session, 'tool_call')[0]!;
    assert.ok(permission.state === 'asked');
    session.answerPermission(permission.request, 'yes');
    await until(session, isDone);
    assert.match(text(session), /in version 2, selected/);
    assert.equal(all(session, 'user_message').length, 1);
    session.sendPrompt('and now?');
    await until(session, (one) => asks(one) && all(one, 'tool_call').length === 2);
    session.cancel();
    await until(session, isDone);
    assert.match(text(session), /Notice \(info\): Stopped/);
    assert.deepEqual(faultsOnWire(test.wire()), []);
    await talks({ ...spec, protocolVersion: 1 }, /in version 1/);
  });

  void it("doesn't hide why an agent can't start", async () => {
    const spec = { ...auto({}), args: ['-e', 'console.error("no API key"); process.exit(3)'] };
    const session = test.start(spec);
    await until(session, isClosed);
    assert.match(text(session), /Error \(agentNotStarted\)[\s\S]*exit code 3[\s\S]*no API key/);
    assert.deepEqual(stored, {});
  });

  void it('is dropped when the user cancels the start', async () => {
    const session = test.start(auto({ offer: 'silent' }));
    await until(session, () => pidsOf(test).length === 1 || session.transcript.view.connection.state === 'starting');
    test.pool.cancelStart(session);
    await until(session, isClosed);
    assert.equal(all(session, 'error').length, 0);
  });
});
