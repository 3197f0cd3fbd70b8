import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { inRoot } from '../root.mjs';
import { scene } from './harness';
import { waitingChanges } from './reviewParts';

const agents = { Told: { command: process.execPath, args: [inRoot('test', 'fixtures', 'agents', 'doesAsTold.mjs')] } };

scene(
  'commits by keyboard what the agent changed without a tool call',
  { agents, files: { 'a.txt': 'old\n', 'mine.txt': 'old\n' } },
  async ({ workbench, chat, openChat, screenshot }) => {
    const { page, folder } = workbench;
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
    git('init', '-q');
    git('config', 'user.name', 'Me');
    git('config', 'user.email', 'me@example.com');
    git('add', '.');
    git('commit', '-qm', 'First');
    await openChat();
    const steps = [{ write: join(folder, 'a.txt'), text: 'new\n' }];
    await chat.submit(JSON.stringify(steps));
    await chat.untilIdle();
    await chat.page.getByText('Changed 1 file', { exact: true }).waitFor();
    await workbench.runCommand('Parley: Keep All Changes');
    await chat.transcript.getByRole('button', { name: 'Review' }).waitFor({ state: 'detached' });
    execFileSync(process.execPath, ['-e', `require('fs').writeFileSync('mine.txt', 'mine\\n')`], { cwd: folder });

    await chat.button('Commit…').click();
    const picker = page.locator('.quick-input-widget:visible');
    await picker.getByText('Kept changes by Told').waitFor();
    await picker.getByText('1 Selected').waitFor();
    await screenshot('commit-files');
    await page.keyboard.press('Enter');
    await picker.getByText(/Commit 1 file to/).waitFor();
    await page.keyboard.type('Say it anew');
    await screenshot('commit-message');
    await page.keyboard.press('Enter');
    await page
      .getByText(/^Committed 1 file/)
      .first()
      .waitFor();
    assert.match(git('log', '-1', '--format=%s', '--name-only'), /^Say it anew\n\na\.txt\n$/);
    assert.equal(git('status', '--short'), ' M mine.txt\n');
    git('checkout', '-q', 'mine.txt');
    await waitingChanges(workbench).waitFor({ state: 'hidden' });
  },
);
