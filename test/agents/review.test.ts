import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scene } from '../e2e/harness';
import type { Workbench } from '../workbench/workbench.mjs';
import { until } from '../e2e/poll';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { allowAll, bothVersions, startModel, tool, untilAgreed } from './support';

const lines = (name: string) => Array.from({ length: 20 }, (_, at) => `${name} ${at + 1}\n`).join('');
const before = { 'a.txt': lines('a'), 'b.txt': lines('b'), 'c.txt': lines('c') };
/** What Claude makes of them: two changes, one, and one by a command. */
const after = {
  'a.txt': before['a.txt'].replace('a 2\n', 'a two\n').replace('a 15\n', 'a fifteen\n'),
  'b.txt': before['b.txt'].replace('b 9\n', 'b nine\nb nine and a half\n'),
  'c.txt': before['c.txt'].replace('c 5\n', 'c five\n'),
};
type Name = keyof typeof before;
const names = Object.keys(before) as Name[];

let folder = '';

function script(request: ModelRequest): ModelStep {
  const file_path = (name: Name) => join(folder, name);
  const write = (name: Name) => ({
    name: tool(request, 'Write'),
    input: { file_path: file_path(name), content: after[name] },
  });
  switch (request.rounds) {
    case 0:
      return {
        text: 'I read first.',
        calls: (['a.txt', 'b.txt'] as const).map((name) => ({
          name: tool(request, 'Read'),
          input: { file_path: file_path(name) },
        })),
      };
    case 1:
      return { calls: [write('a.txt')] };
    case 2:
      return { calls: [write('b.txt')] };
    case 3: {
      const command = `sed -i 's/^c 5$/c five/' '${file_path('c.txt')}'`;
      return { calls: [{ name: tool(request, 'Bash'), input: { command, description: 'Change a line' } }] };
    }
    default:
      return { text: 'All three are **changed**.' };
  }
}

const { setting } = startModel(script);

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

for (const [version, words] of bothVersions) {
  scene(
    `keeps, undoes, edits, and restores Claude's direct changes${words}`,
    { agents: setting('claude', version), files: before, timeoutMs: 240_000 },
    async (stage) => {
      const { workbench, chat, openChat, screenshot } = stage;
      folder = workbench.folder;
      await openChat();
      await chat.send('Please change all three files.');
      await allowAll(chat);
      await untilOnDisk(workbench, after);

      const a = await open(workbench, 'a.txt', 2);
      await screenshot(`claude-review-${version}`);
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
      await screenshot(`claude-restore-${version}`);
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
      await untilAgreed(stage, 'Claude', version);
    },
  );
}
