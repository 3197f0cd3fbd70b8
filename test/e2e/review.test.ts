import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workbench } from '../workbench/workbench.mjs';
import { inRoot } from '../root.mjs';
import { scene } from './harness';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };
const before = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join('');
const after = before.replace('line 3\n', 'line three\n').replace('line 30\n', 'line thirty\nand more\n');

/** Lenses of the editor in front, by their words. */
const lens = (workbench: Workbench, name: string) =>
  workbench.page.locator('.codelens-decoration a').filter({ hasText: name });

const count = async (workbench: Workbench, name: string, wanted: number) => {
  if (wanted > 0)
    await lens(workbench, name)
      .nth(wanted - 1)
      .waitFor();
  await lens(workbench, name).nth(wanted).waitFor({ state: 'detached' });
};

scene(
  'what waits for review survives a reload of the window and a crash of the extension host',
  { agents, files: { 'a.txt': before, 'b.txt': 'old\n' }, timeoutMs: 180_000 },
  async ({ workbench, server, chat, openChat, screenshot }) => {
    await openChat();
    const path = join(workbench.folder, 'a.txt');
    await chat.submit(JSON.stringify([{ write: path, text: after }]));
    await workbench.openFile('a.txt');
    await count(workbench, 'Keep', 2);
    await screenshot('review-lenses');
    await lens(workbench, 'Keep').first().click();
    await count(workbench, 'Keep', 1);
    await workbench.reload();
    await workbench.openFile('a.txt');
    await count(workbench, 'Keep', 1);
    await openChat();
    // The host dies in the middle of a turn.
    const second = JSON.stringify([{ write: join(workbench.folder, 'b.txt'), text: 'new\n' }, { shell: 'sleep 60' }]);
    await chat.submit(second);
    await chat.page.getByRole('list', { name: 'Changed files' }).getByText('b.txt').waitFor({ state: 'attached' });
    const host = (await server.processes()).find(({ command }) => command.includes('--type=extensionHost'));
    assert.ok(host);
    process.kill(host.pid, 'SIGKILL');
    await chat
      .article('Notice')
      .filter({ hasText: 'The window was closed while Told worked' })
      .waitFor({ timeout: 60_000 });
    await workbench.openFile('b.txt');
    await count(workbench, 'Keep', 1);
    await workbench.openFile('a.txt');
    await workbench.page.locator('.view-line', { hasText: 'line 29' }).waitFor();
    await count(workbench, 'Keep', 1);
    await lens(workbench, 'Undo').first().click();
    await count(workbench, 'Undo', 0);
    // The editor saves a moment after it shows the text.
    await workbench.page.locator('.tabs-container .tab.dirty').waitFor({ state: 'detached' });
    assert.equal(await readFile(path, 'utf8'), before.replace('line 3\n', 'line three\n'));
  },
);
