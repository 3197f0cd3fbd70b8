import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as vscode from 'vscode';
import type { IDisposable } from '../../shared/values/disposable';
import { fileKey, holdsHome, isInside, resolveTarget, type FileTarget } from '../base/filePaths';
import { fileRoots, rootsBeside } from '../base/folders';
import { isSameButLineBreaks } from '../../review/lines/lines';
import { readDisk, type DiskText } from './diskText';
import type { NamedFolder } from '../workspaceFiles/guarded';

/**
 * Returns the document of a file, under whichever of its names it was opened. Prefers documents with unsaved changes.
 * Resolves to undefined if the file isn't open.
 */
export async function findDocument(target: FileTarget): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.filter((document) => document.uri.scheme === 'file');
  const isSame = await Promise.all(open.map((document) => namesTarget(document.uri, target)));
  const found = open.filter((document, index) => isSame[index] === true && !document.isClosed);
  return found.find((document) => document.isDirty) ?? found.find((document) => isAt(document.uri, target)) ?? found[0];
}

/** Returns an untitled document with that path. */
export function findUntitled(target: FileTarget): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    (document) => document.uri.scheme === 'untitled' && isAt(document.uri, target),
  );
}

/** Returns the open notebook of a file. */
export function findNotebook(target: FileTarget): vscode.NotebookDocument | undefined {
  return vscode.workspace.notebookDocuments.find((notebook) => isAt(notebook.uri, target));
}

/**
 * Returns the URI under which the user would open a file: through its workspace folder, however the agent reached it.
 * Otherwise, the file would get a second document.
 */
export async function editorUri(target: FileTarget): Promise<vscode.Uri> {
  for (const folder of fileRoots()) {
    const realFolder = await realFolderPath(folder);
    if (isInside(fileKey(realFolder), target.key)) {
      return vscode.Uri.file(join(folder, relative(realFolder, target.realPath)));
    }
  }
  return vscode.Uri.file(target.path);
}

/**
 * Returns the folders where a session may work without asking: `cwd` and `others`, or the workspace folders if `others`
 * is undefined, except those that its worktree replaces. Never includes the user's home.
 */
export async function sessionFolders(cwd: string, others: readonly string[] | undefined): Promise<NamedFolder[]> {
  const paths = [...(others ?? rootsBeside(cwd, fileRoots())), cwd];
  const folders = await Promise.all(paths.map(async (path) => ({ path, realPath: await realFolderPath(path) })));
  return folders.filter(({ realPath }) => !holdsHome(realPath));
}

/** How a document relates to its file, and the file's content. The content is undefined if there was no file. */
export interface Followed {
  readonly state: 'agrees' | 'unsaved' | 'missing' | 'closed' | 'stale';
  readonly disk: DiskText | undefined;
}

/**
 * Waits until the editor has noticed the latest change on disk, because an unchanged document follows its file with a
 * delay. `unsaved`: the document has unsaved changes and doesn't follow.
 */
export async function followDisk(document: vscode.TextDocument, path: string, timeoutMs: number): Promise<Followed> {
  const deadline = AbortSignal.timeout(timeoutMs);
  for (;;) {
    const changed = nextChange(document, deadline);
    try {
      const disk = await readDisk(path, document.uri, document.encoding);
      if (document.isClosed) return { state: 'closed', disk };
      if (document.isDirty) return { state: 'unsaved', disk };
      if (disk === undefined) return { state: 'missing', disk };
      if (isSameButLineBreaks(disk.text, document.getText())) return { state: 'agrees', disk };
      if (deadline.aborted) return { state: 'stale', disk };
      await changed.happened;
    } finally {
      changed.dispose();
    }
  }
}

/** Settles at the document's next change, when it closes, or at the deadline. */
function nextChange(document: vscode.TextDocument, deadline: AbortSignal): IDisposable & { happened: Promise<void> } {
  const subscriptions: IDisposable[] = [];
  const happened = new Promise<void>((resolve) => {
    const done = () => {
      resolve();
    };
    subscriptions.push(
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document) done();
      }),
      vscode.workspace.onDidCloseTextDocument((closed) => {
        if (closed === document) done();
      }),
      {
        dispose: () => {
          deadline.removeEventListener('abort', done);
        },
      },
    );
    deadline.addEventListener('abort', done, { once: true });
    if (deadline.aborted) done();
  });
  return {
    happened,
    dispose: () => {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function isAt(uri: vscode.Uri, target: FileTarget): boolean {
  const key = fileKey(uri.fsPath);
  return key === fileKey(target.path) || key === target.key;
}

async function namesTarget(uri: vscode.Uri, target: FileTarget): Promise<boolean> {
  if (isAt(uri, target)) return true;
  try {
    return (await resolveTarget(uri.fsPath)).key === target.key;
  } catch {
    // A document whose folder can no longer be searched isn't the requested file.
    return false;
  }
}

async function realFolderPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    // A missing folder has no entries, so its unresolved name works, too.
    return path;
  }
}
