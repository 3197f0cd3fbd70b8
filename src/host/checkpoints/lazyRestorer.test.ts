import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import type { EntryId, SessionKey } from '../../shared/ids';
import type { UserMessageEntry } from '../../shared/transcript';
import { JsonFiles } from '../storage/jsonFiles';
import { LazyRestorer } from './lazyRestorer';
import type { Restorer } from './restorer';
import { undoName } from './undoNames';

async function place(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-restores-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const heard: string[] = [];
  const restorer = {
    hashes: async () => ['kept'],
    takeUp: async ({ key }: { key: string }) => heard.push(`take up ${key}`),
    preview: async (_session: unknown, { id }: UserMessageEntry) => heard.push(`preview ${id}`),
    restore: async (_session: unknown, { id }: UserMessageEntry, uris: Set<string>) =>
      heard.push(`restore ${id} ${[...uris].join()}`),
    undo: async (_session: unknown, id: EntryId) => heard.push(`undo ${id}`),
  } as unknown as Restorer;
  const loads: (() => void)[] = [];
  const undos = new JsonFiles(join(folder, 'restores'));
  const lazy = new LazyRestorer(() => new Promise((resolve) => loads.push(() => resolve(restorer))), undos);
  return { heard, loads, undos, lazy };
}

test('nothing is loaded until the user wants a restore, and everything then happens in the order of the calls', async (t) => {
  const { heard, loads, lazy } = await place(t);
  const { session } = new SessionHarness();
  await lazy.takeUp(session);
  assert.deepEqual([await lazy.hashes(), loads.length], [[], 0]);
  const message = { id: 'm1' } as UserMessageEntry;
  const calls = [
    lazy.preview(session, message),
    lazy.restore(session, message, new Set(['file:///a'])),
    lazy.undo(session, 'n1' as EntryId),
  ];
  for (const come of loads) come();
  assert.deepEqual(await Promise.all(calls), [1, 2, 3]);
  assert.deepEqual(heard, ['preview m1', 'restore m1 file:///a', 'undo n1']);
  assert.equal(loads.length, 1);
});

test('what an earlier window left to undo is taken up by the session that it belongs to, and goes with it', async (t) => {
  const { heard, loads, undos, lazy } = await place(t);
  const { session } = new SessionHarness();
  await undos.write(undoName('other' as SessionKey, 'n1' as EntryId), '{}');
  await lazy.takeUp(session);
  assert.equal(loads.length, 0);
  await undos.write(undoName(session.key, 'n1' as EntryId), '{}');
  const taken = lazy.takeUp(session);
  await begun(loads);
  await taken;
  assert.deepEqual(heard, [`take up ${session.key}`]);
  assert.deepEqual(await lazy.hashes(), ['kept']);
  await lazy.forget(session.key);
  assert.deepEqual(await undos.names(), [undoName('other' as SessionKey, 'n1' as EntryId)]);
});

test('a chat that offers an undo for which nothing is there is told', async (t) => {
  const { heard, loads, lazy } = await place(t);
  const { session } = new SessionHarness();
  session.addNotice({ severity: 'info', title: '1 file went back', restore: 'undoable' });
  const taken = lazy.takeUp(session);
  await begun(loads);
  await taken;
  assert.deepEqual(heard, [`take up ${session.key}`]);
});

/** Lets the code come as soon as it is wanted. */
async function begun(loads: readonly (() => void)[]): Promise<void> {
  while (loads.length === 0) await new Promise((resolve) => setImmediate(resolve));
  for (const come of loads) come();
}
