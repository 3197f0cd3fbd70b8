import assert from 'node:assert/strict';
import { test } from 'node:test';
import { v2 } from './dialect';

test('shows what a resumed session reports, but no history of a kept or forked one', () => {
  const message = { sessionUpdate: 'agent_message_chunk' };
  const options = { sessionUpdate: 'config_option_update' };
  const state = { sessionUpdate: 'state_update' };
  const all = [message, options, state, { sessionUpdate: 'tool_call_update' }, { sessionUpdate: 'user_message' }];
  assert.deepEqual(v2.updatesToShow(all, 'resume'), all);
  assert.deepEqual(v2.updatesToShow(all, 'load'), all);
  assert.deepEqual(v2.updatesToShow(all, 'kept'), [options, state]);
  assert.deepEqual(v2.updatesToShow(all, 'fork'), [options, state]);
});
