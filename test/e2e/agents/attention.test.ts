import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelRequest, ModelStep } from '../../agents/modelServer.mjs';
import { startModel, tool } from '../../agents/support';
import { scene } from '../harness';
import { until } from '../poll';

let folder = '';
/** Lets the model end the turn. */
let release = () => {};
let released = Promise.resolve();

/** Writes a file, for which every agent asks. Ends the turn when the test lets it. */
async function script(request: ModelRequest): Promise<ModelStep> {
  if (request.rounds > 0) {
    await released;
    return { text: 'Written.' };
  }
  const path = join(folder, 'greeting.md');
  const name = tool(request, 'write', 'write_file', 'Write');
  // opencode refuses what the others want.
  const input = { [name === 'write' ? 'filePath' : 'file_path']: path, content: 'Hello\n' };
  return { calls: [{ name, input }] };
}

const { setting } = startModel(script);

for (const [key, name] of [
  ['gemini', 'Gemini'],
  ['opencode', 'opencode'],
] as const) {
  scene(
    `${name} waits out of sight, and the status bar leads there`,
    {
      agents: setting(key),
      files: { 'notes.md': 'notes\n' },
      settings: { 'parley.notifications.turnEnd': 'always' },
      timeoutMs: 180_000,
    },
    async ({ workbench, chat, openChat }) => {
      const { page } = workbench;
      folder = workbench.folder;
      released = new Promise((resolve) => (release = resolve));
      const status = page.locator('.part.statusbar [id="parley.parley-acp.parley.status"]');
      const toast = (text: string) => page.locator('.notification-toast:visible', { hasText: text });
      await openChat();
      await chat.send('Please write a greeting.');
      await workbench.showSecondarySideBar(false);
      await status.filter({ hasText: `${name} is waiting for you` }).waitFor({ timeout: 60_000 });
      await status.locator('a').click();
      const question = chat.permission().first();
      await question.and(chat.page.locator('[data-ready=true]')).waitFor();
      const allow = question.getByRole('button', { name: /^(Allow|Allow once|Yes)$/i }).first();
      await allow.click();
      await question.waitFor({ state: 'detached' });
      await workbench.showSecondarySideBar(false);
      await status.filter({ hasText: `${name} is running` }).waitFor();
      release();
      await toast(`${name} is done`).waitFor({ timeout: 60_000 });
      assert.equal(await status.isVisible(), false, 'Nothing runs any longer.');
      await until(() => existsSync(join(folder, 'greeting.md')), 'The file was not written.');
      await workbench.runCommand('Notifications: Clear All Notifications');
    },
  );
}
