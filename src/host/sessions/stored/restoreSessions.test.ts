import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { isReady, PoolHarness, text, until } from '../../../../test/unit-support/poolHarness';
import { keptState, ProductWindow, type FakePage, type KeptState } from '../../../../test/unit-support/productWindow';
import { editor } from '../../../../test/unit-support/vscode';
import type { SessionKey } from '../../../shared/values/ids';

const agents = new PoolHarness();

/** Resolves once the host has posted a matching message to a page. */
async function untilPosted(page: FakePage, isIt: (message: FakePage['got'][number]) => boolean): Promise<void> {
  while (!page.got.some(isIt)) await page.hearsMore();
}

/** What is stored after a window in which an agent said "an answer" has closed. */
async function afterOneWindow(
  t: TestContext,
): Promise<{ readonly kept: KeptState; readonly open: () => ProductWindow }> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-restore-'));
  const windows: ProductWindow[] = [];
  t.after(async () => {
    for (const window of windows) await window.stop();
    rmSync(folder, { recursive: true });
  });
  editor.reset();
  editor.folders = [join(folder, 'project')];
  mkdirSync(join(folder, 'project'));
  const { command, args, env } = agents.spec({ turns: [{ steps: [{ say: 'an answer' }] }] });
  editor.settings['parley.agents'] = { Codex: { command, args, env } };
  const kept = keptState(join(folder, 'kept'));
  const first = new ProductWindow(kept);
  first.openChat().say({ type: 'sendPrompt', session: '' as SessionKey, text: 'go' });
  const [session] = first.pool.sessions;
  assert.ok(session);
  await until(session, (one) => text(one).includes('an answer') && isReady(one));
  await first.stop();
  const open = () => {
    const window = new ProductWindow(kept);
    windows.push(window);
    return window;
  };
  return { kept, open };
}

const showsAnswer = (message: FakePage['got'][number]) =>
  message.type === 'snapshot' && JSON.stringify(message).includes('an answer');

test('a chat without a record shows a session restored late', async (t) => {
  const { kept, open } = await afterOneWindow(t);

  // Another window has the session open. It's on another machine and was active just now.
  const storage = join(kept.folder, 'storage');
  const sessions = join(storage, 'sessions');
  const listing = readdirSync(sessions).find((name) => name.endsWith('.listing.json'));
  assert.ok(listing);
  const [record = ''] = listing.split('.');
  renameSync(join(sessions, listing), join(sessions, `${record}.json.0e15e0e1.listing.json`));
  const held = join(storage, 'windows', '0e15e0e1.json');
  writeFileSync(held, JSON.stringify({ version: 1, pid: 1, began: '', host: 'elsewhere' }));

  const page = open().openChat();
  await untilPosted(page, ({ type }) => type === 'page');
  assert.ok(!page.got.some(({ type }) => type === 'snapshot'));
  rmSync(held);
  await untilPosted(page, showsAnswer);
});

test('a chat whose recorded session was closed shows the newest restored one', async (t) => {
  const { open } = await afterOneWindow(t);
  const window = open();
  await untilPosted(window.openChat('closed before' as SessionKey), showsAnswer);
  // So does a chat that opens after the sessions were restored.
  await untilPosted(window.openChat('closed before' as SessionKey), showsAnswer);
});

test('a chat stays on the start page that the user chose', async (t) => {
  const { open } = await afterOneWindow(t);
  const page = open().openChat('' as SessionKey);
  await untilPosted(page, (message) => message.type === 'page' && message.page.sessions.length > 0);
  assert.ok(!page.got.some(showsAnswer));
  assert.equal(page.got.findLast((message) => message.type === 'page')?.page.active, '');
});
