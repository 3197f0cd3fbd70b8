import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inRoot } from '../root.mjs';
import { scene } from './harness';
import { until } from './poll';
import { waitingChanges } from './reviewParts';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };

scene(
  'a session in a worktree changes and reviews files there, not here',
  {
    agents,
    files: { 'a.txt': 'old\n', '.gitignore': '.env\n', '.env': 'KEY=1\n' },
    settings: { 'parley.worktrees.setup': 'git log -1 --format=%s' },
  },
  async ({ workbench, chat, openChat, screenshot }) => {
    const { page, folder } = workbench;
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
    git('init', '-q', '-b', 'main');
    git('config', 'user.name', 'Me');
    git('config', 'user.email', 'me@example.com');
    git('add', '.');
    git('commit', '-qm', 'First');
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
      await chat.page.getByRole('button', { name: `Folder: session · parley/session` }).waitFor();
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
