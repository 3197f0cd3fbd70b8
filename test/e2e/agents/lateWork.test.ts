import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { startsInBackground } from '../../agents/backgroundCommand';
import { allowAll, startModel } from '../../agents/support';
import { scene } from '../harness';
import { until } from '../poll';

const { setting } = startModel(startsInBackground);

scene(
  'a background command of Codex leaves changes to review',
  { agents: setting('codex'), files: { 'notes.md': 'notes\n' }, timeoutMs: 180_000 },
  async ({ workbench, chat, openChat, screenshot }) => {
    await openChat();
    await chat.send('Start the command in the background.');
    await allowAll(chat);
    const strip = chat.page.getByRole('region', { name: 'Still running' });
    await strip.getByText(/^1 (background )?(command|task)/).waitFor();
    await until(() => existsSync(workbench.file('started')), 'The command did not start.');
    await screenshot('Codex-late');
    const changed = chat.page.getByRole('list', { name: 'Changed files' });
    await changed.getByText('started').waitFor({ state: 'attached' });
    await writeFile(workbench.file('go'), '');
    await changed.getByText('late.txt').waitFor({ state: 'attached' });
    await strip.waitFor({ state: 'detached', timeout: 60_000 });
    await workbench.openFile('late.txt');
    const keep = workbench.lens('Keep').first();
    assert.equal(await keep.getAttribute('title'), 'Keep this change by Codex');
  },
);
