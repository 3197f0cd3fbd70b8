import { readFile } from 'node:fs/promises';
import { Uri, workspace } from '../unit-support/vscode';
import { until } from '../e2e/poll';
import type { FakeDocument } from '../unit-support/fakeDocuments';
import { agentScene, untilAgreed, untilLenses, type AgentScene } from './agentScene';
import { after, before, changesFiles, names, type Name } from './reviewedChanges';
import { allowAll, bothVersions, startModel } from './support';

let folder = '';

const { setting } = startModel((request) => changesFiles(request, folder));

/** Resolves when the files on disk hold this. */
async function untilOnDisk({ file }: AgentScene, wanted: Record<Name, string>): Promise<void> {
  const found = { ...wanted };
  await until(
    async () => {
      for (const name of names) found[name] = await readFile(file(name), 'utf8');
      return names.every((name) => found[name] === wanted[name]);
    },
    () => JSON.stringify(found),
  );
}

// With version 1, this is played in a window, where the editor draws its rows (test/e2e/agents).
for (const [version, words] of bothVersions.slice(1)) {
  agentScene(
    version,
    `keeps, undoes, edits, and restores Claude's direct changes${words}`,
    { agents: setting('claude', version), files: before },
    async (scene) => {
      const { chat, file } = scene;
      ({ folder } = scene);
      await chat.send('Please change all three files.');
      await allowAll(chat);
      await untilOnDisk(scene, after);

      const [keep] = await untilLenses(scene, 'a.txt', 'Keep', 2);
      await keep?.press();
      await untilLenses(scene, 'a.txt', 'Keep', 1);
      // A keep writes nothing: all that the agent wrote is there to the byte.
      await untilOnDisk(scene, after);
      const [undo] = await untilLenses(scene, 'a.txt', 'Undo', 1);
      await undo?.press();
      await untilLenses(scene, 'a.txt', 'Keep', 0);
      const reviewed = { ...after, 'a.txt': before['a.txt'].replace('a 2\n', 'a two\n') };
      await untilOnDisk(scene, reviewed);

      await untilLenses(scene, 'c.txt', 'Keep', 1);
      const edited = { ...reviewed, 'c.txt': after['c.txt'].replace('c 20\n', 'c 20 by hand\n') };
      const open = workspace.textDocuments as unknown as readonly FakeDocument[];
      const document = open.find(({ uri }) => uri.toString() === Uri.file(file('c.txt')).toString());
      document?.type(edited['c.txt']);
      await document?.save();
      await untilOnDisk(scene, edited);

      const you = chat.article('You').first();
      await you.hover();
      await you.getByRole('button', { name: 'Restore files to this point' }).click();
      const preview = chat.page.getByRole('group', { name: 'Restore files' });
      await preview.waitFor();
      // The user's own line is not given up unasked.
      await preview.getByRole('button', { name: 'Restore', exact: true }).click();
      await untilOnDisk(scene, { ...before, 'a.txt': edited['a.txt'], 'c.txt': edited['c.txt'] });
      await chat.page.getByRole('button', { name: 'Undo restore' }).click();
      const undone = chat.article('Notice').filter({ hasText: 'Undid the restore' });
      await undone.waitFor();
      await untilOnDisk(scene, edited);
      await untilLenses(scene, 'b.txt', 'Keep', 1);

      await you.hover();
      await you.getByRole('button', { name: 'Restore files to this point' }).click();
      await preview.getByRole('checkbox').first().waitFor();
      for (const box of await preview.getByRole('checkbox').all()) await box.check();
      await preview.getByRole('button', { name: 'Restore', exact: true }).click();
      await untilOnDisk(scene, before);
      await chat.page.getByRole('button', { name: 'Undo restore' }).click();
      await undone.nth(1).waitFor();
      await untilOnDisk(scene, edited);
      await untilAgreed(scene, version);
    },
  );
}
