// Windows of one user: each lists the sessions of the others, whatever becomes of the files with which they see each other.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ToWebview } from '../../src/shared/pages/messages';
import type { SessionRow } from '../../src/shared/pages/sessionRows';
import { asks, until } from '../unit-support/poolHarness';
import type { FakePage, KeptState } from '../unit-support/productWindow';
import { editor } from '../unit-support/vscode';
import { isAnswered, ProductChaos, send } from './productChaos';

const chaos = new ProductChaos();

/** Resolves with the row of another window's session in the list of a page, once it is as it should be. */
async function rowOf(
  page: FakePage,
  isRight: (row: SessionRow | undefined) => boolean,
): Promise<SessionRow | undefined> {
  for (;;) {
    const row = rowsOf(page.got).find(({ place }) => place === 'otherWindow');
    if (isRight(row)) return row;
    await page.hearsMore();
  }
}

function rowsOf(messages: readonly ToWebview[]): readonly SessionRow[] {
  const rows = new Map<string, SessionRow>();
  for (const message of messages) {
    if (message.type === 'sessions') rows.clear();
    else if (message.type === 'sessionsChanged') message.removed.forEach((id) => rows.delete(id));
    else continue;
    for (const row of message.rows) rows.set(row.id, row);
  }
  return [...rows.values()];
}

const isAsking = (row: SessionRow | undefined) => row?.state === 'needsYou';

const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
const toolCall = { toolCallId: 'c', title: 'Run it', kind: 'execute' };
const asking = { request: 'session/request_permission', params: { sessionId: '$session', toolCall, options } };

/** A window whose session asks something, and one with another folder that has the list open. */
async function twoWindows(kept: KeptState) {
  chaos.setAgent({ turns: [{ steps: [asking] }] });
  const first = chaos.window(kept);
  const session = send(first.window, first.page);
  await until(session, asks);
  const { window, page } = chaos.window(chaos.state(kept));
  page.say({ type: 'watchSessions', isOn: true });
  return { first, session, window, page };
}

void describe('a window with another folder', () => {
  void it('lists a session that asks, and opens it where it is', async () => {
    const { first, session, page } = await twoWindows(chaos.state());
    const row = await rowOf(page, isAsking);
    assert.equal(row?.words, 'Wants to run a command');
    first.page.say({ type: 'newSession' });
    const isShown = () =>
      first.page.got.some((message) => message.type === 'snapshot' && message.session === session.key);
    first.page.got.length = 0;
    // By now, the editor of the tests is that of the second window.
    editor.folders = [`${chaos.project}-of-another-window`];
    page.say({ type: 'openRow', id: row.id });
    while (!isShown()) await first.page.hearsMore();
    editor.folders = [chaos.project];
    const opened = editor.executed.find(({ id }) => id === 'vscode.openFolder');
    assert.equal(String(opened?.args[0]), `file://${chaos.project}`);
  });

  void it('no longer lists the sessions of a window that closed', async () => {
    const { first, page } = await twoWindows(chaos.state());
    await rowOf(page, isAsking);
    await chaos.close(first.window);
    await rowOf(page, (one) => one === undefined);
  });

  for (const content of ['', '{"version":1,"rows":[', '\u0000\u0001']) {
    void it(`lists it again after damage: ${JSON.stringify(content)}`, async () => {
      const kept = chaos.state();
      const { first, session, page } = await twoWindows(kept);
      await rowOf(page, isAsking);
      const notes = join(kept.global, 'board', 'notes');
      const [note = ''] = readdirSync(notes);
      writeFileSync(join(notes, note), content);
      await rowOf(page, (one) => one === undefined);
      chaos.setAgent({ turns: [{ steps: [{ say: 'more' }] }] });
      session.rename('A new name');
      await rowOf(page, (one) => one?.title === 'A new name');
      assert.deepEqual(first.window.pool.sessions, [session]);
    });
  }
});

void describe('the index of words', () => {
  for (const content of ['', '{"version":1,"sessions":[[', '[]', '{"version":1,"sessions":[["a",1,1,"!"]]}']) {
    void it(`is made again after damage: ${JSON.stringify(content)}`, async () => {
      const kept = chaos.state();
      const { window, page } = chaos.window(kept);
      const session = send(window, page, 'a lighthouse keeper');
      await until(session, isAnswered);
      session.close();
      await window.store.flush();
      page.say({ type: 'watchSessions', isOn: true });
      await found(page, 'lighthouse');
      await chaos.close(window);
      const words = join(kept.folder, 'storage', 'words');
      for (const name of readdirSync(words)) writeFileSync(join(words, name), content);
      const next = chaos.window(kept);
      next.page.say({ type: 'watchSessions', isOn: true });
      await found(next.page, 'lighthouse');
      assert.deepEqual(next.window.pool.sessions, []);
    });
  }
});

/** Resolves once a search on a page finds a session. */
async function found(page: FakePage, text: string): Promise<void> {
  page.say({ type: 'searchSessions', text });
  while (!page.got.some((message) => message.type === 'foundSessions' && message.found.length > 0)) {
    await page.hearsMore();
  }
}
