import * as vscode from 'vscode';
import { editorTools, type EditorToolName } from '../../shared/pages/editorTools';
import { finishedTask, taskName } from '../base/tasks';
import { allowed } from './permission';
import { documentOf, fileOf, shownPath } from './places';
import { taskInput } from '../base/taskInput';
import { countOf, requiredText, textOf, ToolProblem, type ToolCall, type ToolResult, type ToolRun } from './tool';

const mostFrames = 20;
const mostVariables = 50;
const longestValue = 500;
const longest = 8000;

/** The tools that show something or run something. */
export const runTools = {
  openFile,
  listTasks,
  runTask,
  debugState,
  debugEvaluate,
  extensionTools,
} as const satisfies Partial<Record<EditorToolName, ToolRun>>;

async function openFile(call: ToolCall): Promise<ToolResult> {
  const document = await documentOf(call);
  const number = Math.min(countOf(call, 'line', 1, 1), document.lineCount);
  const { range } = document.lineAt(number - 1);
  // The user may be typing elsewhere.
  await vscode.window.showTextDocument(document, { selection: range, preserveFocus: true, preview: true });
  const shown = shownPath(call, document.uri.fsPath);
  return { text: `The editor shows ${shown}.`, data: { path: shown, line: number } };
}

async function listTasks(): Promise<ToolResult> {
  const tasks = (await vscode.tasks.fetchTasks()).map((task) => ({ name: taskName(task), detail: task.detail ?? '' }));
  const lines = tasks.map(({ name, detail }) => (detail === '' ? name : `${name} (${detail})`));
  return { text: lines.length === 0 ? 'There are no tasks.' : lines.join('\n'), data: { tasks } };
}

async function runTask(call: ToolCall): Promise<ToolResult> {
  const name = requiredText(call, 'name');
  const tasks = await vscode.tasks.fetchTasks();
  const task = tasks.find((one) => taskName(one) === name);
  if (!task) throw new ToolProblem(`There is no task “${name}”. Use a name that listTasks returns.`);
  const { input, lines, isComplete } = taskInput(task, tasks);
  // A workspace, and so an agent, can give any command any name. So rules judge the command, and the user sees it.
  const text = [...lines, task.detail ?? ''].filter((part) => part !== '').join('\n');
  const content = text === '' ? [] : [{ type: 'content', content: { type: 'text', text } } as const];
  const title = editorTools.runTask.words().request(name);
  const command = lines.join('\n');
  await allowed(call, {
    tool: 'runTask',
    title,
    command,
    kind: 'execute',
    paths: [],
    content,
    input,
    isGuarded: !isComplete,
  });
  const exitCode = await finishedTask(task, call.signal);
  const isKnown = exitCode !== undefined;
  return {
    text: isKnown ? `The task exited with code ${exitCode}.` : 'The task ended without an exit code.',
    data: isKnown ? { exitCode } : {},
  };
}

interface Frame {
  readonly id: number;
  readonly name: string;
  readonly line: number;
  readonly source?: { readonly path?: string };
}

/** Returns where the debugged program has stopped: the frame that the user looks at, and its session. */
function stopped(): { readonly session: vscode.DebugSession; readonly threadId: number; readonly frameId?: number } {
  const item = vscode.debug.activeStackItem;
  if (item === undefined) throw new ToolProblem('No program is stopped in the debugger. Ask the user to start one.');
  const { session, threadId } = item;
  return { session, threadId, ...('frameId' in item ? { frameId: item.frameId } : {}) };
}

async function debugState(call: ToolCall): Promise<ToolResult> {
  const breakpoints = [];
  for (const one of vscode.debug.breakpoints) {
    if (!(one instanceof vscode.SourceBreakpoint)) continue;
    const { uri, range } = one.location;
    const own = await fileOf(call, uri.fsPath).catch(() => undefined);
    if (!own) continue;
    const { enabled, condition = '' } = one;
    breakpoints.push({ path: shownPath(call, uri.fsPath), line: range.start.line + 1, enabled, condition });
  }
  const lines = breakpoints.map((one) => `breakpoint ${one.path}:${one.line}${one.enabled ? '' : ' (disabled)'}`);
  if (vscode.debug.activeStackItem === undefined) {
    lines.push('No program is stopped in the debugger.');
    return { text: lines.join('\n'), data: { breakpoints, isStopped: false } };
  }
  const { session, threadId, frameId } = stopped();
  const trace = (await session.customRequest('stackTrace', { threadId, levels: mostFrames })) as {
    readonly stackFrames: readonly Frame[];
  };
  const stack = trace.stackFrames.map((frame) => ({
    name: frame.name,
    path: shownPath(call, frame.source?.path ?? ''),
    line: frame.line,
  }));
  const variables = await variablesOf(session, frameId ?? trace.stackFrames[0]?.id);
  lines.push(...stack.map((frame) => `at ${frame.name} ${frame.path}:${frame.line}`));
  lines.push(...variables.map(({ name, value }) => `${name} = ${value}`));
  return { text: lines.join('\n'), data: { breakpoints, isStopped: true, stack, variables } };
}

async function variablesOf(session: vscode.DebugSession, frameId: number | undefined) {
  if (frameId === undefined) return [];
  const { scopes } = (await session.customRequest('scopes', { frameId })) as {
    readonly scopes: readonly { readonly expensive?: boolean; readonly variablesReference: number }[];
  };
  const found: { readonly name: string; readonly value: string }[] = [];
  for (const { expensive, variablesReference } of scopes) {
    if (expensive === true || found.length >= mostVariables) continue;
    const { variables } = (await session.customRequest('variables', { variablesReference })) as {
      readonly variables: readonly { readonly name: string; readonly value: string }[];
    };
    found.push(...variables.map(({ name, value }) => ({ name, value: value.slice(0, longestValue) })));
  }
  return found.slice(0, mostVariables);
}

async function debugEvaluate(call: ToolCall): Promise<ToolResult> {
  const expression = requiredText(call, 'expression');
  const { session, frameId } = stopped();
  const title = editorTools.debugEvaluate.words().request(expression);
  await allowed(call, {
    tool: 'debugEvaluate',
    title,
    kind: 'execute',
    paths: [],
    content: [],
    input: call.args,
    isGuarded: false,
  });
  const answer = (await session.customRequest('evaluate', { expression, frameId, context: 'repl' })) as {
    readonly result: string;
  };
  const result = answer.result.slice(0, longest);
  return { text: result, data: { result } };
}

async function extensionTools(call: ToolCall): Promise<ToolResult> {
  const name = textOf(call, 'name');
  if (name === undefined) {
    const tools = vscode.lm.tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      input: tool.inputSchema,
    }));
    const lines = tools.map((tool) => `${tool.name}: ${tool.description}\n${JSON.stringify(tool.input ?? {})}`);
    return {
      text: lines.length === 0 ? 'No extension offers tools.' : lines.join('\n').slice(0, longest),
      data: { tools },
    };
  }
  const tool = vscode.lm.tools.find((one) => one.name === name);
  if (!tool) throw new ToolProblem(`No extension offers the tool “${name}”. Call again without a name to list them.`);
  const given = call.args['input'];
  const input = typeof given === 'object' && given !== null ? given : {};
  const text = JSON.stringify(input, undefined, 2);
  const content = [{ type: 'content', content: { type: 'text', text } } as const];
  const title = editorTools.extensionTools.words().request(name);
  await allowed(call, {
    tool: 'extensionTools',
    title,
    kind: 'other',
    paths: [],
    content,
    input: call.args,
    isGuarded: false,
  });
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = () => cancellation.cancel();
  call.signal.addEventListener('abort', cancel, { once: true });
  try {
    const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, cancellation.token);
    const texts = result.content.flatMap((part) => (part instanceof vscode.LanguageModelTextPart ? [part.value] : []));
    const joined = texts.join('\n').slice(0, longest);
    return { text: joined, data: { text: joined } };
  } finally {
    call.signal.removeEventListener('abort', cancel);
    cancellation.dispose();
  }
}
