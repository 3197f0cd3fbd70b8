import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { TestContext } from './api';
import { setting } from './filesSupport';
import { until } from './poll';

/** Eight lines, of which tests change some. */
export const eight = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

/** What the agent of doesAsTold.mjs is told to do. */
export type Step =
  | { readonly write: string; readonly text: string }
  | { readonly shell: string }
  /** The first `from` in a file becomes `to`; the file is replaced by a new one, as `sed -i` does. Bytes are characters. */
  | { readonly edit: string; readonly from: string; readonly to: string }
  | { readonly remove: string }
  /** Waits until there is such a file. */
  | { readonly awaits: string }
  | { readonly pause: number }
  /** Writes the agent's name into a file. */
  | { readonly sign: string }
  | { readonly fs: string; readonly text: string }
  | { readonly tell: object }
  | { readonly hear: string };

/** Agents that do what the steps say, each turn in a session of its own, in the extension as the user has it. */
export async function newAgent(context: TestContext, names: readonly string[] = ['Told']) {
  const extension = vscode.extensions.getExtension('parley.parley-acp');
  assert.ok(extension);
  const script = join(extension.extensionPath, 'test', 'fixtures', 'agents', 'doesAsTold.mjs');
  // On the desktop the editor's own program is Node only when it is told to be.
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  const program = { command: process.execPath, args: [script] };
  const agents = names.map((name) => [name, { ...program, env: { ...env, TOLD_NAME: name } }]);
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

/** Titles of the lenses of a file, by line; none as long as there is no file. */
export async function lenses(path: string): Promise<vscode.CodeLens[]> {
  if (!existsSync(path)) return [];
  const uri = vscode.Uri.file(path);
  await vscode.workspace.openTextDocument(uri);
  return vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
}

/** A change that waits in a file: its first line, how a lens names it to commands, and what it says of it. */
interface Change {
  readonly line: number;
  readonly args: unknown[];
  readonly tooltip: string;
}

/** The changes that wait in a file; resolves when there are `count`. */
export async function changes(path: string, count: number): Promise<Change[]> {
  const deadline = Date.now() + 25_000;
  let keeps: vscode.CodeLens[] = [];
  await until(async () => {
    keeps = (await lenses(path)).filter(({ command }) => command?.command === 'parley.review.keepChange');
    if (keeps.length === count) return true;
    const lines = keeps.map(({ range }) => range.start.line).join(', ');
    if (Date.now() > deadline) assert.fail(`${path} has changes at lines ${lines}, not ${count}`);
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

/** What the user last accepted of a file, as the editor shows it. */
export async function base(path: string): Promise<string> {
  const uri = vscode.Uri.file(path);
  const document = await vscode.workspace.openTextDocument(
    vscode.Uri.from({ scheme: 'parley-base', path: uri.path, query: uri.toString() }),
  );
  return document.getText();
}

export const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args]);
