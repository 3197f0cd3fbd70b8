import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { editor, window } from '../../../test/unit-support/vscode';
import type { Session } from '../../session/session';
import type { ToWebview } from '../../shared/pages/messages';
import type { ChatPages } from '../pages/chatPages';
import { returnToMessage } from './returnToMessage';

interface Item {
  readonly label: string;
}

/** Runs the command for a session whose first turn has a checkpoint. Returns the labels offered and the messages to the page. */
async function run(t: TestContext, session: Session, ...labels: readonly string[]) {
  const offered: string[][] = [];
  const posted: ToWebview[] = [];
  const left = [...labels];
  t.mock.method(window, 'showQuickPick', async (items: Promise<readonly Item[]> | readonly Item[]) => {
    const all = await items;
    offered.push(all.map(({ label }) => label));
    const label = left.shift();
    return all.find((item) => item.label === label);
  });
  const pages = {
    activeSession: session,
    withSession: (_key: string, act: (page: unknown) => void) => {
      act({ post: (message: ToWebview) => posted.push(message) });
      return Promise.resolve();
    },
  };
  const canRestore = (_session: Session, turn: number) => turn === 1;
  await returnToMessage(pages as unknown as ChatPages, canRestore);
  t.mock.restoreAll();
  return { offered, posted };
}

async function said(): Promise<SessionHarness> {
  const harness = new SessionHarness().open();
  for (const text of ['first', 'second']) {
    harness.session.sendPrompt(text);
    await harness.agent.end();
  }
  return harness;
}

test('opens the form of the chosen message with what to restore', async (t) => {
  const { session } = await said();
  const scopes = ['Conversation only', 'Files only', 'Conversation and files'];
  const place = { type: 'openRestore', session: session.key, entry: 'prompt:1' };
  const { offered, posted } = await run(t, session, 'first', 'Files only');
  assert.deepEqual(offered, [['second', 'first'], scopes]);
  assert.deepEqual(posted, [{ ...place, mode: 'restore' }]);
  assert.deepEqual((await run(t, session, 'first', 'Conversation and files')).posted, [{ ...place, mode: 'edit' }]);
  assert.deepEqual((await run(t, session, 'first', 'Conversation only')).posted, [
    { ...place, mode: 'edit', keepsFiles: true },
  ]);
});

test('offers files only where they can be restored; cancelling does nothing', async (t) => {
  const { session } = await said();
  const { offered, posted } = await run(t, session, 'second');
  assert.deepEqual(offered[1], ['Conversation only']);
  assert.deepEqual(posted, []);
  assert.deepEqual((await run(t, session)).posted, []);
});

test('shows a message if the session has no messages', async (t) => {
  editor.reset();
  assert.deepEqual((await run(t, new SessionHarness().open().session)).offered, []);
  assert.deepEqual(
    editor.shown.map(({ message }) => message),
    ['There are no turns yet. Send a message first.'],
  );
});
