import { isAbsolute, join, relative } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { asString } from '../../shared/values/decodeValue';
import { isRecord } from '../../shared/values/isRecord';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import { fileKey, isInside } from './filePaths';
import { taskInput } from './taskInput';
import { taskName } from './tasks';

/** What runs in a new worktree. */
export interface SetupCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Variables of tasks that only VS Code knows. Others are the shell's. */
const ofEditor =
  /\$\{(input|command|config|env|file|relativeFile|line|column|selected|execPath|default|user|workspace)\w*/i;

/** Returns the task that a setting names, as in `task: npm: install`. Undefined for a command. */
export function taskOfSetup(setup: string): string | undefined {
  return /^task:\s*(\S.*)$/s.exec(setup)?.[1];
}

/**
 * Resolves to what a task runs, with the tasks that it depends on, in a worktree instead of its source. Rejects with a sentence if there's no
 * such task, or if only VS Code can run it.
 */
export async function setupOfTask(name: string, source: string, worktree: string): Promise<SetupCommand> {
  const all = await vscode.tasks.fetchTasks();
  const named = all.filter((one) => taskName(one) === name);
  const folderOf = ({ scope }: vscode.Task) => (typeof scope === 'object' ? scope.uri.fsPath : source);
  const isIn = (folder: string) => isInside(fileKey(source), fileKey(folder));
  // Folders of a workspace can have tasks of the same name.
  const task = named.find((one) => isIn(folderOf(one))) ?? named[0];
  const shown = showHiddenOnOneLine(name);
  if (!task) throw new Error(l10n.t('There is no task “{0}”.', shown));
  const folder = folderOf(task);
  const home = isIn(folder) ? join(worktree, relative(source, folder)) : worktree;
  const inWorktree = (text: string) => text.replace(/\$\{(workspaceFolder|workspaceRoot|cwd)\}/g, () => home);
  const { input, lines, isComplete } = taskInput(task, all);
  const process = asString(input['command']);
  const args = Array.isArray(input['args']) ? input['args'].map((one) => inWorktree(String(one))) : undefined;
  const env = isRecord(input['env']) ? input['env'] : {};
  const command = inWorktree(args && process !== undefined ? process : lines.join(' && '));
  const cwd = inWorktree(asString(input['cwd']) ?? home);
  const values = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, inWorktree(String(value))]));
  const isKnown = isComplete && !('shell' in input) && !('shellArgs' in input);
  if (!isKnown || [command, cwd, ...(args ?? []), ...Object.values(values)].some((text) => ofEditor.test(text))) {
    throw new Error(l10n.t('Only VS Code can run the task “{0}”. Use a command instead.', shown));
  }
  return { command, args: args ?? [], env: values, cwd: isAbsolute(cwd) ? cwd : join(home, cwd) };
}
