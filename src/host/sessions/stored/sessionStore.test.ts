import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test, type TestContext } from 'node:test';
import { endedHere } from '../../../../test/unit-support/endedHere';
import { FakeMachine, heardTroubles, noTroubles } from '../../../../test/unit-support/storage';
import { SessionHarness } from '../../../../test/unit-support/fakeSession';
import type { AgentSpec } from '../../../agent/spec/agentSpec';
import { Session } from '../../../session/session';
import { toStored, type StoredSession } from '../../../session/transcript/storedSession';
import { Emitter } from '../../../shared/values/event';
import type { AgentId, SessionKey } from '../../../shared/values/ids';
import { JsonFiles } from '../../storage/jsonFiles';
import { restoreSessions } from './restoreSessions';
import { SessionStore } from './sessionStore';

const owner = { restart: () => undefined, closed: () => undefined, endProcess: () => undefined };

function newSession(key: string, stored?: StoredSession): Session {
  return new Session({
    key: key as SessionKey,
    agentId: 'settings:A' as AgentId,
    agentName: 'A',
    cwd: '/w',
    owner,
    now: () => 7,
    schedule: () => ({ dispose: () => undefined }),
    ...(stored ? { stored } : {}),
  });
}

class Source {
  sessions: Session[] = [];
  private readonly changed = new Emitter<void>();
  readonly onDidChangeSessions = this.changed.event;

  set(...sessions: Session[]): void {
    this.sessions = sessions;
    this.changed.fire();
  }
}

async function place(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sessions-'));
  // Writes that the test left running may still create files.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  let time = 0;
  const machine = new FakeMachine();
  let last = (): void => undefined;
  /** Opens a window after the previous one has exited, or `beside` it. */
  const open = async (root = folder, { beside = false, troubles = noTroubles, isOpened = true } = {}) => {
    if (!beside) last();
    const { windows, end } = machine.window(root);
    last = end;
    const source = new Source();
    const store = new SessionStore(source, join(root, 'sessions'), { now: () => ++time, windows, troubles });
    t.after(() => [store, windows].forEach((one) => one.dispose()));
    const loaded = isOpened ? await store.open() : [];
    if (isOpened) store.start();
    return { source, store, loaded, windows, end };
  };
  return { open, folder, sessions: join(folder, 'sessions') };
}

test('restores open sessions with their transcripts and queued messages', async (t) => {
  const { open } = await place(t);
  const first = await open();
  const [a, b, empty] = [newSession('a'), newSession('b'), newSession('c')];
  first.source.set(a, b, empty);
  a.sendPrompt('hello');
  a.sendPrompt('and then');
  b.sendPrompt('other');
  await first.store.flush();
  b.close();
  first.source.set(a, empty);
  await first.store.flush();
  const second = await open();
  assert.deepEqual(
    second.loaded.map(({ key }) => key),
    ['a'],
    'Not the one that the user closed, and none in which nothing was said.',
  );
  const [stored] = second.loaded;
  assert.ok(stored);
  const back = newSession('a', stored);
  const said = back.transcript.entries.get(back.transcript.order[0] ?? ('' as never));
  assert.deepEqual(said?.kind === 'user_message' && said.content, [{ type: 'text', text: 'hello' }]);
  assert.equal(back.transcript.view.queue[0]?.text, 'and then');
  assert.deepEqual(
    second.store.stored.map(({ key, isOpen }) => [key, isOpen]),
    [
      ['b', false],
      ['a', true],
    ],
  );
  assert.equal((await second.store.read('b' as SessionKey))?.snapshot.view.title, 'other');
});

test('loses nothing if the next window opens before this one closes', async (t) => {
  const { open } = await place(t);
  const closing = await open();
  const a = newSession('a');
  closing.source.set(a);
  a.sendPrompt('hello');
  const next = await open();
  assert.deepEqual(next.loaded, [], 'It was not written yet.');
  await closing.store.flush();
  closing.end();
  const b = newSession('b');
  next.source.set(b);
  b.sendPrompt('other');
  await next.store.flush();
  await next.store.look();
  assert.deepEqual(next.store.stored.map(({ key }) => key).sort(), ['a', 'b']);
  assert.deepEqual((await open()).loaded.map(({ key }) => key).sort(), ['a', 'b']);
});

test('restores a session that closed with its window', async (t) => {
  const { open } = await place(t);
  const first = await open();
  const a = newSession('a');
  first.source.set(a);
  a.sendPrompt('hello');
  const flushed = first.store.flush();
  first.store.dispose();
  a.close();
  first.source.set();
  await flushed;
  assert.equal((await open()).loaded.length, 1);
});

test('an immediate shutdown writes everything, including saves in progress', async (t) => {
  const { open, folder } = await place(t);
  const { source, store } = await open();
  const sessions = ['a', 'b', 'c', 'd'].map((key) => newSession(key));
  source.set(...sessions);
  for (const session of sessions) session.sendPrompt('hello');
  void store.flush();
  await new Promise(setImmediate);
  sessions[1]?.sendPrompt('and then');
  void store.flushNow();
  source.set();
  const { loaded } = await open(await endedHere(t, folder));
  assert.deepEqual(
    loaded.map(({ key, snapshot }) => [key, snapshot.view.queue.length]),
    [
      ['a', 0],
      ['b', 1],
      ['c', 0],
      ['d', 0],
    ],
  );
});

test('keeps an unchanged open session stored and removes a deleted one', async (t) => {
  const { open, sessions } = await place(t);
  const first = await open();
  const a = newSession('a');
  first.source.set(a);
  a.sendPrompt('hello');
  await first.store.flush();
  const second = await open();
  await second.store.flush();
  const third = await open();
  assert.equal(third.loaded.length, 1);
  const removed: string[] = [];
  third.store.onDidRemove(({ key }) => removed.push(key));
  await third.store.delete('a' as SessionKey);
  assert.deepEqual([await readdir(sessions), removed], [[], ['a']]);
  assert.deepEqual((await open()).loaded, []);
});

test('keeps message and turn when a crash follows a message', async (t) => {
  // Registered first, because a failed teardown must not leave the fake timers to other tests.
  t.after(() => mock.timers.reset());
  const { source, store } = await (await place(t)).open();
  const harness = new SessionHarness().open();
  const { session } = harness;
  const stored = async (isSo: (text: string) => boolean) => {
    // The fake clock doesn't advance, so only writes in progress can finish.
    for (let tries = 0; tries < 1000; tries++) {
      const read = await store.read(session.key);
      if (read && isSo(JSON.stringify(read.snapshot))) return read;
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.fail('It is not on disk.');
  };
  source.set(session);
  session.sendPrompt('first');
  await harness.agent.end();
  await store.flush();
  mock.timers.enable({ apis: ['setTimeout'] });
  session.sendPrompt('second');
  // Creating the JSON before may have taken some time.
  mock.timers.tick(1000);
  const { snapshot } = await stored((text) => text.includes('second'));
  assert.equal(snapshot.view.activity.state, 'running');
  session.sendPrompt('third');
  mock.timers.tick(1000);
  await stored((text) => text.includes('third'));
  // Writes in progress would conflict with removing the folder.
  await store.flush();
});

test('sets an invalid session aside unchanged without affecting others', async (t) => {
  const { open, sessions } = await place(t);
  const first = await open();
  const all = ['a', 'b', 'c'].map((key) => newSession(key));
  first.source.set(...all);
  for (const session of all) session.sendPrompt('hello');
  await first.store.flush();
  const path = join(sessions, JsonFiles.nameOf('b'));
  const stored = JSON.parse(await readFile(path, 'utf8')) as { snapshot: { entries: object[] } };
  const bad = JSON.stringify({ ...stored, snapshot: { ...stored.snapshot, entries: [{ kind: 'tool_call' }] } });
  await writeFile(path, bad);
  const troubles = heardTroubles();
  const second = await open(undefined, { troubles });
  assert.deepEqual(
    second.loaded.map(({ key }) => key),
    ['a', 'c'],
  );
  assert.deepEqual(troubles.heard, ['sessions set aside']);
  assert.equal(await readFile(troubles.paths[0] ?? '', 'utf8'), bad);
});

test("sets a session that can't be restored aside without retrying", async (t) => {
  const { open } = await place(t);
  const first = await open();
  const all = ['a', 'b', 'c'].map((key) => newSession(key));
  first.source.set(...all);
  for (const session of all) session.sendPrompt('hello');
  await first.store.flush();
  first.end();
  const troubles = heardTroubles();
  const second = await open(undefined, { troubles, isOpened: false });
  const restored: string[] = [];
  const errors: unknown[] = [];
  const pool = {
    restoreSession: (_spec: unknown, stored: StoredSession) => {
      if (stored.key === 'a') throw new TypeError('unexpected');
      restored.push(stored.key);
      return newSession(stored.key, stored);
    },
    reconnect: () => undefined,
  };
  await new Promise<void>((resolve) => {
    const surroundings = { back: resolve, report: (error: unknown) => errors.push(error) };
    void restoreSessions(second.store, pool, { find: () => ({}) as AgentSpec }, surroundings);
  });
  assert.deepEqual([restored, errors.length, troubles.heard], [['b', 'c'], 1, ['sessions set aside']]);
  assert.deepEqual(
    (await open()).loaded.map(({ key }) => key),
    ['b', 'c'],
  );
});

test('lists which session started another one, also without its listing', async (t) => {
  const { open, sessions } = await place(t);
  const first = await open();
  const [a, b] = [newSession('a'), newSession('b')];
  first.source.set(a, b);
  b.setAskedBy({ session: a.key, title: 'A', depth: 1, first: a.key }, undefined);
  for (const session of [a, b]) session.sendPrompt('hello');
  await first.store.flush();
  const askedBy = ({ stored }: SessionStore) => stored.find(({ key }) => key === 'b')?.askedBy;
  assert.equal(askedBy(first.store), 'a');
  first.end();
  for (const name of await readdir(sessions)) if (name.endsWith('.listing.json')) await rm(join(sessions, name));
  assert.equal(askedBy((await open()).store), 'a');
});

test('keeps a session without its listing as closed', async (t) => {
  const { open, sessions } = await place(t);
  const first = await open();
  const a = newSession('a');
  first.source.set(a);
  a.sendPrompt('hello');
  await first.store.flush();
  for (const name of await readdir(sessions)) if (name.endsWith('.listing.json')) await rm(join(sessions, name));
  const { store, loaded } = await open();
  assert.deepEqual([loaded, store.stored.map(({ title, isOpen }) => [title, isOpen])], [[], [['hello', false]]]);
});

test('adopts records of an earlier version, not of a later one', async (t) => {
  const { open, sessions } = await place(t);
  const stored = toStored('a' as SessionKey, newSession('a').transcript);
  const listing = { key: 'a', title: 'old', agentId: 'settings:A', agentName: 'A', cwd: '/w', isOpen: true };
  const files = new JsonFiles(sessions);
  await files.write(JsonFiles.nameOf('a'), JSON.stringify(stored));
  await files.write(
    `${JsonFiles.nameOf('a')}.listing.json`,
    JSON.stringify({ ...listing, size: 1, madeAt: 1, updatedAt: 1 }),
  );
  await files.write(JsonFiles.nameOf('z'), '{"version":2}');
  assert.deepEqual(
    (await open()).loaded.map(({ key }) => key),
    ['a'],
  );
  assert.deepEqual(await files.read(JsonFiles.nameOf('z')), { version: 2 });
});

test("offers another window's session once that window closes", async (t) => {
  const { open } = await place(t);
  const first = await open();
  const a = newSession('a');
  first.source.set(a);
  a.sendPrompt('hello');
  await first.store.flush();
  const second = await open(undefined, { beside: true });
  assert.deepEqual(second.loaded, []);
  assert.deepEqual(
    second.store.stored.map(({ key, isOpen, isElsewhere }) => [key, isOpen, isElsewhere]),
    [['a', true, true]],
  );
  await second.store.delete('a' as SessionKey);
  await second.store.archive('a' as SessionKey, true);
  const b = newSession('b');
  second.source.set(b);
  b.sendPrompt('other');
  await second.store.flush();
  a.sendPrompt('more');
  await first.store.flush();
  let isFreed = false;
  second.store.onDidFree(() => (isFreed = true));
  first.end();
  await second.windows.others();
  assert.ok(isFreed);
  const taken = await second.store.open();
  assert.deepEqual(
    taken.map(({ key, snapshot }) => [key, snapshot.view.queue.length]),
    [['a', 1]],
  );
  const third = await open(undefined, { beside: true });
  assert.deepEqual([third.loaded, third.store.stored.every(({ isElsewhere }) => isElsewhere)], [[], true]);
});

test('restores each session once if two windows load at once', async (t) => {
  const { open } = await place(t);
  const first = await open();
  const all = Array.from({ length: 12 }, (_, at) => newSession(`s${at}`));
  first.source.set(...all);
  for (const session of all) session.sendPrompt('hello');
  await first.store.flush();
  first.end();
  const both = await Promise.all([open(undefined, { beside: true }), open(undefined, { beside: true })]);
  const keys = both.flatMap(({ loaded }) => loaded.map(({ key }) => key));
  assert.deepEqual(keys.toSorted(), all.map(({ key }) => key).toSorted());
});
