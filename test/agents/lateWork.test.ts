import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { scene, type Scene } from '../e2e/harness';
import { until } from '../e2e/poll';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { allowAll, bothVersions, nameIn, startModel, untilAgreed, type ProtocolVersion } from './support';

/** Starts at once, and goes on until a file is there. Then it writes another one. */
const command = 'touch started; until [ -e go ]; do sleep 0.1; done; echo late > late.txt; echo done';

/** Starts the command without waiting for it, and ends the turn. */
function script(request: ModelRequest): ModelStep {
  // Claude goes on by itself when its command has exited, with the same conversation.
  if (request.rounds > 0) return { text: 'It runs in the background.' };
  return request.tools.includes('exec_command')
    ? { calls: [{ name: 'exec_command', input: { cmd: command, yield_time_ms: 250 } }] }
    : { calls: [{ name: 'Bash', input: { command, description: 'Write later', run_in_background: true } }] };
}

const { setting } = startModel(script);

/** Plays a turn whose command goes on after it, and sees that what it writes then is the agent's. */
async function writesLater(stage: Scene, name: string, version: ProtocolVersion): Promise<void> {
  const { workbench, chat, openChat, screenshot } = stage;
  await openChat();
  await chat.send('Start the command in the background.');
  await allowAll(chat);
  const strip = chat.page.getByRole('region', { name: 'Still running' });
  await strip.getByText(/^1 (background )?(command|task)/).waitFor();
  await until(() => existsSync(workbench.file('started')), 'The command did not start.');
  await screenshot(`${name}-late-${version}`);
  const changed = chat.page.getByRole('list', { name: 'Changed files' });
  await changed.getByText('started').waitFor({ state: 'attached' });
  await writeFile(workbench.file('go'), '');
  await changed.getByText('late.txt').waitFor({ state: 'attached' });
  // Claude then goes on by itself for a moment.
  await strip.waitFor({ state: 'detached', timeout: 60_000 });
  await workbench.openFile('late.txt');
  const keep = workbench.lens('Keep').first();
  assert.equal(await keep.getAttribute('title'), `Keep this change by ${nameIn(version, name)}`);
  await untilAgreed(stage, name, version);
}

for (const [version, words] of bothVersions) {
  scene(
    `a background command of Claude leaves changes to review${words}`,
    { agents: setting('claude', version), files: { 'notes.md': 'notes\n' }, timeoutMs: 180_000 },
    (stage) => writesLater(stage, 'Claude', version),
  );
}

for (const [version, words] of bothVersions) {
  scene(
    `a background command of Codex leaves changes to review${words}`,
    { agents: setting('codex', version), files: { 'notes.md': 'notes\n' }, timeoutMs: 180_000 },
    (stage) => writesLater(stage, 'Codex', version),
  );
}

scene(
  "stops Claude's background command separately in version 2",
  { agents: setting('claude', 'auto'), files: { 'notes.md': 'notes\n' }, timeoutMs: 180_000 },
  async ({ workbench, chat, openChat, screenshot }) => {
    await openChat();
    await chat.send('Start the command in the background.');
    await allowAll(chat);
    await until(() => existsSync(workbench.file('started')), 'The command did not start.');
    const strip = chat.page.getByRole('region', { name: 'Still running' });
    await strip.getByRole('button', { name: '1 background task is running' }).click();
    await screenshot('claude-background');
    await strip
      .getByRole('listitem')
      .getByRole('button', { name: /^Stop touch started/ })
      .click();
    // Nothing else ends it: the file that it waits for is missing.
    await strip.waitFor({ state: 'detached', timeout: 60_000 });
    assert.equal(existsSync(workbench.file('go')), false);
    assert.equal(await chat.article('Notice').filter({ hasText: 'couldn’t stop' }).count(), 0);
  },
);
