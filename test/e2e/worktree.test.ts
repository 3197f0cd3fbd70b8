import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inRoot } from '../root.mjs';
import { scene } from './harness';
import { until } from './poll';
import { commitAll } from './repository';
import { waitingChanges } from './reviewParts';

const told = { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] };
const agents = { Told: told };

scene(
  'a session in a worktree changes and reviews files there, not here',
  {
    agents,
    files: { 'a.txt': 'old\n', '.gitignore': '.env\n', '.env': 'KEY=1\n' },
    settings: { 'parley.worktrees.setup': 'git log -1 --format=%s' },
  },
  async ({ workbench, chat, openChat, screenshot }) => {
    const { page, folder } = workbench;
    const git = commitAll(workbench);
    const around = `${folder}.worktrees`;
    try {
      await openChat();
      await workbench.runCommand('Parley: New Session in Worktree…');
      await workbench.pick('Told');
      const picker = page.locator('.quick-input-widget:visible');
      await picker.getByText('Current commit').waitFor();
      await page.keyboard.press('Enter');
      await picker.getByText(/The worktree is created in/).waitFor();
      await screenshot('worktree-branch');
      await page.keyboard.press('Enter');
      await picker.getByText('may have secrets').waitFor();
      await page.keyboard.press('Enter');

      await chat.article('Notice').getByText('This session works in the worktree “session”').waitFor();
      const setup = chat.article('Tool call: Setup: git log -1 --format=%s');
      await setup.getByText('completed').waitFor({ state: 'attached' });
      const worktree = join(around, 'session');
      assert.deepEqual(await readFile(join(worktree, '.env'), 'utf8').catch(() => 'none'), 'none');

      await chat.submit(JSON.stringify([{ write: join(worktree, 'a.txt'), text: 'new\n' }]));
      await chat.untilIdle();
      await chat.page.getByText('Changed 1 file', { exact: true }).waitFor();
      await chat.page.getByRole('button', { name: 'Where: In parley/session' }).waitFor();
      await screenshot('worktree-changed');
      assert.equal(await readFile(join(folder, 'a.txt'), 'utf8'), 'old\n');
      assert.equal(await readFile(join(worktree, 'a.txt'), 'utf8'), 'new\n');

      await workbench.runCommand('Parley: Review Changes');
      const review = workbench.editorView();
      await review.getByRole('group', { name: 'Change 1 of 1, line 1' }).waitFor();
      await review.getByRole('button', { name: 'a.txt, session' }).waitFor();
      await screenshot('worktree-review');
      await page.keyboard.press('u');
      await until(
        async () => (await readFile(join(worktree, 'a.txt'), 'utf8')) === 'old\n',
        () => readFile(join(worktree, 'a.txt'), 'utf8'),
      );
      await waitingChanges(workbench).waitFor({ state: 'hidden' });
      assert.equal(git('status', '--short'), '');
      assert.match(git('worktree', 'list'), new RegExp(basename(around)));
    } finally {
      await rm(around, { recursive: true, force: true });
    }
  },
);

scene(
  'two agents at once change two worktrees, both merged with a conflict',
  {
    agents: { Ada: told, Ben: told },
    files: { 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n' },
    // Only what waits for review counts.
    settings: { 'git.countBadge': 'off' },
  },
  async ({ workbench, chat, openChat, screenshot }) => {
    const { page, folder } = workbench;
    const git = commitAll(workbench);
    const around = `${folder}.worktrees`;
    const own = () => readFile(join(folder, 'a.txt'), 'utf8');
    const becomes = (text: string) => until(async () => (await own()) === text, own);
    const picker = page.locator('.quick-input-widget:visible');
    const start = async (agent: string, name: string) => {
      await workbench.runCommand('Parley: New Session in Worktree…');
      await workbench.pick(agent);
      await picker.getByText('Current commit').waitFor();
      await page.keyboard.press('Enter');
      await picker.getByText(/The worktree is created in/).waitFor();
      await page.keyboard.press('Enter');
      await chat.article('Notice').getByText(`This session works in the worktree “${name}”`).waitFor();
      return join(around, name, 'a.txt');
    };
    const meeting = (name: string) => join(around, name);
    const change = (file: string, from: string, to: string) => ({ edit: file, from: `${from}\n`, to: `${to}\n` });
    try {
      await openChat();
      const adas = await start('Ada', 'session');
      // Neither of them changes a file before the other one works, too.
      await chat.submit(
        JSON.stringify([
          { write: meeting('Ada'), text: '' },
          { awaits: meeting('Ben') },
          change(adas, 'one', 'one by Ada'),
          change(adas, 'five', 'five by Ada'),
        ]),
      );
      await chat.untilBusy();
      const bens = await start('Ben', 'session-2');
      await chat.submit(
        JSON.stringify([
          { write: meeting('Ben'), text: '' },
          { awaits: meeting('Ada') },
          change(bens, 'five', 'five by Ben'),
          change(bens, 'nine', 'nine by Ben'),
        ]),
      );
      await chat.untilIdle();
      await chat.button('Bring changes here').click();
      await chat.article('Notice').getByText('Brought the changes in 1 file from “session-2”').waitFor();
      const bensText = 'one\ntwo\nthree\nfour\nfive by Ben\nsix\nseven\neight\nnine by Ben\n';
      assert.equal(await own(), bensText);

      await workbench.runCommand('Parley: Previous Session');
      await chat.article('Notice').getByText('This session works in the worktree “session”').waitFor();
      await chat.untilIdle();
      await chat.button('Bring changes here').click();
      const dialog = page.getByRole('dialog').filter({ hasText: '1 file has a conflict.' });
      await dialog.getByText('a.txt: you and the agent changed the same lines.').waitFor();
      await screenshot('worktree-conflict');
      await dialog.getByRole('button', { name: 'Resolve in Editor' }).click();
      await page.getByRole('tab', { name: /^Merging: a\.txt/ }).waitFor();
      await page.getByText('1 Conflict Remaining').waitFor();
      // What doesn't conflict is merged, and the conflict is only in the editor.
      const merged = bensText.replace('one', 'one by Ada');
      assert.equal(await own(), merged);
      await screenshot('worktree-merge-editor');
      await workbench.runCommand('Merge Editor: Accept All Incoming Changes from Left');
      await page.getByText('0 Conflicts Remaining').waitFor();
      await workbench.runCommand('Merge Editor: Complete Merge');
      await becomes(merged.replace('five by Ben', 'five by Ada'));
      await chat.article('Notice').getByText('Merged a.txt with “session”').waitFor();

      await workbench.runCommand('Parley: Review Changes');
      const review = workbench.editorView();
      const file = review.getByRole('article', { name: 'a.txt', exact: true });
      await file.getByRole('group', { name: /^Change 1 of 3, line 1/ }).waitFor();
      await file.getByRole('group', { name: /^Change 2 of 3, line 5/ }).waitFor();
      await screenshot('worktree-merged');
      const last = file.getByRole('group', { name: /^Change 3 of 3, line 9/ });
      await last.getByRole('button', { name: 'Undo' }).click();
      const kept = 'one by Ada\ntwo\nthree\nfour\nfive by Ada\nsix\nseven\neight\nnine\n';
      await becomes(kept);
      await workbench.runCommand('Parley: Keep All Changes');
      await waitingChanges(workbench).waitFor({ state: 'hidden' });
      assert.equal(await own(), kept);
      // The next test expects a window with one session at most, and nothing in Source Control.
      await workbench.runCommand('Parley: Close Session');
      await chat.article('Notice').getByText('This session works in the worktree “session-2”').waitFor();
      git('commit', '-aqm', 'Merged');
    } finally {
      await rm(around, { recursive: true, force: true });
    }
  },
);
