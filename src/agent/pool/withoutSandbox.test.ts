import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isClosed, isReady, pidsOf, PoolHarness, text, until, workspace } from '../../../test/unit-support/poolHarness';
import type { Session } from '../../session/session';
import { SandboxFailure } from '../../shared/sandbox';

const hasEndedOrBegun = (session: Session) => isClosed(session) || isReady(session);

test('an agent whose sandbox can’t be made never starts', async () => {
  const enclose = () => Promise.reject(new SandboxFailure('There is no bubblewrap.'));
  const harness = new PoolHarness({ sandbox: { enclose } });
  const session = harness.pool.createSession({ spec: harness.spec({}), cwd: workspace, sandbox: 'files' });
  session.sendPrompt('go');
  await until(session, hasEndedOrBegun);
  assert.ok(isClosed(session));
  assert.match(text(session), /There is no bubblewrap\./);
  assert.deepEqual(pidsOf(harness), []);
});

test('an agent never starts where nothing makes its sandbox', async () => {
  const harness = new PoolHarness();
  const session = harness.pool.createSession({ spec: harness.spec({}), cwd: workspace, sandbox: 'files' });
  session.sendPrompt('go');
  await until(session, hasEndedOrBegun);
  assert.ok(isClosed(session));
  assert.deepEqual(pidsOf(harness), []);
});
