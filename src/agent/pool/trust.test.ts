import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { all, isClosed, isReady, pidsOf, PoolHarness, until, workspace } from '../../../test/unit-support/poolHarness';
import { FailureError } from '../../session/failures';
import { createTranscript } from '../../shared/transcript/ops';
import { firstView } from '../../session/firstView';
import { toStored } from '../../session/transcript/storedSession';
import type { SessionId, SessionKey } from '../../shared/values/ids';

let isTrusted = false;
let test = new PoolHarness({ isTrusted: () => isTrusted });
afterEach(async () => {
  await test.pool.stopAll();
  isTrusted = false;
  test = new PoolHarness({ isTrusted: () => isTrusted });
});

void describe('in a folder that isn’t trusted', () => {
  void it('a new session starts no agent, explains why, and continues once trusted', async () => {
    const session = test.start({});
    session.sendPrompt('kept');
    await until(session, isClosed);
    const [error] = all(session, 'error');
    assert.deepEqual([error!.code, error!.actions], ['notTrusted', ['manageTrust', 'restartAgent']]);
    assert.match(error!.title, /isn’t trusted/);
    assert.match(error!.cause!, /Trust the folder/);
    assert.deepEqual(pidsOf(test), []);
    isTrusted = true;
    session.restart();
    await until(session, isReady);
    assert.equal(pidsOf(test).length, 1);
  });

  void it('a restored session starts no agent, whatever the user does', async () => {
    const view = {
      ...firstView(test.spec({}).id, 'Codex', workspace),
      sessionId: 's' as SessionId,
      connection: { state: 'closed' },
    } as const;
    const stored = toStored('stored' as SessionKey, createTranscript(view));
    const session = test.pool.restoreSession(test.spec({}), stored);
    for (const attempt of [() => session.restart(), () => session.sendPrompt('hello'), () => session.sendAgain()]) {
      attempt();
      assert.equal(session.transcript.view.connection.state, 'starting');
      await until(session, (one) => isClosed(one) && all(one, 'error').length === 1);
    }
    assert.deepEqual(pidsOf(test), []);
  });

  void it('a request outside sessions starts no agent', async () => {
    const lease = test.pool.lease(test.spec({}), workspace);
    await assert.rejects(lease.ready, (error) => error instanceof FailureError && error.failure.code === 'notTrusted');
    lease.dispose();
    assert.deepEqual(pidsOf(test), []);
  });
});
