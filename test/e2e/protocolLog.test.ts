import assert from 'node:assert/strict';
import { inRoot } from '../root.mjs';
import { scene } from './harness';

const secret = 'hush-hush-4711';

scene(
  'the protocol log shows the messages of a turn, without the secrets of the agent',
  {
    agents: {
      Guide: { command: process.execPath, args: [inRoot('dist', 'tourAgent.js')], env: { GUIDE_TOKEN: secret } },
    },
    viewport: { width: 1500, height: 900 },
  },
  async ({ workbench, chat, openChat }) => {
    await openChat();
    await chat.send(`/help with ${secret}`);
    await chat.untilIdle();
    await workbench.runCommand('Parley: Show Protocol Log');
    await workbench.page.locator('.tabs-container .tab', { hasText: /Guide .*\.jsonl/ }).waitFor();
    const editor = workbench.page.locator('.editor-instance .view-lines').first();
    for (const word of ['initialize', 'session/new', 'session/prompt', '/help with [redacted]']) {
      await editor.filter({ hasText: word }).waitFor();
    }
    assert.doesNotMatch(await editor.innerText(), new RegExp(secret));
  },
);
