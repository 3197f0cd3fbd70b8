import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { endedHere } from '../../../test/unit-support/endedHere';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import type { AgentPool } from '../../agent/pool/agentPool';
import { BlobStore } from '../../baseline/blobStore';
import { recordTouch, type Checkpoint } from '../../review/checkpoints/checkpoint';
import type { Session } from '../../session/session';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import { CheckpointFiles } from './checkpointFiles';
import { CheckpointKeeper, type KeptUndos } from './checkpointKeeper';
import type { CheckpointRecorder } from './checkpointRecorder';

const absent = { kind: 'absent' } as const;
const tiny = { maxSize: 25, maxContents: 0 };

/** The parts of a recorder that work without an editor. */
class Recorded implements Pick<CheckpointRecorder, 'of' | 'all' | 'replace' | 'forget' | 'onDidChange'> {
  readonly all = new Map<SessionKey, readonly Checkpoint[]>();
  private readonly changed = new Emitter<SessionKey>();
  readonly onDidChange = this.changed.event;

  of(session: SessionKey): readonly Checkpoint[] {
    return this.all.get(session) ?? [];
  }

  replace(session: SessionKey, checkpoints: readonly Checkpoint[]): void {
    this.all.set(session, checkpoints);
    this.changed.fire(session);
  }

  forget(session: SessionKey): void {
    if (this.all.delete(session)) this.changed.fire(session);
  }
}

async function place(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-keeper-'));
  // Writes that the test left running may still create files.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const contents = new BlobStore(join(folder, 'contents'));
  /** Stores a content of ten bytes. */
  const store = async (name: string) => {
    const hash = await contents.save(Buffer.from(name.padEnd(10)));
    return { kind: 'stored', hash, size: 10 } as const;
  };
  const window = () => {
    const recorder = new Recorded();
    const files = new CheckpointFiles(join(folder, 'checkpoints'));
    const sessions: Session[] = [];
    const changed = new Emitter<void>();
    const others = { isBusy: false, hashes: [] as string[] };
    const heard: string[] = [];
    const undone: string[] = [];
    const undos: KeptUndos = {
      hashes: async () => undone,
      resume: async ({ key }) => void heard.push(`resume ${key}`),
      forget: async (key) => void heard.push(`forget ${key}`),
    };
    const keeper = new CheckpointKeeper(
      { sessions, onDidChangeSessions: changed.event } as unknown as AgentPool,
      recorder as unknown as CheckpointRecorder,
      files,
      contents,
      () => others,
      undos,
      (error) => assert.fail(String(error)),
    );
    t.after(() => keeper.dispose());
    const show = (...shown: readonly Session[]) => {
      sessions.splice(0, sessions.length, ...shown);
      changed.fire();
    };
    return { keeper, recorder, files, others, undone, heard, show };
  };
  return { window, folder, store, get: (ref: { hash: string }) => contents.get(ref.hash) };
}

const name = { agentId: 'settings:Codex', sessionId: 's1' };
const turns = (checkpoints: readonly Checkpoint[] | undefined) => checkpoints?.map(({ turn }) => turn);
const until = async (isThere: () => boolean) => {
  while (!isThere()) await new Promise((resolve) => setImmediate(resolve));
};

test('a restored session has its checkpoints and undos until it is deleted', async (t) => {
  const { window, store } = await place(t);
  const { session } = new SessionHarness().open();
  const list = recordTouch([], 1, 'file:///a', { before: await store('a'), after: absent, review: await store('r') });
  const first = window();
  first.show(session);
  await until(() => first.heard.length > 0);
  first.recorder.replace(session.key, list);
  await first.keeper.save();
  const second = window();
  second.show(session);
  await until(() => second.heard.length > 0);
  assert.deepEqual(second.recorder.of(session.key), list);
  second.show(session);
  // A closed session is removed from memory but stays on disk.
  second.show();
  await until(() => second.recorder.all.size === 0);
  assert.deepEqual(turns(await second.files.read(name)), [1]);
  await second.keeper.delete(session.key, name.agentId, 's1' as never);
  assert.equal(await second.files.read(name), undefined);
  assert.deepEqual(second.heard, [`resume ${session.key}`, `forget ${session.key}`]);
});

test('saves checkpoints during an immediate shutdown, including those being saved', async (t) => {
  const { window, folder } = await place(t);
  const { session } = new SessionHarness().open();
  const list = recordTouch([], 1, 'file:///a', { before: absent, after: absent });
  const { keeper, recorder, show } = window();
  show(session);
  recorder.replace(session.key, list);
  void keeper.flush();
  await new Promise(setImmediate);
  keeper.flushNow();
  const saved = new CheckpointFiles(join(await endedHere(t, folder), 'checkpoints'));
  assert.deepEqual(await saved.read(name), list);
  // A write that finishes in the meantime is still saved.
  recorder.replace(session.key, recordTouch(list, 2, 'file:///b', { before: absent, after: absent }));
  void keeper.flush();
  const later = new CheckpointFiles(join(await endedHere(t, folder), 'checkpoints'));
  assert.deepEqual(turns(await later.read(name)), [1, 2]);
});

test('a session keeps its checkpoints when reopened under another id', async (t) => {
  const { window, store } = await place(t);
  const { session } = new SessionHarness().open();
  const list = recordTouch([], 1, 'file:///a', { before: await store('a'), after: absent });
  const first = window();
  first.show(session);
  first.recorder.replace(session.key, list);
  await first.keeper.save();
  const { key, transcript } = session;
  const renamed = {
    key,
    transcript: { ...transcript, view: { ...transcript.view, sessionId: 's2' } },
  } as unknown as Session;
  first.show(renamed);
  await first.keeper.flush();
  const second = window();
  second.show(renamed);
  await until(() => second.heard.length > 0);
  assert.deepEqual(second.recorder.of(key), list);
});

test('a session that starts with checkpoints keeps them under its id', async (t) => {
  const { window, store } = await place(t);
  const harness = new SessionHarness();
  const { keeper, recorder, files, show } = window();
  show(harness.session);
  recorder.replace(harness.session.key, recordTouch([], 1, 'file:///a', { before: await store('a'), after: absent }));
  await keeper.save();
  assert.equal(await files.read(name), undefined);
  harness.open();
  await keeper.flush();
  assert.deepEqual(turns(await files.read(name)), [1]);
});

test('removes the oldest turns and unused contents over the limit', async (t) => {
  const { window, store, get } = await place(t);
  const { session } = new SessionHarness().open();
  const refs = { a: await store('a'), b: await store('b'), c: await store('c') };
  const [old, undo, review] = [await store('old'), await store('undo'), await store('review')];
  let list = recordTouch([], 1, 'file:///a', { before: refs.a, after: absent });
  list = recordTouch(list, 2, 'file:///b', { before: refs.b, after: absent });
  list = recordTouch(list, 3, 'file:///c', { before: refs.c, after: absent });
  const { keeper, recorder, files, others, undone, show } = window();
  files.save({ ...name, sessionId: 's0' }, recordTouch([], 1, 'file:///o', { before: old, after: absent }));
  await files.flush();
  show(session);
  recorder.replace(session.key, list);
  undone.push(undo.hash);
  others.hashes.push(review.hash);
  await keeper.prune(tiny);
  // Sessions from earlier windows are removed before open ones.
  assert.deepEqual(await files.all(), []);
  assert.deepEqual(turns(recorder.of(session.key)), [2, 3]);
  const left = [undo, review, refs.a, refs.b, refs.c, old].map(async (ref) => (await get(ref)) !== undefined);
  assert.deepEqual(await Promise.all(left), [true, true, false, true, true, false]);
});

test('removes no content while a turn runs', async (t) => {
  const { window, store, get } = await place(t);
  const content = await store('of a turn that nobody has recorded yet');
  const { keeper, others } = window();
  others.isBusy = true;
  await keeper.save();
  await keeper.prune(tiny);
  assert.ok(await get(content));
  others.isBusy = false;
  await keeper.prune(tiny);
  assert.equal(await get(content), undefined);
});
