import { isAbsolute, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { plainPath } from '../../disk/paths';
import { withoutScheme } from '../base/filePaths';
import { askModal, showWarning } from '../ui/notifications';
import { targetColumn } from '../ui/targetColumn';

export { openDiff } from './openDiff';

/** A place in a file. Lines and columns count from 1. */
export interface Place {
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
}

/** Opens a file, or shows a folder in the Explorer. A relative path is resolved against `cwd`. */
export async function openLocation(cwd: string, written: string, place: Place = {}): Promise<void> {
  const path = withoutScheme(written);
  const uri = vscode.Uri.file(isAbsolute(path) ? plainPath(path) : join(cwd, path));
  let stat: vscode.FileStat;
  try {
    stat = await vscode.workspace.fs.stat(uri);
  } catch {
    void showWarning(l10n.t('{0} wasn’t found.', uri.fsPath));
    return;
  }
  if ((stat.type & vscode.FileType.Directory) !== 0) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  const { line } = place;
  // `vscode.open` also selects the right editor for images and notebooks.
  await vscode.commands.executeCommand('vscode.open', uri, {
    preview: true,
    viewColumn: targetColumn(),
    ...(line !== undefined && { selection: rangeOf(line, place) }),
  });
}

/** Says that a file is on another machine. A file of the same name may exist here, but it isn't the agent's. */
export function sayElsewhere(path: string, agentName: string): void {
  void showWarning(l10n.t('{0} is on the machine of {1} and can’t be opened here.', path, agentName));
}

/** Returns the whole lines of a range, or the position of a line and column. */
function rangeOf(line: number, { column = 1, endLine }: Place): vscode.Range {
  const start = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  if (endLine === undefined || endLine < line) return new vscode.Range(start, start);
  return new vscode.Range(start, new vscode.Position(endLine - 1, Number.MAX_SAFE_INTEGER));
}

/**
 * Opens a link from an agent. Allows web links, which VS Code confirms, and mail links, which Parley confirms because
 * VS Code doesn't.
 */
export async function openLink(href: string): Promise<void> {
  const { scheme } = vscode.Uri.parse(href, true);
  if (!['http', 'https', 'mailto'].includes(scheme)) {
    void showWarning(l10n.t('“{0}” links can’t be opened.', scheme));
    return;
  }
  if (scheme === 'mailto') {
    const question = l10n.t('An agent wrote this link. Open it in your mail app?');
    const open = l10n.t('Open Link');
    if ((await askModal(question, { detail: href, items: [open] })) !== open) return;
  }
  // Passed as a string, because a `Uri` would re-encode the address and change escapes such as %26 and %2F.
  await vscode.env.openExternal(href as unknown as vscode.Uri);
}

/** Replaces the selection of the active editor, or creates a new file if no editor is open. */
export async function insertAtCursor(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (!editor) {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: text }));
    return;
  }
  await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
}

/** Opens the list of Parley's keys. Only VS Code's own editor knows them as the user has set them, because no extension can read them. */
export async function showKeys(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openGlobalKeybindings', '@ext:parley.parley-acp');
}

/** Opens the steps to get started. */
export async function openWalkthrough(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'parley.parley-acp#parley.start', false);
}
