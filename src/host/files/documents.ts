import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as vscode from 'vscode';
import type { IDisposable } from '../../shared/disposable';
import { fileKey, holdsHome, isInside, resolveTarget, type FileTarget } from '../base/filePaths';
import { fileRoots } from '../base/folders';
import { isSameButLineBreaks } from '../../review/lines';
import { readDisk, type DiskText } from './diskText';
import type { NamedFolder } from '../workspaceFiles/guarded';

/**
 * The document in which the editor holds a file, under whichever of its names it was opened; one with unsaved changes
 * before others. Undefined when the editor does not hold it.
 */
export async function findDocument(target: FileTarget): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.filter((document) => document.uri.scheme === 'file');
  const isSame = await Promise.all(open.map((document) => namesTarget(document.uri, target)));
  const found = open.filter((document, index) => isSame[index] === true && !document.isClosed);
  return found.find((document) => document.isDirty) ?? found.find((document) => isAt(document.uri, target)) ?? found[0];
}

/** A new file of that path which the user has not saved yet. */
export function findUntitled(target: FileTarget): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    (document) => document.uri.scheme === 'untitled' && isAt(document.uri, target),
  );
}

/** The notebook in which the editor holds a file. */
export function findNotebook(target: FileTarget): vscode.NotebookDocument | undefined {
  return vscode.workspace.notebookDocuments.find((notebook) => isAt(notebook.uri, target));
}

/**
 * The name under which the user would open a file: through the workspace folder it lies in, however the agent reached
 * it. Otherwise a second document of the same file would come to be.
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
 * The folders in which a session may work without a question: `others`, else those of the workspace, and `cwd`. The user's home is none
 * of them, however it came there.
 */
export async function sessionFolders(cwd: string, others: readonly string[] | undefined): Promise<NamedFolder[]> {
  const paths = [...(others ?? fileRoots()), cwd];
  const folders = await Promise.all(paths.map(async (path) => ({ path, realPath: await realFolderPath(path) })));
  return folders.filter(({ realPath }) => !holdsHome(realPath));
}

/** Where a document stands to its file, and what the file held then; undefined when there was none. */
export interface Followed {
  readonly state: 'agrees' | 'unsaved' | 'missing' | 'closed' | 'stale';
  readonly disk: DiskText | undefined;
}

/**
 * Waits until the editor has noticed the latest change on disk, since an unchanged document follows it only after a
 * moment. `unsaved`: the document has changes of its own and does not follow.
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

/** Settles at the document's next change or close, or at the deadline. */
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
    // A document whose folder cannot be searched any more is not the file we were asked for.
    return false;
  }
}

async function realFolderPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    // A folder that is gone holds nothing, so its own name is as good.
    return path;
  }
}
