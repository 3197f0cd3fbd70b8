import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import type { EntryId } from '../../shared/ids';
import type { UserMessageEntry } from '../../shared/transcript';
import { LazyRestorer } from './lazyRestorer';
import type { Restorer } from './restorer';

test('nothing is loaded until the user wants a restore, and everything then happens in the order of the calls', async () => {
  const heard: string[] = [];
  const restorer = {
    hashes: ['kept'],
    preview: async (_session: unknown, { id }: UserMessageEntry) => heard.push(`preview ${id}`),
    restore: async (_session: unknown, { id }: UserMessageEntry, uris: Set<string>) =>
      heard.push(`restore ${id} ${[...uris].join()}`),
    undo: async (_session: unknown, id: EntryId) => heard.push(`undo ${id}`),
  } as unknown as Restorer;
  const loads: ((restorer: Restorer) => void)[] = [];
  const lazy = new LazyRestorer(() => new Promise((resolve) => loads.push(resolve)));
  assert.deepEqual([lazy.hashes, loads.length], [[], 0]);
  const { session } = new SessionHarness();
  const message = { id: 'm1' } as UserMessageEntry;
  const calls = [
    lazy.preview(session, message),
    lazy.restore(session, message, new Set(['file:///a'])),
    lazy.undo(session, 'n1' as EntryId),
  ];
  for (const come of loads) come(restorer);
  assert.deepEqual(await Promise.all(calls), [1, 2, 3]);
  assert.deepEqual(heard, ['preview m1', 'restore m1 file:///a', 'undo n1']);
  assert.deepEqual([lazy.hashes, loads.length], [['kept'], 1]);
});
