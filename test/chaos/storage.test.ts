// Disks that refuse, records that are damaged, and windows that end or share a storage. What the user typed is there afterwards, they
// read what went wrong, and the session goes on.
import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Session } from '../../src/session/session';
import { asks, isRunning, text, until } from '../unit-support/poolHarness';
import { editor } from '../unit-support/vscode';
import type { FakePage, KeptState, ProductWindow } from '../unit-support/productWindow';
import { answer, goesOn, isAnswered, ProductChaos, send, words } from './productChaos';

const chaos = new ProductChaos();
const storageOf = (kept: KeptState) => join(kept.folder, 'storage');

/** A window in which a message was answered, and that has ended as usual. */
async function afterOneWindow(): Promise<KeptState> {
  const kept = chaos.state();
  const { window, page } = chaos.window(kept);
  await until(send(window, page), isAnswered);
  await chaos.close(window);
  return kept;
}

function recordsOf(kept: KeptState, isOne: (name: string) => boolean, below = 'sessions'): readonly string[] {
  const folder = join(storageOf(kept), below);
  const names = readdirSync(folder).filter(isOne);
  assert.notDeepEqual(names, []);
  return names.map((name) => join(folder, name));
}

/** Resolves once a session that was stored is in the window. */
async function restored(window: ProductWindow, page: FakePage): Promise<Session> {
  for (;;) {
    const [session] = window.pool.sessions;
    if (session) return session;
    await page.hearsMore();
  }
}

/** The next window has the message that was typed, and its session goes on. */
async function goesOnInNextWindow(kept: KeptState): Promise<void> {
  chaos.setAgent({ turns: [{ steps: [{ say: answer }] }] });
  const { window, page } = chaos.window(kept);
  const session = await restored(window, page);
  assert.ok(text(session).includes(words));
  await goesOn(session);
}

/** Resolves once the user was told something like this. */
function told(what: RegExp): Promise<void> {
  const isTold = () => editor.shown.some(({ message }) => what.test(message));
  if (isTold()) return Promise.resolve();
  return new Promise((resolve) => {
    const listener = editor.subscribe('shown', () => {
      if (!isTold()) return;
      listener.dispose();
      resolve();
    });
  });
}

/** What may become of a record. */
const damage: Readonly<Record<string, string>> = {
  'is empty': '',
  'was cut off': '{"version":1,"key":"',
  'is a list': '[]',
  'has another shape': '{"version":1,"key":7,"snapshot":[]}',
  'is binary': '\u0000\u0001\u0002',
};

void describe('a stored session', () => {
  for (const [how, content] of Object.entries(damage)) {
    void it(`that ${how} is set aside whole with a notice`, async () => {
      const kept = await afterOneWindow();
      const [record = ''] = recordsOf(kept, (name) => name.length === 45);
      writeFileSync(record, content);
      const { window, page } = chaos.window(kept);
      await told(/Couldn’t read 1 saved record.*Nothing was deleted/);
      const [aside = ''] = recordsOf(kept, () => true, 'sessions/damaged');
      assert.equal(readFileSync(aside, 'utf8'), content);
      const session = send(window, page);
      await until(session, isAnswered);
      await goesOn(session);
    });
  }

  void it('of a later version of Parley is left unchanged', async () => {
    const kept = await afterOneWindow();
    const [record = ''] = recordsOf(kept, (name) => name.length === 45);
    const later = JSON.stringify({ ...(JSON.parse(readFileSync(record, 'utf8')) as object), version: 99 });
    writeFileSync(record, later);
    const { window, page } = chaos.window(kept);
    const session = send(window, page);
    await until(session, isAnswered);
    await goesOn(session);
    await chaos.close(window);
    assert.equal(readFileSync(record, 'utf8'), later);
  });

  void it('without a listing is still listed by its conversation', async () => {
    const kept = await afterOneWindow();
    for (const listing of recordsOf(kept, (name) => name.endsWith('.listing.json'))) rmSync(listing);
    const { window } = chaos.window(kept);
    await window.store.look();
    assert.equal(window.store.stored.length, 1);
  });

  for (const [how, content] of Object.entries(damage)) {
    void it(`whose listing ${how} is not lost`, async () => {
      const kept = await afterOneWindow();
      const [listing = ''] = recordsOf(kept, (name) => name.endsWith('.listing.json'));
      writeFileSync(listing, content);
      const { window } = chaos.window(kept);
      await window.store.look();
      const [found] = window.store.stored;
      assert.ok(found);
      const stored = await window.store.read(found.key);
      assert.ok(JSON.stringify(stored).includes(words));
    });
  }
});

void describe('a disk', () => {
  void it('that accepts no writes is reported once and retried', async () => {
    const kept = chaos.state();
    const storage = storageOf(kept);
    rmSync(storage, { recursive: true });
    writeFileSync(storage, 'a file where the folder should be');
    const { window, page } = chaos.window(kept);
    const session = send(window, page);
    await until(session, isAnswered);
    await window.store.flush();
    await told(/Couldn’t save .*tried again automatically.*don’t close this window/);
    await goesOn(session);
    await window.store.flush();
    assert.equal(editor.shown.filter(({ message }) => message.startsWith('Couldn’t save')).length, 1);
    rmSync(storage);
    await window.store.flush();
    assert.ok(recordsOf(kept, (name) => name.length === 45).some((one) => readFileSync(one, 'utf8').includes(words)));
  });

  void it('whose storage was deleted gets everything again', async () => {
    const kept = chaos.state();
    const { window, page } = chaos.window(kept);
    const session = send(window, page);
    await until(session, isAnswered);
    await window.store.flush();
    // What is being written at this moment may come in between.
    rmSync(storageOf(kept), { recursive: true, maxRetries: 5 });
    await goesOn(session);
    await chaos.close(window);
    const next = chaos.window(kept);
    assert.ok(text(await restored(next.window, next.page)).includes(words));
  });

  void it('that was full leaves no draft that is read', async () => {
    const kept = await afterOneWindow();
    const [record = ''] = recordsOf(kept, (name) => name.length === 45);
    writeFileSync(`${record}.00000000-0000-0000-0000-000000000000`, '{"version":1,');
    const { window, page } = chaos.window(kept);
    const session = await restored(window, page);
    assert.ok(text(session).includes(words));
    await goesOn(session);
    // A window of another test may still tell of its own files.
    assert.deepEqual(
      editor.shown.filter(({ message }) => message.includes(kept.folder)),
      [],
    );
    assert.equal(existsSync(join(storageOf(kept), 'sessions', 'damaged')), false);
  });
});

/** The storage as it is now, with the window that owns it killed: its process is gone. */
function asIfKilled(kept: KeptState): KeptState {
  const copy = chaos.state();
  cpSync(storageOf(kept), storageOf(copy), { recursive: true });
  const windows = join(storageOf(copy), 'windows');
  for (const name of existsSync(windows) ? readdirSync(windows) : []) {
    const said = JSON.parse(readFileSync(join(windows, name), 'utf8')) as object;
    writeFileSync(join(windows, name), JSON.stringify({ ...said, pid: 2 ** 22 + 7 }));
  }
  return copy;
}

void describe('a window', () => {
  void it('that is killed during a turn keeps the conversation', async () => {
    chaos.setAgent({ turns: [{ steps: [{ say: 'half an answer' }, { waitForCancel: true }] }] });
    const kept = chaos.state();
    const { window, page } = chaos.window(kept);
    const session = send(window, page);
    await until(session, (one) => text(one).includes('half an answer'));
    session.sendPrompt('a message that waits');
    await window.store.flush();
    const next = chaos.window(asIfKilled(kept));
    const again = await restored(next.window, next.page);
    for (const said of [words, 'half an answer', 'a message that waits']) assert.ok(text(again).includes(said), said);
  });

  void it('closed with an open question keeps the conversation and restarts', async () => {
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
    const toolCall = { toolCallId: 'c', title: 'Run it' };
    const asking = { request: 'session/request_permission', params: { sessionId: '$session', toolCall, options } };
    chaos.setAgent({ turns: [{ steps: [asking] }] });
    const kept = chaos.state();
    const first = chaos.window(kept);
    await until(send(first.window, first.page), asks);
    await chaos.close(first.window);
    await goesOnInNextWindow(kept);
  });

  void it("closed during an agent's start keeps the typed text", async () => {
    chaos.setAgent({ initialize: 'silent' });
    const kept = chaos.state();
    const first = chaos.window(kept);
    send(first.window, first.page);
    await chaos.close(first.window);
    await goesOnInNextWindow(kept);
  });

  void it('has separate sessions beside another on the same storage', async () => {
    const kept = chaos.state();
    const one = chaos.window(kept);
    await until(send(one.window, one.page), isAnswered);
    await one.window.store.flush();
    const two = chaos.window(kept);
    await two.window.store.open();
    assert.deepEqual(two.window.pool.sessions, []);
    await until(send(two.window, two.page, 'said in the second'), isAnswered);
    await chaos.close(two.window);
    await goesOn(one.window.pool.sessions[0]!);
    await chaos.close(one.window);
    const three = chaos.window(kept);
    await three.window.store.look();
    const listed = three.window.store.stored;
    const stored = await Promise.all(listed.map(({ key }) => three.window.store.read(key)));
    for (const said of [words, 'said in the second', 'and now?'])
      assert.ok(JSON.stringify(stored).includes(said), said);
  });

  for (const [how, content] of Object.entries(damage)) {
    void it(`whose own file ${how} counts as closed`, async () => {
      const kept = chaos.state();
      const { window, page } = chaos.window(kept);
      await until(send(window, page), isAnswered);
      await window.store.flush();
      const copy = asIfKilled(kept);
      const [own = ''] = recordsOf(copy, (name) => name.endsWith('.json'), 'windows');
      writeFileSync(own, content);
      const next = chaos.window(copy);
      const session = await restored(next.window, next.page);
      assert.ok(text(session).includes(words));
      await goesOn(session);
    });
  }

  void it('whose page sends invalid messages stays unchanged', async () => {
    const { window, page } = chaos.window();
    const session = send(window, page);
    await until(session, (one) => isRunning(one) || isAnswered(one));
    for (const said of [null, 7, 'ready', [], {}, { type: 7 }]) page.say(said as never);
    await until(session, isAnswered);
    await goesOn(session);
  });
});
