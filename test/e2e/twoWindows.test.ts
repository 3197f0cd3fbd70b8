// Two windows of one user, as two browser pages of one server: each has its own extension host, and both have the same storage.
import assert from 'node:assert/strict';
import { inRoot } from '../root.mjs';
import { Workbench } from '../workbench/workbench.mjs';
import { Chat } from './chat';
import { scene, type Scene } from './harness';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };

/** Opens a second window of the same user, with this folder. */
async function secondWindow({ workbench, server }: Scene, folder: string) {
  const browser = workbench.page.context().browser() ?? assert.fail('The window has no browser.');
  const window = await Workbench.open(browser, server, folder, { stillness: true });
  return { window, chat: new Chat(window.chatView()) };
}

const agentProcesses = async ({ server }: Scene) =>
  (await server.processes()).filter(({ command }) => command.includes('doesAsTold.mjs')).length;

for (const [words, folderOf] of [
  ['another folder', ({ server }: Scene) => server.workspace()],
  ['the same folder', ({ workbench }: Scene) => Promise.resolve(workbench.folder)],
] as const) {
  scene(
    `a window with ${words} lists a waiting session and leads to it`,
    { agents, files: { 'a.txt': 'a' } },
    async (stage) => {
      const { workbench, chat, openChat } = stage;
      await openChat();
      const outside = { fs: `${workbench.folder}/../outside.txt`, text: 'a' };
      await chat.send(JSON.stringify([outside]));
      await chat.permission('Write').waitFor();
      await workbench.secondarySideBar().getByRole('button', { name: 'New Session' }).first().click();
      await chat.page.getByRole('tab', { selected: true }).getByText('New session').waitFor();

      const other = await secondWindow(stage, await folderOf(stage));
      await other.window.runCommand('Parley: Sessions');
      const list = other.chat.page.getByRole('listbox', { name: 'Sessions', exact: true });
      const row = list.getByRole('option').filter({ hasText: 'in another window' });
      const waiting = list
        .getByRole('group', { name: 'Needs you' })
        .getByRole('option')
        .filter({ hasText: 'Wants to' });
      await waiting.and(row).waitFor();
      await other.window.screenshot('e2e/two-windows');
      await row.click();
      await other.window.notification('This session is open in the window of “workspace”, which shows it now.');
      await chat.permission('Write').waitFor();
      assert.equal(await row.count(), 1);
      assert.equal(await other.chat.transcript.count(), 0, 'The session is shown once.');
      assert.equal(await agentProcesses(stage), 1, 'The agent runs once.');

      await chat.answer('Write', 'Allow once');
      await row.filter({ hasNotText: 'Wants to' }).waitFor();
      await other.window.close();
      assert.deepEqual(other.window.problems, []);
      await workbench.runCommand('Parley: Close Session');
      await chat.page.getByRole('tab').first().waitFor({ state: 'detached' });
    },
  );
}
