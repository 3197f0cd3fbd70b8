import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness } from '../../test/unit-support/fakeSession';

const info = (title: string | null) => ({ sessionUpdate: 'session_info_update', title });

test('a name that the agent does not know of stays, whatever the agent calls the session', () => {
  const harness = new SessionHarness().open();
  harness.update(info('First'));
  harness.session.rename('Mine');
  harness.update(info('Second'), info(null));
  assert.equal(harness.view.title, 'Mine');
});

test('once the agent has taken the name, its titles are newer', () => {
  const harness = new SessionHarness().open();
  harness.session.rename('Mine');
  harness.session.rename('MINE', 'agent');
  assert.equal(harness.view.title, 'MINE');
  harness.update(info('Newer'));
  assert.equal(harness.view.title, 'Newer');
});
