import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { listedState } from './listedState';
import { toStored } from './storedSession';

test('a session restored after a reload is idle, not stopped', async () => {
  const before = new SessionHarness().open();
  before.session.sendPrompt('Hello');
  assert.equal(listedState(before.session.transcript), 'running');
  before.say('Hi');
  await before.agent.end();
  const stored = toStored(before.session.key, before.session.transcript);
  const after = new SessionHarness('Codex', stored);
  assert.equal(after.view.connection.state, 'closed');
  assert.equal(listedState(after.session.transcript), 'idle');
});

test('a session with a failed agent is stopped until it starts again', () => {
  const { session } = new SessionHarness().open();
  session.agentSide.disconnected({
    code: 'agentExited',
    title: 'Codex stopped unexpectedly',
    actions: ['restartAgent'],
  });
  assert.equal(listedState(session.transcript), 'closed');
  session.agentSide.connecting('starting');
  assert.equal(listedState(session.transcript), 'starting');
});
