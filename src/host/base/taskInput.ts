import * as vscode from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import { quotedLine } from '../../rules/requestedAction';
import { isRecord } from '../../shared/values/isRecord';

/** What a task would run, as a permission request has it. */
export interface TaskInput {
  /** The request's input: fields that rules and the request's card know. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The command lines, for the user. */
  readonly lines: readonly string[];
  /** Whether everything that would run is known. Otherwise, no rule allows it. */
  readonly isComplete: boolean;
}

/** Maximum number of tasks that one task can start. */
const mostTasks = 20;

/** Returns what a task would run, with the tasks that it depends on. */
export function taskInput(task: vscode.Task, all: readonly vscode.Task[]): TaskInput {
  const { tasks, isComplete } = withDependencies(task, all);
  const parts = tasks.map(commandOf);
  const lines = parts.map(({ line }) => line);
  const known = lines.every((line) => line !== '') && isComplete;
  const [only] = parts;
  if (parts.length === 1 && only) {
    // Without a command line, the request has nothing that a rule could judge.
    return { input: only.line === '' ? { task: task.name } : only.input, lines, isComplete: known };
  }
  const commands = lines.filter((line) => line !== '');
  const places = parts.some(({ input }) => Object.keys(input).some((key) => key !== 'command' && key !== 'args'));
  return { input: { commands }, lines, isComplete: known && !places };
}

/** Returns a task with those that VS Code starts before it. Only the settings tell which. */
function withDependencies(
  task: vscode.Task,
  all: readonly vscode.Task[],
): { readonly tasks: readonly vscode.Task[]; readonly isComplete: boolean } {
  const tasks: vscode.Task[] = [];
  const seen = new Set<string>();
  const missing: unknown[] = [];
  const add = (one: vscode.Task): void => {
    if (seen.has(one.name) || tasks.length >= mostTasks) return;
    seen.add(one.name);
    for (const name of dependenciesOf(one)) {
      const found = typeof name === 'string' ? all.find((other) => other.name === name) : undefined;
      if (found) add(found);
      else missing.push(name);
    }
    tasks.push(one);
  };
  add(task);
  // A task that only starts others has no execution of its own.
  const own = tasks.filter((one) => one.execution !== undefined || dependenciesOf(one).length === 0);
  return { tasks: own, isComplete: missing.length === 0 && tasks.length < mostTasks };
}

function dependenciesOf({ name, source, scope }: vscode.Task): readonly unknown[] {
  const folder = typeof scope === 'object' ? scope.uri : undefined;
  const written: unknown = vscode.workspace.getConfiguration('tasks', folder).get('tasks');
  const entries: readonly unknown[] = Array.isArray(written) ? written : [];
  return entries.filter(isRecord).flatMap((entry) => {
    const own = [entry['label'], entry['taskName'], entry['script'], entry['task'], entry['command']];
    const isThis = own.includes(name) || own.includes(`${source}: ${name}`);
    const { dependsOn } = entry;
    if (!isThis || dependsOn === undefined) return [];
    return Array.isArray(dependsOn) ? (dependsOn as readonly unknown[]) : [dependsOn];
  });
}

interface Part {
  readonly line: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Returns what a task runs itself; an empty line if the editor doesn't tell. */
function commandOf({ execution }: vscode.Task): Part {
  if (execution instanceof vscode.ProcessExecution) {
    const { process, args, options } = execution;
    const words = [process, ...args];
    return { line: quotedLine(words), input: { command: process, args, ...placeOf(options) } };
  }
  if (!(execution instanceof vscode.ShellExecution)) return { line: '', input: {} };
  const { commandLine, command, args = [], options } = execution;
  const line = commandLine ?? [command ?? '', ...args].map(shellWord).join(' ').trim();
  const shell = options?.executable === undefined ? {} : { shell: options.executable };
  // With arguments of its own, a shell may run something else than the line.
  const shellArgs = options?.shellArgs?.length ? { shellArgs: options.shellArgs } : {};
  return { line, input: { command: line, ...shell, ...shellArgs, ...placeOf(options) } };
}

/** VS Code quotes a word only if it has spaces, or if the task says so. */
function shellWord(word: string | vscode.ShellQuotedString): string {
  if (typeof word !== 'string') return quotedLine([word.value]);
  return /\s/.test(word) ? quotedLine([word]) : word;
}

function placeOf(
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } | undefined,
): Readonly<Record<string, unknown>> {
  const { cwd, env = {} } = options ?? {};
  return { ...compact({ cwd }), ...(Object.keys(env).length === 0 ? {} : { env }) };
}
