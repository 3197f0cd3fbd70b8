import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { FileBridge } from '../../src/host/files/fileBridge';
import type { OutsidePolicy } from '../../src/host/settings/settingTable';
import type { ClientContext, ClientQuestion } from '../../src/session/services';
import type { SessionKey } from '../../src/shared/values/ids';
import type { TestContext } from './api';

/** Never aborts. */
export const never = new AbortController().signal;

/** The file service with one session, whose user answers requests with `answers`. */
export class Agent {
  readonly asked: ClientQuestion[] = [];
  readonly context: ClientContext;
  readonly service: FileBridge;

  constructor(service: FileBridge, cwd: string, answers: (string | undefined)[]) {
    this.service = service;
    this.context = {
      session: 'session 1' as SessionKey,
      agentName: 'Test',
      cwd,
      ask: async (question) => {
        this.asked.push(question);
        return answers.shift();
      },
    };
  }

  read(path: string, line?: number, limit?: number): Promise<string> {
    const range = { ...(line === undefined ? {} : { line }), ...(limit === undefined ? {} : { limit }) };
    return this.service.readTextFile(this.context, { path, ...range }, never);
  }

  write(path: string, content: string, signal: AbortSignal = never): Promise<void> {
    return this.service.writeTextFile(this.context, { path, content }, signal);
  }
}

/** Creates an agent in the workspace folder for one test. */
export function newAgent(
  context: TestContext,
  policy: OutsidePolicy = 'ask',
  ...answers: (string | undefined)[]
): Agent {
  const service = new FileBridge({ outsideWorkspace: () => policy });
  context.after(() => {
    service.dispose();
  });
  return new Agent(service, workspaceFolder(), answers);
}

/** Returns the absolute path of the workspace folder. */
function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder);
  return folder.uri.fsPath;
}

/**
 * Folders created in advance, because the editor's watcher misses changes in a new folder until it has started watching
 * it.
 */
const ready: Promise<string>[] = [];
const readyFolders = 12;

/** Creates the folders of the first tests well before they are needed. */
export function prepareFolders(): void {
  const make = () => newFolder(join(workspaceFolder(), 'files-'));
  while (ready.length < readyFolders) ready.push(make());
}

/** Returns an empty folder inside the workspace. After the test, removes it and closes all editors. */
export async function scratchFolder(context: Pick<TestContext, 'after'>): Promise<string> {
  prepareFolders();
  const folder = await ready.shift();
  assert.ok(folder);
  context.after(() => removeFolder(folder));
  context.after(closeEditors);
  return folder;
}

/** Returns a new folder outside the workspace. */
export async function outsideFolder(context: TestContext): Promise<string> {
  const folder = await newFolder(join(tmpdir(), 'parley-outside-'));
  context.after(() => removeFolder(folder));
  return folder;
}

/** Removes a folder. On Windows, what another program still has open is removed late, so it tries again. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: process.platform === 'win32' ? 5 : 0 });
}

/** Creates a folder and returns its path without links, as VS Code writes it: with the drive in lower case on Windows. */
async function newFolder(prefix: string): Promise<string> {
  return vscode.Uri.file(await realpath(await mkdtemp(prefix))).fsPath;
}

/** Writes a file, creates its folders, and returns its path. */
export async function file(folder: string, name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

/** Opens a file in an editor and focuses it. */
export async function show(path: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  return vscode.window.showTextDocument(document, { preview: false });
}

/** Types text into an editor as a user does, and leaves it unsaved. */
export async function type(editor: vscode.TextEditor, line: number, character: number, text: string): Promise<void> {
  assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(line, character), text)));
  assert.ok(editor.document.isDirty);
}

/** Returns the text on disk, read as UTF-8. */
export function onDisk(path: string): Promise<string> {
  return readFile(path, 'utf8');
}

/** Changes a user setting until the test ends. */
export async function setting(context: TestContext, name: string, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  await configuration.update(name, value, vscode.ConfigurationTarget.Global);
  context.after(() => vscode.workspace.getConfiguration().update(name, undefined, vscode.ConfigurationTarget.Global));
}

/** Returns the labels of all tabs, in order. */
export function tabs(): string[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
}

async function closeEditors(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty) continue;
    // Unsaved text would keep its editor open with a question.
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
