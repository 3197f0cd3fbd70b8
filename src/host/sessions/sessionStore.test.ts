import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test, type TestContext } from 'node:test';
import { endedHere } from '../../../test/unit-support/endedHere';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { Session } from '../../session/session';
import type { StoredSession } from '../../session/storedSession';
import { Emitter } from '../../shared/event';
import type { AgentId, SessionKey } from '../../shared/ids';
import { SessionStore } from './sessionStore';

const owner = { restart: () => undefined, closed: () => undefined, endProcess: () => undefined };

function newSession(key: string, stored?: StoredSession): Session {
  return new Session({
    ...{ key: key as SessionKey, agentId: 'settings:A' as AgentId, agentName: 'A', cwd: '/w', owner, now: () => 7 },
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
  // What a test leaves under way may still write.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  let time = 0;
  const open = async (root = folder) => {
    const source = new Source();
    const store = new SessionStore(
      source,
      root,
      () => ++time,
      (error) => assert.fail(String(error)),
    );
    t.after(() => store.dispose());
    const loaded = await store.open();
    store.start();
    return { source, store, loaded };
  };
  return { open, folder };
}

test('what was said and what waits is there in the next window, in the sessions that were open', async (t) => {
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

test('a window that is still closing when the next one opens loses nothing', async (t) => {
  const { open } = await place(t);
  const closing = await open();
  const a = newSession('a');
  closing.source.set(a);
  a.sendPrompt('hello');
  const next = await open();
  assert.deepEqual(next.loaded, [], 'It was not written yet.');
  await closing.store.flush();
  const b = newSession('b');
  next.source.set(b);
  b.sendPrompt('other');
  await next.store.flush();
  await next.store.look();
  assert.deepEqual(next.store.stored.map(({ key }) => key).sort(), ['a', 'b']);
  assert.deepEqual((await open()).loaded.map(({ key }) => key).sort(), ['a', 'b']);
});

test('a session that is closed because the window ends is open in the next one', async (t) => {
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

test('a window that is ended at once has everything on disk, also what was being saved', async (t) => {
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

test('an open session that nobody changes stays stored, and a deleted one goes for good', async (t) => {
  const { open, folder } = await place(t);
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
  assert.deepEqual([await readdir(folder), removed], [[], ['a']]);
  assert.deepEqual((await open()).loaded, []);
});

test('a crash right after a message takes neither it nor that a turn ran', async (t) => {
  // Before all else that is taken down: should that fail, the other tests need their time.
  t.after(() => mock.timers.reset());
  const { source, store } = await (await place(t)).open();
  const harness = new SessionHarness().open();
  const { session } = harness;
  const stored = async (isSo: (text: string) => boolean) => {
    // Time stands still meanwhile: only what is being written can come.
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
  // Making the JSON before may have taken a little.
  mock.timers.tick(1000);
  const { snapshot } = await stored((text) => text.includes('second'));
  assert.equal(snapshot.view.activity.state, 'running');
  session.sendPrompt('third');
  mock.timers.tick(1000);
  await stored((text) => text.includes('third'));
  // What is still being written beside it would be in the way of who removes the folder.
  await store.flush();
});
