import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '../root.mjs';
import { scene } from './harness';
import { waitingChanges } from './reviewParts';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };

scene(
  "opens, keeps, and undoes an agent's changes from the chat",
  { agents, files: { 'a.txt': 'one\ntwo\n', 'src/b.txt': 'old\n' } },
  async ({ workbench, chat, openChat, screenshot }) => {
    await openChat();
    const [a, b, c] = ['a.txt', 'src/b.txt', 'c.txt'].map((name) => join(workbench.folder, name));
    assert.ok(a && b && c);
    const steps = [
      { write: a, text: 'one\nTWO\nthree\n' },
      { write: b, text: 'new\n' },
      { write: c, text: 'fresh\n' },
    ];
    await chat.submit(JSON.stringify(steps));
    await chat.untilIdle();
    await chat.page.getByRole('group', { name: 'End of turn' }).getByRole('button', { name: 'More' }).click();
    await chat.page.getByRole('menuitem', { name: 'Show changed files' }).click();
    await chat.page
      .getByRole('button', { name: /^3 files/ })
      .filter({ hasText: '+4 −2' })
      .waitFor();
    const rows = chat.page.getByRole('list', { name: 'Changed files' }).getByRole('listitem');
    assert.equal(await rows.count(), 3);
    await screenshot('changed-files');
    // The turn's own row has a button as well.
    await chat.page.getByRole('button', { name: 'Review', exact: true }).last().click();
    await workbench.page.getByRole('tab', { name: 'Told: 3 of 3 files left' }).waitFor();
    await screenshot('changed-files-review');
    await rows.filter({ hasText: 'b.txt' }).hover();
    await chat.page.getByRole('button', { name: 'Compare b.txt', exact: true }).click();
    await workbench.page.getByRole('tab', { name: /b\.txt \(agent changes\)/ }).waitFor();
    // The chip of the file that is shown now moves the rows.
    await chat.page.locator('.chips').getByText('b.txt').waitFor();
    await rows.filter({ hasText: 'b.txt' }).hover();
    await chat.page.getByRole('button', { name: 'Keep b.txt', exact: true }).click();
    await rows.filter({ hasText: 'b.txt' }).waitFor({ state: 'detached' });
    await chat.page.getByRole('button', { name: 'Undo all', exact: true }).click();
    await rows.first().waitFor({ state: 'detached' });
    await workbench.page.locator('.tabs-container .tab.dirty').waitFor({ state: 'detached' });
    assert.deepEqual([await readFile(a, 'utf8'), await readFile(b, 'utf8')], ['one\ntwo\n', 'new\n']);
    await assert.rejects(access(c), { code: 'ENOENT' });
    await waitingChanges(workbench).waitFor({ state: 'hidden' });
  },
);
