import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { emptyView } from '../../../../test/unit-support/emptyView';
import { toStored, type StoredSession } from '../../../session/transcript/storedSession';
import { Emitter } from '../../../shared/values/event';
import type { AgentId, EntryId, SessionKey } from '../../../shared/values/ids';
import { createTranscript } from '../../../shared/transcript/ops';
import type { StoredListing } from './storedListing';
import { WordIndex } from './wordIndex';

/** Sessions in memory, each with what the agent said. */
class Sessions {
  private readonly texts = new Map<SessionKey, readonly string[]>();
  private readonly removed = new Emitter<StoredListing>();
  readonly onDidRemove = this.removed.event;
  reads = 0;

  get stored(): readonly StoredListing[] {
    return [...this.texts].map(([key, texts]) => listing(key, texts.length));
  }

  say(key: string, ...texts: readonly string[]): void {
    this.texts.set(key as SessionKey, texts);
  }

  remove(key: string): void {
    this.texts.delete(key as SessionKey);
    this.removed.fire(listing(key as SessionKey, 0));
  }

  read(key: SessionKey): Promise<StoredSession> {
    this.reads += 1;
    const transcript = createTranscript(emptyView);
    for (const [at, text] of (this.texts.get(key) ?? []).entries()) {
      const id = `e${at}` as EntryId;
      transcript.order.push(id);
      transcript.entries.set(id, { kind: 'agent_message', id, turn: 1, content: [{ type: 'text', text }] });
    }
    return Promise.resolve(toStored(key, transcript));
  }
}

function listing(key: SessionKey, size: number): StoredListing {
  const names = { key, title: key, agentId: 'settings:A' as AgentId, agentName: 'A', cwd: '/w' };
  return { ...names, size, madeAt: 1, updatedAt: 1, isOpen: false };
}

async function place(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-words-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const sessions = new Sessions();
  const open = () => {
    const index = new WordIndex(sessions, folder);
    t.after(() => index.dispose());
    return index;
  };
  return { folder, sessions, open };
}

test('finds the sentence with all words, in any case', async (t) => {
  const { sessions, open } = await place(t);
  sessions.say('a', 'Hello.', 'The first part. Use an exponential Backoff here. The rest.');
  sessions.say('b', 'A backoff that is linear.');
  const index = open();
  await index.update();
  assert.deepEqual(await index.search('BACKOFF expo'), [
    { key: 'a', entry: 'e1', sentence: 'Use an exponential Backoff here.' },
  ]);
  assert.equal((await index.search('backoff')).length, 2);
  assert.deepEqual(await index.search('backoff quadratic'), []);
});

test('another window reads the index and no session', async (t) => {
  const { sessions, open } = await place(t);
  sessions.say('a', 'Needle in a haystack.');
  await open().update();
  const before = sessions.reads;
  const again = open();
  await again.update();
  assert.equal((await again.search('needle')).length, 1);
  assert.equal(sessions.reads, before);
});

test('a session that has grown is indexed again', async (t) => {
  const { sessions, open } = await place(t);
  const index = open();
  sessions.say('a', 'One.');
  await index.update();
  sessions.say('a', 'One.', 'Two.');
  await index.update();
  assert.equal((await index.search('two'))[0]?.entry, 'e1');
});

test('the index has no secrets', async (t) => {
  const { folder, sessions, open } = await place(t);
  sessions.say('a', 'Set API_KEY=sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789 and go.');
  await open().update();
  for (const name of await readdir(folder)) {
    assert.doesNotMatch(await readFile(join(folder, name), 'utf8'), /abcdefghijklmnop/);
  }
});

test('damaged and missing files are made again', async (t) => {
  const { folder, sessions, open } = await place(t);
  sessions.say('a', 'Needle one.');
  sessions.say('b', 'Needle two.');
  await open().update();
  for (const name of await readdir(folder)) {
    if (name === 'index.json') await writeFile(join(folder, name), '{"version":1,"sess');
    else await rm(join(folder, name));
  }
  const index = open();
  assert.deepEqual(await index.search('needle'), []);
  await index.update();
  assert.equal((await index.search('needle')).length, 2);
  const text = (await readdir(folder)).find((name) => name !== 'index.json');
  await writeFile(join(folder, text ?? ''), 'not JSON');
  assert.equal((await index.search('needle')).length, 1);
  await index.update();
  assert.equal((await index.search('needle')).length, 2);
});

test('nothing is kept of a deleted session', async (t) => {
  const { folder, sessions, open } = await place(t);
  sessions.say('a', 'Needle.');
  const index = open();
  await index.update();
  sessions.remove('a');
  await index.update();
  assert.deepEqual(await index.search('needle'), []);
  assert.deepEqual(await readdir(folder), ['index.json']);
});
