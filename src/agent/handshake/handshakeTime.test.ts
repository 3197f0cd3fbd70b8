import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AcpConnection } from '../../acp/wire/connection';
import { requestedDialect } from '../../acp/dialects';
import { lives, pidsOf, PoolHarness, text } from '../../../test/unit-support/poolHarness';
import { downloadTimeout, handshakeTimeout, handshakeWithTimeout, mayDownload } from './handshakeTime';

test('recognizes programs that may download what they run', () => {
  const isSlow = (command: string, ...args: string[]) => mayDownload({ command, args });
  assert.ok(isSlow('/usr/bin/npx', '--yes', 'some-agent'));
  assert.ok(isSlow('C:\\nodejs\\node.exe', 'C:\\nodejs\\node_modules\\npm\\bin\\npx-cli.js', '--yes', 'some-agent'));
  assert.ok(isSlow('/home/u/.local/bin/uvx', 'some-agent'));
  assert.ok(!isSlow('/usr/bin/node', '/opt/npx/agent.js'));
  assert.ok(!isSlow('/usr/bin/gemini', '--acp'));
});

test('a possible download gets more time and is mentioned in the question', async () => {
  const pool = new PoolHarness({ holdTimers: true });
  // The first argument is a file named `npx`, run by Node itself.
  const silent = { ...pool.spec({}), command: process.execPath, args: ['test/fixtures/agents/npx-cli.js'] };
  const session = pool.start(silent, process.cwd());
  while (!pool.held.has(downloadTimeout)) await new Promise(setImmediate);
  assert.equal(pool.held.has(handshakeTimeout), false);
  pool.held.get(downloadTimeout)!();
  assert.match(text(session), /hasn’t responded for 180 s[\s\S]*download/);
  await pool.pool.stopAll();
  assert.deepEqual(pidsOf(pool).filter(lives), []);
});

test('uses an agent that answers late if a session waits for it', async () => {
  const timers: (() => void)[] = [];
  const schedule = (_ms: number, action: () => void) => {
    timers.push(action);
    return { dispose: () => undefined };
  };
  let answer: (value: unknown) => void = () => undefined;
  const request = () => new Promise((resolve) => (answer = resolve));
  const asked: number[] = [];
  const starting = handshakeWithTimeout(
    { request } as unknown as AcpConnection,
    { name: 'A', version: '1', schedule },
    { command: 'a', args: [], env: {}, cwd: '/' },
    () => '',
    requestedDialect,
    new AbortController().signal,
    (seconds) => asked.push(seconds) > 0,
  );
  timers[0]!();
  timers[1]!();
  assert.deepEqual(asked, [60, 120]);
  answer({ protocolVersion: 1, agentInfo: { name: 'slow', version: '2' } });
  assert.equal((await starting).dialect, requestedDialect);
});
