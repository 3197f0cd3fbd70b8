import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { inRoot } from '../root.mjs';
import { scene } from './harness';

const agent = { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'saysMuch.mjs')] };

scene(
  'finds an unloaded message and exports the session without secrets',
  { agents: { Guide: agent }, settings: { 'parley.defaultAgent': 'Guide' } },
  async (scene) => {
    const { workbench, chat, openChat } = scene;
    await openChat();
    await chat.send('Go through all steps');
    await chat.untilText(chat.article('Guide').last(), 'Done with all steps.');
    await chat.untilIdle();
    const needle = chat.article('Guide').filter({ hasText: 'The needle is here' });
    await needle.waitFor({ state: 'detached' });
    await chat.message.press('Control+f');
    const field = chat.page.getByRole('textbox', { name: 'Find', exact: true });
    await field.and(chat.page.locator(':focus')).waitFor();
    assert.equal(
      await workbench.page.locator('.simple-find-part.visible').count(),
      0,
      'VS Code’s own widget stays away.',
    );
    await field.fill('needle');
    await chat.page.getByRole('search').getByText('1 of 1', { exact: true }).waitFor();
    await needle.waitFor();
    await scene.screenshot('find');
    await field.press('Escape');
    await needle.and(chat.page.locator(':focus')).waitFor();

    await workbench.runCommand('Parley: Go to Turn…');
    const turns = workbench.page.locator('.quick-input-widget:visible');
    await turns.locator('.monaco-list-row', { hasText: 'Go through all steps' }).waitFor();
    await scene.screenshot('outline');
    await turns.locator('.monaco-list-row', { hasText: 'Go through all steps' }).click();
    await chat.article('You').and(chat.page.locator(':focus')).waitFor();

    await workbench.runCommand('Parley: Export Session…');
    const list = workbench.page.locator('.quick-input-widget:visible');
    await list.locator('.monaco-list-row', { hasText: 'Markdown' }).waitFor();
    await scene.screenshot('export-choice');
    await list.locator('.monaco-list-row', { hasText: 'Markdown' }).click();
    const place = list.locator('input[type="text"]');
    // The editor proposes the folder first, then the name.
    await workbench.page.waitForFunction(() =>
      [...document.querySelectorAll('.quick-input-widget input')].some((input) =>
        (input as HTMLInputElement).value.endsWith('.md'),
      ),
    );
    await place.press('Enter');
    await workbench.page.locator('.statusbar-item', { hasText: 'Saved as' }).waitFor();
    const names = await readdir(workbench.file('.'));
    const name = names.find((file) => file.startsWith('Go through all steps') && file.endsWith('.md'));
    assert.ok(name, names.join(', '));
    const text = await readFile(workbench.file(name), 'utf8');
    assert.match(text, /The \*\*needle\*\* is here\. GUIDE_TOKEN=\[redacted\]/);
    assert.match(text, /- Step 900 \(completed\)/);
    assert.doesNotMatch(text, /hush-hush-4711/);

    // A closed session is exported from the list, without opening it and starting its agent.
    await workbench.runCommand('Parley: Close Session');
    await chat.article('You').waitFor({ state: 'detached' });
    await workbench.runCommand('Parley: Sessions');
    const sessions = chat.page.getByRole('listbox', { name: 'Sessions' });
    const row = sessions.getByRole('option', { name: /^Go through all steps/ });
    await row.click({ button: 'right' });
    await scene.screenshot('export-closed');
    await chat.page.getByRole('menuitem', { name: 'Export…' }).click();
    await list.locator('.monaco-list-row', { hasText: 'JSON' }).click();
    await workbench.page.waitForFunction(() =>
      [...document.querySelectorAll('.quick-input-widget input')].some((input) =>
        (input as HTMLInputElement).value.endsWith('.json'),
      ),
    );
    await place.press('Enter');
    await workbench.page.locator('.statusbar-item', { hasText: '.json' }).waitFor();
    assert.equal(await chat.article('You').count(), 0);
    const file = (await readdir(workbench.file('.'))).find(
      (one) => one.startsWith('Go through') && one.endsWith('.json'),
    );
    const saved = JSON.parse(await readFile(workbench.file(file ?? ''), 'utf8')) as {
      format: string;
      turns: { end?: { outcome: string } }[];
    };
    assert.equal(saved.format, 'parley-session');
    assert.equal(saved.turns.at(-1)?.end?.outcome, 'completed');
    await sessions.press('Escape');
    await sessions.waitFor({ state: 'detached' });
  },
);
