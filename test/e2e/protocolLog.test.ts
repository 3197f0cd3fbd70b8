import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { inProduct } from '../root.mjs';
import { scene } from './harness';
import { openProtocolLog } from './protocolLogEditor';

const secret = 'hush-hush-4711';

scene(
  "shows a turn's messages in the protocol log without secrets",
  {
    agents: {
      Guide: { command: process.execPath, args: [inProduct('dist', 'tourAgent.js')], env: { GUIDE_TOKEN: secret } },
    },
    viewport: { width: 1500, height: 900 },
  },
  async ({ workbench, chat, openChat }) => {
    await openChat();
    await chat.send(`/help with ${secret}`);
    await chat.untilIdle();
    await openProtocolLog(workbench, 'Guide');
    const editor = workbench.page.locator('.editor-instance .view-lines').first();
    for (const word of ['initialize', 'session/new', 'session/prompt', '/help with [redacted]']) {
      await editor.filter({ hasText: word }).waitFor();
    }
    assert.doesNotMatch(await editor.innerText(), new RegExp(secret));
    await workbench.runCommand('Parley: Export Protocol Log…');
    const place = workbench.page.locator('.quick-input-widget:visible input[type="text"]');
    await place.waitFor();
    // The editor proposes the folder first, then the name.
    await workbench.page.waitForFunction(
      (field) => /\.jsonl$/.test((field as HTMLInputElement).value),
      await place.elementHandle(),
    );
    await place.press('Enter');
    await workbench.page.locator('.statusbar-item', { hasText: 'Saved as' }).waitFor();
    const [name = ''] = (await readdir(workbench.file('.'))).filter((file) => file.endsWith('.jsonl'));
    const lines = (await readFile(workbench.file(name), 'utf8')).trim().split('\n');
    const text = lines.map((line) => JSON.stringify(JSON.parse(line))).join('\n');
    assert.match(text, /"method":"session\/prompt"[^]*\/help with \[redacted\]/);
    assert.doesNotMatch(text, new RegExp(secret));
  },
);
