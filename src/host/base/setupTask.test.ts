import assert from 'node:assert/strict';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { editor, ProcessExecution, ShellExecution, tasks } from '../../../test/unit-support/vscode';
import { setupOfTask, taskOfSetup } from './setupTask';

const source = join('/', 'work', 'project');
const worktree = join('/', 'work', 'project.fix');

function offer(...all: readonly { name: string; execution: unknown; source?: string }[]): void {
  const found = all.map((one) => ({ source: 'Workspace', scope: 2, ...one }));
  Object.assign(tasks, { fetchTasks: () => Promise.resolve(found) });
}
const setup = () => setupOfTask('install', source, worktree);

beforeEach(() => editor.reset());

test('a setting names a task with its prefix', () => {
  assert.equal(taskOfSetup('task: npm: install'), 'npm: install');
  assert.equal(taskOfSetup('npm install'), undefined);
});

test('a task runs in the worktree instead of its source', async () => {
  const options = { cwd: '${workspaceFolder}/app', env: { ROOT: '${workspaceFolder}' } };
  offer({ name: 'install', execution: new ShellExecution('npm ci --prefix ${workspaceFolder}', options) });
  assert.deepEqual(await setup(), {
    command: `npm ci --prefix ${worktree}`,
    args: [],
    env: { ROOT: worktree },
    cwd: `${worktree}/app`,
  });
  offer({ name: 'install', execution: new ProcessExecution('npm', ['ci', '${workspaceFolder}'], { cwd: 'app' }) });
  assert.deepEqual(await setup(), { command: 'npm', args: ['ci', worktree], env: {}, cwd: join(worktree, 'app') });
});

test('a task that only the editor can run is refused', async () => {
  const refused = { message: 'Only VS Code can run the task “install”. Use a command instead.' };
  offer({ name: 'install', execution: new ShellExecution('npm ci', { executable: 'zsh' }) });
  await assert.rejects(setup(), refused);
  offer({ name: 'install', execution: new ShellExecution('npm ci', { shellArgs: ['-l'] }) });
  await assert.rejects(setup(), refused);
  offer({ name: 'install', execution: new ShellExecution('npm ci ${input:token}') });
  await assert.rejects(setup(), refused);
  offer({ name: 'install', execution: new ShellExecution('npm ci', { env: { A: '${env:B}' } }) });
  await assert.rejects(setup(), refused);
  offer({ name: 'install', execution: {} });
  await assert.rejects(setup(), refused);
  offer({ name: 'other', execution: new ShellExecution('npm ci') });
  await assert.rejects(setup(), { message: 'There is no task “install”.' });
});
