import assert from 'node:assert/strict';
import { test } from 'node:test';
import { v2 } from './dialect';

test('shows updates of a resumed session, but no history of a fork', () => {
  const message = { sessionUpdate: 'agent_message_chunk' };
  const options = { sessionUpdate: 'config_option_update' };
  const state = { sessionUpdate: 'state_update' };
  const all = [message, options, state, { sessionUpdate: 'tool_call_update' }, { sessionUpdate: 'user_message' }];
  const shown = (method: 'resume' | 'load' | 'kept' | 'fork') => v2.updatesToShow(all, method, {} as never);
  assert.deepEqual(shown('resume'), all);
  assert.deepEqual(shown('load'), all);
  assert.deepEqual(shown('kept'), [options, state]);
  assert.deepEqual(shown('fork'), [options, state]);
});
