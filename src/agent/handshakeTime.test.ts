import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isClosed, lives, pidsOf, PoolHarness, text, until } from '../../test/unit-support/poolHarness';
import { downloadTimeout, handshakeTimeout, mayDownload } from './handshakeTime';

test('recognizes programs that may download what they run', () => {
  const isSlow = (command: string, ...args: string[]) => mayDownload({ command, args });
  assert.ok(isSlow('/usr/bin/npx', '--yes', 'some-agent'));
  assert.ok(isSlow('C:\\nodejs\\node.exe', 'C:\\nodejs\\node_modules\\npm\\bin\\npx-cli.js', '--yes', 'some-agent'));
  assert.ok(isSlow('/home/u/.local/bin/uvx', 'some-agent'));
  assert.ok(!isSlow('/usr/bin/node', '/opt/npx/agent.js'));
  assert.ok(!isSlow('/usr/bin/gemini', '--acp'));
});

test('a possible download gets more time and is mentioned in the failure', async () => {
  const pool = new PoolHarness({ holdTimers: true });
  // The first argument is a file named `npx`, run by Node itself.
  const silent = { ...pool.spec({}), command: process.execPath, args: ['test/fixtures/agents/npx-cli.js'] };
  const session = pool.start(silent, process.cwd());
  while (!pool.held.has(downloadTimeout)) await new Promise(setImmediate);
  assert.equal(pool.held.has(handshakeTimeout), false);
  pool.held.get(downloadTimeout)!();
  await until(session, isClosed);
  assert.match(text(session), /didn’t respond within 180 s[\s\S]*download/);
  await pool.pool.stopAll();
  assert.deepEqual(pidsOf(pool).filter(lives), []);
});
