import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../shared/values/event';
import { eachSession } from './eachSession';

test('follows each session once, until it is gone or nobody asks', () => {
  const changed = new Emitter<void>();
  const pool = { sessions: ['a', 'b'], onDidChangeSessions: changed.event };
  const heard: string[] = [];
  const following = eachSession(pool, (session) => {
    heard.push(`open ${session}`);
    return { dispose: () => heard.push(`close ${session}`) };
  });
  pool.sessions = ['b', 'c'];
  changed.fire();
  changed.fire();
  assert.deepEqual(heard.splice(0), ['open a', 'open b', 'close a', 'open c']);
  following.dispose();
  following.dispose();
  pool.sessions = ['d'];
  changed.fire();
  assert.deepEqual(heard, ['close b', 'close c']);
});
