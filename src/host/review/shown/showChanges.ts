import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../base/feature';
import { lineBeside, type ChangePlace } from '../../../review/shown/changePlaces';
import type { HunkId } from '../../../review/hunks/hunk';
import { isDiskSide } from '../../../review/files/diskSide';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { targetColumn } from '../../ui/targetColumn';
import { baseUri, currentUri, emptyUri } from './baseContent';
import { folderAt } from '../../workspaceFiles/presentState';
import { plainTitle } from '../../ui/labels';

/**
 * Opens one diff editor with all these files, the last kept version beside the real file. Replaces an editor with the
 * same title.
 */
export async function openChanges(log: ReviewLog, uris: readonly string[], title = changesTitle()): Promise<void> {
  const resources = uris
    .filter((uri) => isComparable(log, uri))
    .map((uri) => {
      const file = currentUri(uri);
      const kind = log.file(uri)?.status?.kind;
      return [file, kind === 'created' ? undefined : baseUri(uri), kind === 'deleted' ? undefined : file];
    });
  if (resources.length === 0) {
    const [first] = uris;
    if (first !== undefined) await showFile(log, first, []);
    return;
  }
  const opened = nextTab(title);
  await vscode.commands.executeCommand('vscode.changes', title, resources);
  await opened;
  // Closed after the new one opens, so that unsaved text always has an editor. A preview closes without help.
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  const others = tabsOf(title).filter((tab) => tab !== activeTab);
  if (others.length > 0) await vscode.window.tabGroups.close(others, true);
}

/** Opens the diff of one file: the last kept version on the left, the real file on the right. */
export async function compareFile(log: ReviewLog, uri: string, preserveFocus = false): Promise<void> {
  if (!isComparable(log, uri)) {
    await showFile(log, uri, [], preserveFocus);
    return;
  }
  const file = currentUri(uri);
  const isGone = log.file(uri)?.status?.kind === 'deleted';
  const title = plainTitle(
    isDiskSide(uri)
      ? l10n.t('{0} (agent changes on disk)', basename(file.path))
      : l10n.t('{0} (agent changes)', basename(file.path)),
  );
  const right = isGone ? emptyUri(uri) : file;
  await vscode.commands.executeCommand('vscode.diff', baseUri(uri), right, title, options(preserveFocus));
}

/**
 * Opens a file at a line, which usually has a pending change. Shows a deleted file in its last kept version, and a file that isn't text in its
 * own editor.
 */
export async function showPlace(log: ReviewLog, { uri, line, ids }: ChangePlace, preserveFocus = false): Promise<void> {
  if (isDiskSide(uri)) {
    await compareFile(log, uri, preserveFocus);
    return;
  }
  const file = vscode.Uri.parse(uri);
  const tracked = log.file(uri);
  const isText = !tracked || tracked.current.kind === 'text';
  // The editor doesn't open every text, such as very large ones.
  const document = isText ? await vscode.workspace.openTextDocument(file).then(undefined, () => undefined) : undefined;
  if (!document) {
    await showFile(log, uri, ids, preserveFocus);
    return;
  }
  const at = Math.min(line, document.lineCount - 1);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, 0, at, 0), preserveFocus });
}

/** The command of the lens that counts removed lines. */
export const peekCommand = 'parley.review.peekChange' satisfies CommandId;

/** How long the editor may take to open a peek, in milliseconds. */
const peekMs = 1500;

/**
 * Shows a change as an inline diff in its file: the editor's own peek, which has Keep and Undo. Without change bars
 * there is no peek, so the file's diff opens instead.
 */
export async function peekChange(log: ReviewLog, uri: string, id: HunkId): Promise<void> {
  const hunk = log.file(uri)?.hunks.find((one) => one.id === id);
  if (!hunk) return;
  if (vscode.workspace.getConfiguration('scm').get('diffDecorations') === 'none') {
    await compareFile(log, uri);
    return;
  }
  await showPlace(log, { uri, line: lineBeside(hunk), ids: [id] });
  // While a peek is open, the command for the next change moves on from there, not from the cursor.
  await vscode.commands.executeCommand('closeQuickDiff');
  const opens = peekOpens(uri);
  await vscode.commands.executeCommand('editor.action.dirtydiff.next');
  // The editor has no changes to show until it has compared the texts, and then its command does nothing.
  if (!(await opens)) await compareFile(log, uri);
}

/** Resolves to whether a peek into a file opens soon. The editor in a peek is visible, but in no column. */
function peekOpens(uri: string): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isOpen: boolean) => {
      clearTimeout(guard);
      listener.dispose();
      resolve(isOpen);
    };
    const guard = setTimeout(() => end(false), peekMs);
    const listener = vscode.window.onDidChangeVisibleTextEditors((editors) => {
      const isInPeek = ({ document, viewColumn }: vscode.TextEditor) =>
        viewColumn === undefined && document.uri.toString() === uri;
      if (editors.some(isInPeek)) end(true);
    });
  });
}

/** Opens a file at the first of these changes. Shows a deleted file in its last kept version. */
export async function showFile(
  log: ReviewLog,
  uri: string,
  ids: readonly HunkId[],
  preserveFocus = false,
): Promise<void> {
  const file = log.file(uri);
  if (!isComparable(log, uri)) {
    const place = vscode.Uri.parse(uri);
    const isFolder = (await folderAt(place.fsPath)) !== 'none';
    const isGone = file?.current.kind === 'absent';
    // For a deleted file with unknown content, show its folder.
    const shown = isGone ? vscode.Uri.joinPath(place, '..') : place;
    if (isFolder || isGone) await vscode.commands.executeCommand('revealInExplorer', shown);
    else await vscode.commands.executeCommand('vscode.open', place, options(preserveFocus));
    return;
  }
  if (file?.status?.kind === 'deleted' || isDiskSide(uri)) {
    await compareFile(log, uri, preserveFocus);
    return;
  }
  const first = file?.hunks.find(({ id }) => ids.includes(id));
  const isText = file?.current.kind === 'text';
  const at = first && isText ? new vscode.Position(first.start, 0) : undefined;
  // `vscode.open` also selects the right editor for images and notebooks.
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(uri), {
    ...options(preserveFocus),
    ...(at && { selection: new vscode.Range(at, at) }),
  });
}

/** Returns true if both sides of a change can be shown. Unread files and folders have no sides. */
function isComparable(log: ReviewLog, uri: string): boolean {
  const file = log.file(uri);
  return [file?.base, file?.current].every((state) => state?.kind !== 'unread' && state?.kind !== 'folder');
}

/** The title of the editor with all changes. */
export function changesTitle(): string {
  return l10n.t('Agent Changes');
}

/** Returns whether a tab is the editor with all changes. */
export function isChangesTab(tab: vscode.Tab): boolean {
  return isTitled(tab, changesTitle());
}

/** VS Code adds the number of files to the title. The input of this kind of tab isn't known to extensions. */
function isTitled({ label, input }: vscode.Tab, title: string): boolean {
  return label.startsWith(`${title} (`) && !(input instanceof vscode.TabInputText);
}

/** Returns the tabs of change editors with this title. */
function tabsOf(title: string): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter((tab) => isTitled(tab, title)));
}

/** Resolves once a change editor with this title is active, because tabs are reported slightly after they open. */
function nextTab(title: string): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(guard);
      listener.dispose();
      resolve();
    };
    const guard = setTimeout(end, 2000);
    const listener = vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
      const ours = new Set(tabsOf(title));
      if ([...opened, ...changed].some((tab) => tab.isActive && ours.has(tab))) end();
    });
  });
}

function options(preserveFocus: boolean): vscode.TextDocumentShowOptions {
  return { preview: true, viewColumn: targetColumn(), preserveFocus };
}
