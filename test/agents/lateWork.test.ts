import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { until } from '../e2e/poll';
import { agentScene, untilAgreed, untilLenses, type AgentScene } from './agentScene';
import { startsInBackground } from './backgroundCommand';
import { allowAll, bothVersions, nameIn, startModel, type ProtocolVersion } from './support';

const { setting } = startModel(startsInBackground);

/** Plays a turn whose command goes on after it, and sees that what it writes then is the agent's. */
async function writesLater(scene: AgentScene, name: string, version: ProtocolVersion): Promise<void> {
  const { chat, file } = scene;
  await chat.send('Start the command in the background.');
  await allowAll(chat);
  const strip = chat.page.getByRole('region', { name: 'Still running' });
  await strip.getByText(/^1 (background )?(command|task)/).waitFor();
  await until(() => existsSync(file('started')), 'The command did not start.');
  const changed = chat.page.getByRole('list', { name: 'Changed files' });
  await changed.getByText('started').waitFor({ state: 'attached' });
  await writeFile(file('go'), '');
  await changed.getByText('late.txt').waitFor({ state: 'attached' });
  // Claude then goes on by itself for a moment.
  await strip.waitFor({ state: 'detached', timeout: 60_000 });
  const [keep] = await untilLenses(scene, 'late.txt', 'Keep', 1);
  assert.equal(keep?.tooltip, `Keep this change by ${nameIn(version, name)}`);
  await untilAgreed(scene, version);
}

for (const [version, words] of bothVersions) {
  agentScene(
    version,
    `a background command of Claude leaves changes to review${words}`,
    { agents: setting('claude', version), files: { 'notes.md': 'notes\n' } },
    (scene) => writesLater(scene, 'Claude', version),
  );
}

// With version 1, Codex is played in a window (test/e2e/agents).
for (const [version, words] of bothVersions.slice(1)) {
  agentScene(
    version,
    `a background command of Codex leaves changes to review${words}`,
    { agents: setting('codex', version), files: { 'notes.md': 'notes\n' } },
    (scene) => writesLater(scene, 'Codex', version),
  );
}

agentScene(
  'auto',
  "stops Claude's background command separately in version 2",
  { agents: setting('claude', 'auto'), files: { 'notes.md': 'notes\n' } },
  async ({ chat, file }) => {
    await chat.send('Start the command in the background.');
    await allowAll(chat);
    await until(() => existsSync(file('started')), 'The command did not start.');
    const strip = chat.page.getByRole('region', { name: 'Still running' });
    await strip.getByRole('button', { name: '1 background task is running' }).click();
    await strip
      .getByRole('listitem')
      .getByRole('button', { name: /^Stop touch started/ })
      .click();
    // Nothing else ends it: the file that it waits for is missing.
    await strip.waitFor({ state: 'detached', timeout: 60_000 });
    assert.equal(existsSync(file('go')), false);
    assert.equal(await chat.article('Notice').filter({ hasText: 'couldn’t stop' }).count(), 0);
  },
);
