import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness } from '../../test/unit-support/fakeSession';

const info = (title: string | null) => ({ sessionUpdate: 'session_info_update', title });

test('keeps a title unknown to the agent, whatever title the agent sends', () => {
  const harness = new SessionHarness().open();
  harness.update(info('First'));
  harness.session.rename('Mine');
  harness.update(info('Second'), info(null));
  assert.equal(harness.view.title, 'Mine');
});

test("the agent's titles are newer once it has accepted the user's title", () => {
  const harness = new SessionHarness().open();
  harness.session.rename('Mine');
  harness.session.rename('MINE', 'agent');
  assert.equal(harness.view.title, 'MINE');
  harness.update(info('Newer'));
  assert.equal(harness.view.title, 'Newer');
});
