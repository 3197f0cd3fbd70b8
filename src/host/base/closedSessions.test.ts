import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session } from '../../session/session';
import { Emitter } from '../../shared/values/event';
import { ClosedSessions } from './closedSessions';

test('closed sessions say whether they end with the window', () => {
  const changed = new Emitter<void>();
  const sessions: { key: string }[] = [];
  const pool = { sessions: sessions as unknown as Session[], onDidChangeSessions: changed.event };
  const closed = new ClosedSessions(pool);
  const heard: unknown[] = [];
  closed.onDidClose((one) => heard.push(one));
  const set = (...keys: string[]) => {
    sessions.splice(0, sessions.length, ...keys.map((key) => ({ key })));
    changed.fire();
  };
  set('one', 'two', 'three');
  set('one', 'three');
  assert.deepEqual(heard, [{ key: 'two', endsWithWindow: false }]);
  closed.windowCloses();
  set();
  assert.deepEqual(heard.slice(1), [
    { key: 'one', endsWithWindow: true },
    { key: 'three', endsWithWindow: true },
  ]);
});
