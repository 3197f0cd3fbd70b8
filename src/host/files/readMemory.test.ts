import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey } from '../../shared/values/ids';
import { ReadMemory } from './readMemory';

const [one, two] = ['one' as SessionKey, 'two' as SessionKey];

test('remembers the text of a file for each session', () => {
  const memory = new ReadMemory();
  memory.didRead(one, '/f', 'read by one');
  memory.didWrite(two, '/f', 'written by two');
  assert.deepEqual(memory.get(one, '/f'), { text: 'read by one', isReadHere: true });
  assert.deepEqual(memory.get(two, '/f'), { text: 'written by two', isReadHere: false });
  memory.didWrite(one, '/f', 'written by one');
  assert.deepEqual(memory.get(one, '/f'), { text: 'written by one', isReadHere: true });
  memory.forget(one);
  assert.equal(memory.get(one, '/f'), undefined);
  assert.ok(memory.get(two, '/f'));
});

test('forgets the least recently used file over the limit, never the newest', () => {
  const memory = new ReadMemory(10);
  memory.didRead(one, '/a', 'aaaa');
  memory.didRead(one, '/b', 'bbbb');
  memory.didRead(one, '/a', 'aaaa');
  memory.didRead(one, '/c', 'cccc');
  assert.equal(memory.get(one, '/b'), undefined);
  assert.ok(memory.get(one, '/a'));
  memory.didRead(one, '/big', 'x'.repeat(50));
  assert.ok(memory.get(one, '/big'));
  assert.equal(memory.get(one, '/a'), undefined);
});
