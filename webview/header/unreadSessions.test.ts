import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { SessionKey } from '../../src/shared/values/ids';
import type { SessionListing } from '../../src/shared/pages/messages';
import { UnreadSessions } from './unreadSessions';

test('a session whose turn ended out of sight is unread until shown', () => {
  const a = 'a' as SessionKey;
  const b = 'b' as SessionKey;
  const listing = (session: SessionKey, state: SessionListing['state']): SessionListing => ({
    session,
    title: '',
    agentName: '',
    state,
  });
  const unread = new UnreadSessions();
  unread.follow([listing(a, 'running'), listing(b, 'running')], a);
  unread.follow([listing(a, 'idle'), listing(b, 'idle')], a);
  assert.deepEqual([...unread.all], [b]);
  unread.follow([listing(a, 'idle'), listing(b, 'idle')], b);
  assert.deepEqual([...unread.all], []);
});
