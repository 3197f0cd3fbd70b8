import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '../root.mjs';
import { scene } from './harness';
import { until } from './poll';
import { commitAll } from './repository';

const start = `const add = (a, b) => a - b;

const first = 1;
const second = 2;

const double = (a) => a;

if (add(first, second) !== 3 || double(3) !== 6) process.exit(1);
`;
const fixture = inRoot('test', 'fixtures', 'agents', 'tries.mjs');
const agent = (from: string, to: string) => ({
  command: process.execPath,
  args: [fixture],
  env: { TRY_FILE: 'sums.mjs', TRY_FROM: from, TRY_TO: to },
});

scene(
  'takes changes of two of three tries in one file',
  {
    agents: {
      Adder: agent('a - b', 'a + b'),
      Doubler: agent('(a) => a;', '(a) => a * 2;'),
      Renamer: agent('const first = 1;\n', 'const first = 1.0;\n'),
    },
    files: { 'sums.mjs': start },
  },
  async ({ workbench, openChat, screenshot }) => {
    const { page, folder } = workbench;
    const git = commitAll(workbench);
    const around = `${folder}.worktrees`;
    const sums = () => readFile(join(folder, 'sums.mjs'), 'utf8');
    const becomes = (text: string) => until(async () => (await sums()) === text, sums);
    try {
      await openChat();
      await workbench.runCommand('Parley: Try With…');
      const input = page.locator('.quick-input-widget:visible');
      await input.getByText('Each try starts with this message.').waitFor();
      await page.keyboard.type('Fix the sums');
      await page.keyboard.press('Enter');
      for (const [at, name] of ['Adder', 'Doubler', 'Renamer'].entries()) {
        await input.getByPlaceholder(`Select the agent or preset for try ${at + 1} of at most 4`).waitFor();
        await workbench.pick(name);
      }
      await workbench.pick('Start 3 tries');
      await input.getByText('Command that checks each try.').waitFor();
      await page.keyboard.type(`"${process.execPath}" sums.mjs`);
      await page.keyboard.press('Enter');

      const compare = workbench.editorView();
      await compare.getByRole('heading', { name: 'Compare 3 tries' }).waitFor();
      await compare.getByText('Failed, exit 1').nth(2).waitFor();
      await screenshot('tries');
      assert.equal(await sums(), start);

      await compare.getByRole('button', { name: 'Compare sums.mjs from Adder' }).click();
      const first = compare.getByRole('group', { name: /^Difference 1 of 2, line 1\b/ });
      await first.getByRole('button', { name: 'Take Adder’s' }).click();
      const added = start.replace('a - b', 'a + b');
      await becomes(added);
      await compare.getByRole('group', { name: /^Difference 1 of 2, .*taken from Adder$/ }).waitFor();
      const second = compare.getByRole('group', { name: /^Difference 2 of 2, line 6\b/ });
      await second.getByRole('button', { name: 'Take Doubler’s' }).click();
      await becomes(added.replace('(a) => a;', '(a) => a * 2;'));
      await compare.getByRole('group', { name: /^Difference 2 of 2, .*taken from Doubler$/ }).waitFor();
      await screenshot('tries-taken');
      assert.equal(spawnSync(process.execPath, [join(folder, 'sums.mjs')]).status, 0);

      await compare.getByRole('button', { name: 'Clean up…' }).click();
      const list = compare.getByRole('group', { name: 'Delete the worktrees of 3 tries?' });
      await list.getByText('Not taken: sums.mjs').first().waitFor();
      await screenshot('tries-clean-up');
      await list.getByRole('button', { name: 'Delete 3 worktrees' }).click();
      // A branch is removed after its worktree.
      const branches = () => git('branch', '--format=%(refname:short)').trim();
      await until(() => branches() === 'main', branches);
      assert.equal(git('worktree', 'list').trim().split('\n').length, 1);
      assert.equal(await sums(), added.replace('(a) => a;', '(a) => a * 2;'));
      // The next test waits until nothing is left in Source Control.
      git('commit', '-aqm', 'Taken');
    } finally {
      await rm(around, { recursive: true, force: true });
    }
  },
);
