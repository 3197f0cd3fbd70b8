import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionId } from '../../shared/values/ids';
import { SessionStatuses } from './sessionStatuses';

const ids = (...names: readonly string[]) => names as readonly SessionId[];
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('asks about each session once, few at a time, ignoring failures', async () => {
  const asked: SessionId[] = [];
  const answers: { resolve: (status: 'open' | 'saved') => void; reject: (error: Error) => void }[] = [];
  let opened = 0;
  const statuses = new SessionStatuses(
    (id) => {
      asked.push(id);
      return new Promise((resolve, reject) => answers.push({ resolve, reject }));
    },
    () => void (opened += 1),
  );
  statuses.want(ids('a', 'b', 'c', 'd', 'e', 'f'));
  statuses.want(ids('a', 'f', 'g'));
  assert.deepEqual(asked, ['a', 'b', 'c', 'd']);
  answers[0]!.resolve('open');
  answers[1]!.reject(new Error('Method not found'));
  await settle();
  assert.deepEqual(asked, ['a', 'b', 'c', 'd', 'e', 'f']);
  for (const { resolve } of answers.slice(2)) resolve('saved');
  await settle();
  assert.deepEqual(asked.slice(6), ['g']);
  answers[6]!.resolve('open');
  await settle();
  const open = ids('a', 'b', 'c', 'd', 'e', 'f', 'g').filter((id) => statuses.isOpen(id));
  assert.deepEqual([open, opened], [['a', 'g'], 2]);
  statuses.want(ids('h'));
  assert.deepEqual(asked.slice(7), ['h']);
});
