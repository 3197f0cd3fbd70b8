import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import type { RestoreUndo } from '../../review/checkpoints/restoreUndo';
import type { Session } from '../../session/session';
import type { EntryId } from '../../shared/values/ids';
import { JsonFiles } from '../storage/jsonFiles';
import { UndoRecords } from '../fileChanges/undoRecords';
import { UndoOffers } from './undoOffers';

async function place(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-offers-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { session } = new SessionHarness();
  const undos = new UndoRecords(new JsonFiles(join(folder, 'restores')));
  return { session, undos, offers: new UndoOffers(undos, () => [session], { count: 2, size: 1000 }) };
}

function undoOf({ key }: Session, name: string, madeAt: number, isOpen = false): RestoreUndo {
  const before = { kind: 'stored', hash: name, size: 100 } as const;
  const files = new Map([['file:///a', { restored: { kind: 'absent' }, before } as const]]);
  return { session: key, notice: `restore:${name}` as EntryId, name, madeAt, isOpen, files, removed: [] };
}

/** Returns the chat's notices about restores: the text, and whether they offer an undo. */
const lines = ({ transcript }: Session) =>
  transcript.order.flatMap((id) => {
    const entry = transcript.entries.get(id);
    if (entry?.kind !== 'notice' || entry.restore === undefined) return [];
    return [`${[entry.title, entry.description].filter(Boolean).join(' – ')} (${entry.restore})`];
  });

const offer = (session: Session, undo: RestoreUndo) =>
  session.addNotice({ severity: 'info', title: undo.name, restore: 'undoable' }, undo.notice);

test('a reopened session offers possible undos and marks the others as expired', async (t) => {
  const { session, undos, offers } = await place(t);
  const kept = undoOf(session, 'kept', 1);
  await undos.save(kept);
  offer(session, undoOf(session, 'lost', 0));
  offer(session, kept);
  await offers.resume(session);
  const both = ['lost – This can no longer be undone. (over)', 'kept (undoable)'];
  assert.deepEqual(lines(session), both);
  await offers.resume(session);
  assert.deepEqual(lines(session), both);
});

test("adds a notice for a restore interrupted by the window's exit", async (t) => {
  const { session, undos, offers } = await place(t);
  await undos.save(undoOf(session, 'done', 1));
  await undos.save(undoOf(session, 'cut off', 2, true));
  await offers.resume(session);
  const advice = 'Some files may not have been restored. Undo the restore or try again.';
  assert.deepEqual(lines(session), [
    'Restored 1 file to before “done” (undoable)',
    `The window closed while files were being restored to before “cut off” – ${advice} (undoable)`,
  ]);
  assert.deepEqual([...session.transcript.entries.keys()], ['restore:done', 'restore:cut off']);
});

test('removes used offers and the oldest over the limit, keeps partial ones', async (t) => {
  const { session, undos, offers } = await place(t);
  const [first, second, third] = ['first', 'second', 'third'].map((name, at) => undoOf(session, name, at));
  assert.ok(first && second && third);
  for (const undo of [first, second]) {
    offer(session, undo);
    await offers.settle(undo);
  }
  assert.deepEqual(lines(session), ['first (undoable)', 'second (undoable)']);
  offer(session, third);
  await offers.settle(third);
  assert.deepEqual(lines(session)[0], 'first – This can no longer be undone. (over)');
  assert.deepEqual(lines(session).slice(1), ['second (undoable)', 'third (undoable)']);
  await offers.settle({ ...second, files: new Map() });
  assert.deepEqual(
    (await undos.all()).map(({ name }) => name),
    ['third'],
  );
});
