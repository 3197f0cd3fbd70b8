import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TestContext } from './api';
import { setting } from './filesSupport';
import { until } from './poll';
import { projectFolder } from './projectFolder';

/** Eight lines, of which tests change some. */
export const eight = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

/** A step of the agent in doesAsTold.mjs. */
export type Step =
  | { readonly write: string; readonly text: string }
  /** JavaScript that another process runs, with `join` and the common functions of `node:fs`. */
  | { readonly script: string; readonly cwd: string }
  /**
   * Replaces the first `from` in a file by `to`. Creates a new file in its place, as `sed -i` does. Treats bytes as
   * characters.
   */
  | { readonly edit: string; readonly from: string; readonly to: string }
  | { readonly remove: string }
  /** Waits until the file exists. */
  | { readonly awaits: string }
  | { readonly pause: number }
  /** Writes the agent's name to a file. */
  | { readonly sign: string }
  | { readonly fs: string; readonly text: string }
  | { readonly tell: object }
  | { readonly hear: string }
  /** Calls a tool of the session's MCP server, and writes its answer to a file. */
  | { readonly mcp: string; readonly args: object; readonly into: string }
  /** A program in one of Parley's terminals. The agent doesn't wait for it. */
  | { readonly terminal: string; readonly args: readonly string[] }
  /** Taken after the agent has answered the prompt. */
  | { readonly later: readonly Step[] };

/** Creates agents that run the given steps, each turn in a separate session, in the extension as the user has it. */
export async function newAgent(
  context: TestContext,
  names: readonly string[] = ['Told'],
  more: Readonly<Record<string, string>> = {},
) {
  const extension = vscode.extensions.getExtension('parley.parley-acp');
  assert.ok(extension);
  const script = join(projectFolder(), 'test', 'fixtures', 'agents', 'doesAsTold.mjs');
  // On the desktop, the editor's executable acts as Node only with this variable.
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  const program = { command: process.execPath, args: [script] };
  const agents = names.map((name) => [name, { ...program, env: { ...env, ...more, TOLD_NAME: name } }]);
  await setting(context, 'parley.agents', Object.fromEntries(agents));
  await extension.activate();
  context.after(() => vscode.commands.executeCommand('parley.closeSession'));
  context.after(() => vscode.commands.executeCommand('parley.review.keepAll'));
  const turnOf = async (agent: string, ...steps: readonly Step[]) => {
    await vscode.commands.executeCommand('parley.newSession', { agent, prompt: JSON.stringify(steps) });
  };
  return { turn: (...steps: readonly Step[]) => turnOf(names[0] ?? '', ...steps), turnOf };
}

/** A session that has begun. Each further turn is sent to it, and resolves when it has ended. */
export async function newSession(context: TestContext) {
  const agent = await newAgent(context);
  await agent.turn();
  // The chat is being opened, and the session with it.
  await until(async () => (await vscode.commands.executeCommand('parley.checkpoints.preview', 1)) !== undefined);
  // An agent that needs time to think: when a file was written tells whose turn it was.
  const think: Step = { pause: 200 };
  return {
    turn: (...steps: Step[]) =>
      vscode.commands.executeCommand('parley.sendPrompt', JSON.stringify([think, ...steps, think])),
  };
}

/**
 * A file system's clock may lag behind: what happens to a file within 50 ms of a turn counts as the agent's. Resolves when that is over,
 * counted from now.
 */
export async function afterTheTurn(): Promise<void> {
  const end = Date.now();
  await until(() => Date.now() >= end + 100);
}

/** Returns a file's lenses by line, or none until the file exists. */
export async function lenses(path: string): Promise<vscode.CodeLens[]> {
  if (!existsSync(path)) return [];
  const uri = vscode.Uri.file(path);
  await vscode.workspace.openTextDocument(uri);
  return vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
}

/** A pending change of a file: its first line, the arguments that a lens passes to commands, and its title. */
interface Change {
  readonly line: number;
  readonly args: unknown[];
  readonly tooltip: string;
}

/** Resolves to the pending changes of a file once there are `count`. */
export async function changes(path: string, count: number): Promise<Change[]> {
  const deadline = Date.now() + 60_000;
  let keeps: vscode.CodeLens[] = [];
  await until(async () => {
    keeps = (await lenses(path)).filter(({ command }) => command?.command === 'parley.review.keepChange');
    if (keeps.length === count) return true;
    const lines = keeps.map(({ range }) => range.start.line).join(', ');
    if (Date.now() > deadline) {
      const shown = (await lenses(path)).map(({ command }) => command?.title ?? '').join(' ');
      assert.fail(`${path} has changes at lines ${lines}, not ${count}: ${shown}`);
    }
    return false;
  });
  return keeps.map(({ range, command }) => ({
    line: range.start.line,
    args: command?.arguments ?? [],
    tooltip: command?.tooltip ?? '',
  }));
}

export const keep = (change: { args: unknown[] }) =>
  vscode.commands.executeCommand('parley.review.keepChange', ...change.args);
export const undo = (change: { args: unknown[] }) =>
  vscode.commands.executeCommand('parley.review.undoChange', ...change.args);

/** Returns the last kept version of a file, as the editor shows it. */
export async function base(path: string): Promise<string> {
  const uri = vscode.Uri.file(path);
  const document = await vscode.workspace.openTextDocument(
    vscode.Uri.from({ scheme: 'parley-base', path: uri.path, query: uri.toString() }),
  );
  return document.getText();
}

export const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args]);
