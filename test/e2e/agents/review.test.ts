import { readFile } from 'node:fs/promises';
import { after, before, changesFiles, names, type Name } from '../../agents/reviewedChanges';
import { allowAll, startModel } from '../../agents/support';
import type { Workbench } from '../../workbench/workbench.mjs';
import { scene } from '../harness';
import { until } from '../poll';

let folder = '';

const { setting } = startModel((request) => changesFiles(request, folder));

/** Resolves when the files on disk hold this; the editor saves a moment after it shows. */
async function untilOnDisk(workbench: Workbench, wanted: Record<Name, string>): Promise<void> {
  const found = { ...wanted };
  await until(
    async () => {
      for (const name of names) found[name] = await onDisk(workbench, name);
      return names.every((name) => found[name] === wanted[name]);
    },
    () => JSON.stringify(found),
  );
}

function onDisk(workbench: Workbench, name: Name): Promise<string> {
  return readFile(workbench.file(name), 'utf8');
}

/** Shows a file and resolves when so many of its changes wait for the user. */
async function open(workbench: Workbench, name: Name, changes: number) {
  await workbench.openFile(name);
  await workbench.page.locator('.view-line', { hasText: `${name.charAt(0)} 20` }).waitFor();
  const keeps = workbench.lens('Keep');
  if (changes > 0) await keeps.nth(changes - 1).waitFor();
  await keeps.nth(changes).waitFor({ state: 'detached' });
  return {
    keep: (at: number) => keeps.nth(at).click(),
    undo: (at: number) => workbench.lens('Undo').nth(at).click(),
  };
}

scene(
  "keeps, undoes, edits, and restores Claude's direct changes",
  { agents: setting('claude'), files: before, timeoutMs: 240_000 },
  async ({ workbench, chat, openChat, screenshot }) => {
    folder = workbench.folder;
    await openChat();
    await chat.send('Please change all three files.');
    await allowAll(chat);
    await untilOnDisk(workbench, after);

    const a = await open(workbench, 'a.txt', 2);
    await screenshot('claude-review');
    await a.keep(0);
    const second = await open(workbench, 'a.txt', 1);
    // A keep writes nothing: all that the agent wrote is there to the byte.
    await untilOnDisk(workbench, after);
    await second.undo(0);
    await open(workbench, 'a.txt', 0);
    const reviewed = { ...after, 'a.txt': before['a.txt'].replace('a 2\n', 'a two\n') };
    await untilOnDisk(workbench, reviewed);

    await open(workbench, 'c.txt', 1);
    await workbench.page.locator('.view-line', { hasText: 'c 20' }).click();
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.type(' by hand');
    await workbench.page.keyboard.press('Control+s');
    const edited = { ...reviewed, 'c.txt': after['c.txt'].replace('c 20\n', 'c 20 by hand\n') };
    await untilOnDisk(workbench, edited);

    const you = chat.article('You').first();
    await you.hover();
    await you.getByRole('button', { name: 'Restore files to this point' }).click();
    const preview = chat.page.getByRole('group', { name: 'Restore files' });
    await preview.waitFor();
    await screenshot('claude-restore');
    // The user's own line is not given up unasked.
    await preview.getByRole('button', { name: 'Restore', exact: true }).click();
    await untilOnDisk(workbench, { ...before, 'a.txt': edited['a.txt'], 'c.txt': edited['c.txt'] });
    await chat.page.getByRole('button', { name: 'Undo restore' }).click();
    const undone = chat.article('Notice').filter({ hasText: 'Undid the restore' });
    await undone.waitFor();
    await untilOnDisk(workbench, edited);
    await open(workbench, 'b.txt', 1);

    await you.hover();
    await you.getByRole('button', { name: 'Restore files to this point' }).click();
    await preview.getByRole('checkbox').first().waitFor();
    for (const box of await preview.getByRole('checkbox').all()) await box.check();
    await preview.getByRole('button', { name: 'Restore', exact: true }).click();
    await untilOnDisk(workbench, before);
    await chat.page.getByRole('button', { name: 'Undo restore' }).click();
    await undone.nth(1).waitFor();
    await untilOnDisk(workbench, edited);
  },
);
