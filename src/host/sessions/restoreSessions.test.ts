import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isReady, PoolHarness, text, until } from '../../../test/unit-support/poolHarness';
import { keptState, ProductWindow, type FakePage } from '../../../test/unit-support/productWindow';
import { editor } from '../../../test/unit-support/vscode';
import type { SessionKey } from '../../shared/ids';

const agents = new PoolHarness();

/** Resolves once the host has posted a matching message to a page. */
async function untilPosted(page: FakePage, isIt: (message: FakePage['got'][number]) => boolean): Promise<void> {
  while (!page.got.some(isIt)) await page.hearsMore();
}

test('a chat without a record shows a session that is restored late', async (t) => {
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

  // Another window has the session open. It's on another machine and was active just now.
  const storage = join(kept.folder, 'storage');
  const sessions = join(storage, 'sessions');
  const listing = readdirSync(sessions).find((name) => name.endsWith('.listing.json'));
  assert.ok(listing);
  const [record = ''] = listing.split('.');
  renameSync(join(sessions, listing), join(sessions, `${record}.json.0e15e0e1.listing.json`));
  const held = join(storage, 'windows', '0e15e0e1.json');
  writeFileSync(held, JSON.stringify({ version: 1, pid: 1, began: '', host: 'elsewhere' }));

  const second = new ProductWindow(kept);
  windows.push(second);
  const page = second.openChat();
  await untilPosted(page, ({ type }) => type === 'page');
  assert.ok(!page.got.some(({ type }) => type === 'snapshot'));
  rmSync(held);
  await untilPosted(page, (message) => message.type === 'snapshot' && JSON.stringify(message).includes('an answer'));
});
