import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inRoot } from '../root.mjs';
import type { Server } from '../workbench/server.mjs';
import type { Workbench } from '../workbench/workbench.mjs';
import { until } from './poll';
import { changeIsMarked, inSourceControl } from './reviewParts';
import { scene } from './harness';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };
const before = Array.from({ length: 400 }, (_, at) => `line ${at + 1}\n`).join('');
const after = before.replace('line 3\n', 'line three\n').replace('line 30\n', 'line thirty\nand more\n');

const count = async (workbench: Workbench, name: string, wanted: number) => {
  if (wanted > 0)
    await workbench
      .lens(name)
      .nth(wanted - 1)
      .waitFor();
  await workbench.lens(name).nth(wanted).waitFor({ state: 'detached' });
};

/** What the second turn makes of the file. */
const last = after.replace('line 12\n', 'line twelve\n').replace('thirty', 'thirty again');
/** Files that the second turn creates: so many that a host can be killed while they go. */
const many = Array.from({ length: 400 }, (_, at) => `many/${at}.txt`);

/** Bytes of a file; undefined when there is none. */
const bytes = (path: string) => readFile(path, 'utf8').catch(() => undefined);

/** Resolves when something in the folder changes from now on. */
function change(folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const watcher = watch(folder, { persistent: false }, () => {
      watcher.close();
      resolve();
    });
    watcher.once('error', reject);
  });
}

/** Resolves once a review record on disk names this file. */
async function untilStored(server: Server, path: string): Promise<void> {
  const folder = join(dirname(server.settingsFile), '..', 'User');
  const uri = pathToFileURL(path).href;
  await until(async () => {
    const names = (await readdir(folder, { recursive: true })).filter((name) => /review.*\.json$/.test(name));
    const texts = await Promise.all(names.map(async (name) => (await bytes(join(folder, name))) ?? ''));
    return texts.some((text) => text.includes(uri));
  }, 'The change was not stored.');
}

/** What ends the extension host that runs now, the hard way. */
async function killerOfHost(server: Server): Promise<() => void> {
  const host = (await server.processes()).find(({ command }) => command.includes('--type=extensionHost'));
  assert.ok(host);
  return () => void process.kill(host.pid, 'SIGKILL');
}

scene(
  'pending changes and restore undos survive a reload and a crash',
  { agents, files: { 'a.txt': before, 'b.txt': 'old\n' } },
  async ({ workbench, server, chat, openChat, screenshot }) => {
    await openChat();
    const path = join(workbench.folder, 'a.txt');
    const notice = (text: string) => chat.article('Notice').filter({ hasText: text });
    const undoRestore = chat.button('Undo restore');
    const there = async () => {
      const found = await Promise.all(many.map((name) => bytes(join(workbench.folder, name))));
      return found.filter((text) => text === 'made\n').length;
    };
    /** Opens what a restore to before the second message would do. */
    const previewRestore = async () => {
      const message = chat.article('You').nth(1);
      await message.hover();
      await message.getByRole('button', { name: 'Restore files to this point' }).click();
      return chat.page.getByRole('group', { name: 'Restore files' });
    };
    const restore = async () => {
      const preview = await previewRestore();
      await preview.getByRole('button', { name: 'Restore', exact: true }).click();
    };

    const [kept, undone] = [join(workbench.folder, 'kept.txt'), join(workbench.folder, 'undone.txt')];
    const others = [kept, undone].map((name) => ({ write: name, text: 'by the agent\n' }));
    await chat.submit(JSON.stringify([{ write: path, text: after }, ...others]));
    await workbench.openFile('a.txt');
    await count(workbench, 'Keep', 2);
    await changeIsMarked(workbench, 'line three', 'line 2');
    await screenshot('review-lenses');
    await inSourceControl(workbench);
    await access(kept);
    await assert.rejects(access(undone), { code: 'ENOENT' });
    await workbench.lens('Keep').first().click();
    await count(workbench, 'Keep', 1);
    const make = `mkdir many; for i in $(seq 0 ${many.length - 1}); do echo made > many/$i.txt; done`;
    const where = JSON.stringify(workbench.folder);
    await chat.submit(JSON.stringify([{ write: path, text: last }, { shell: `cd ${where} && ${make}` }]));
    await chat.untilIdle();
    // The editor went on to the next change, below.
    await workbench.openFile('a.txt', 1);
    await count(workbench, 'Keep', 2);
    // Whatever is in the preview is stored when the window closes.
    const preview = await previewRestore();
    await preview.getByText('401 files').waitFor();
    await preview.getByRole('button', { name: 'Cancel' }).click();
    await workbench.reload();
    await workbench.openFile('a.txt', 1);
    await count(workbench, 'Keep', 2);
    await openChat();

    // The host dies in the middle of a restore, with one file half written.
    const begun = change(join(workbench.folder, 'many'));
    const kill = await killerOfHost(server);
    await restore();
    await begun;
    kill();
    await writeFile(path, after.slice(0, 50));
    const left = await there();
    assert.ok(left > 0, 'The restore was over before the host was killed.');
    await notice('The window closed while files were being restored to before').waitFor();
    await screenshot('restore-cut-off');
    await undoRestore.click();
    await notice('Undid the restore of 401 files').waitFor();
    assert.deepEqual([await bytes(path), await there()], [last, many.length]);
    await workbench.openFile('a.txt');
    await count(workbench, 'Keep', 2);

    // What waited before the turn waits again, though this window has not seen it; then the host dies in the middle of a turn.
    await restore();
    await notice('Restored 401 files to before').waitFor();
    assert.deepEqual([await bytes(path), await there()], [after, 0]);
    await count(workbench, 'Keep', 1);
    assert.match((await workbench.lens('Keep').first().getAttribute('title')) ?? '', /^Keep this change by Told$/);
    const third = JSON.stringify([{ write: join(workbench.folder, 'b.txt'), text: 'new\n' }, { shell: 'sleep 60' }]);
    await chat.submit(third);
    await chat.page.getByRole('list', { name: 'Changed files' }).getByText('b.txt').waitFor({ state: 'attached' });
    // The list comes first, and what isn't stored yet can't survive.
    await untilStored(server, join(workbench.folder, 'b.txt'));
    (await killerOfHost(server))();
    await notice('The window closed while Told was working').waitFor();
    await workbench.openFile('b.txt');
    await count(workbench, 'Keep', 1);
    await workbench.openFile('a.txt');
    await workbench.page.locator('.view-line', { hasText: 'line 29' }).waitFor();
    await count(workbench, 'Keep', 1);
    await undoRestore.click();
    await notice('Undid the restore of 401 files').nth(1).waitFor();
    assert.deepEqual([await bytes(path), await there()], [last, many.length]);
    await count(workbench, 'Keep', 2);
    for (const one of await workbench.lens('Keep').all()) {
      assert.match((await one.getAttribute('title')) ?? '', /^Keep this change by Told$/);
    }
    await workbench.runCommand('Parley: Undo File');
    await workbench.page.locator('.part.editor .tab.active', { hasText: 'b.txt' }).waitFor();
    // The editor saves a moment after it shows the text.
    await workbench.page.locator('.tabs-container .tab.dirty').waitFor({ state: 'detached' });
    assert.equal(await bytes(path), before.replace('line 3\n', 'line three\n'));
  },
);
