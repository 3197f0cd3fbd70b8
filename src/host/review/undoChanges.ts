import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isDiskSide } from '../../review/diskSide';
import { isSameContent, type FileState, type TextState } from '../../review/fileState';
import { minimalEdits } from '../../review/minimalEdits';
import { splitLines } from '../../review/lines';
import { byteOrderMarkOf } from '../../review/byteOrderMark';
import { editorEdits, type UndoPlan } from '../../review/reviewedFile';
import type { ReviewLog } from '../../review/reviewLog';
import { isSameButLineBreaks } from '../../review/lines';
import type { BaseBytes } from './baseBytes';
import type { DiskChanges } from './diskChanges';
import { editorFollows } from '../workspaceFiles/editorFollows';
import { changeCells } from './notebooks/undoCells';
import type { IDisposable } from '../../shared/disposable';
import { whyNotUndone } from '../../shared/reviewWords';
import { documentOf, openDocument, openNotebook } from '../workspaceFiles/openDocument';
import { folderAt, likeOf, presentState } from '../workspaceFiles/presentState';
import { placeOf } from '../workspaceFiles/presentFile';
import { saveOver } from '../workspaceFiles/saveOver';
import {
  applyEdits,
  bytesOnDisk,
  isLink,
  isThere,
  makeFolder,
  move,
  putBytes,
  putLink,
  setMode,
  takeAway,
  takeFolderAway,
  takeWholeFolder,
} from '../workspaceFiles/workspaceFile';

/**
 * Applies an undo. In an open text document, the undo is one edit that the editor's own undo can revert. It's saved if
 * nothing was unsaved, because agents read the disk. Other files are changed on disk. A file that returns to its first
 * state gets its first bytes. Resolves to false if the file kept its new name, because another file has the old one now.
 */
export async function carryOut(log: ReviewLog, disk: DiskChanges, uri: string, plan: UndoPlan): Promise<boolean> {
  // Until the log has the undo, a look at the file would take it for a change of the agent that is running.
  const held = disk.hold(uri);
  try {
    return await carryOutHeld(log, disk, uri, plan, held);
  } finally {
    held.dispose();
  }
}

async function carryOutHeld(
  log: ReviewLog,
  disk: DiskChanges,
  uri: string,
  plan: UndoPlan,
  held: IDisposable,
): Promise<boolean> {
  const target = vscode.Uri.parse(uri);
  const { result, edits, moveTo, hasUserText } = plan;
  refuseUnsavedNotebook(target);
  const isTaken = moveTo !== undefined && (await isThere(vscode.Uri.parse(moveTo)));
  // Undoing an agent's new file first makes room.
  if (isTaken && log.file(moveTo)?.status?.kind === 'created') {
    throw new Error(l10n.t('A file named {0} already exists.', vscode.Uri.parse(moveTo).fsPath));
  }
  const file = log.file(uri);
  const current = file?.current;
  let seen: FileState | undefined = result;
  const isOnDisk = async () => {
    const now = current && (await presentState(target, likeOf(file)));
    // The undo of another name of the same file has already restored it.
    if (!current || !now || isSameContent(now, current) || isSameContent(now, result)) return;
    throw new Error(l10n.t('The file just changed on disk. Review the change, then undo it.'));
  };
  if (result.kind === 'unread') throw new Error(whyNotUndone(result.reason));
  if (moveTo !== undefined && !isTaken) await disk.noteMissingAbove(target.fsPath);
  // The agent took the user's permission to write.
  if (isWritable(result) && current && isFile(current) && current.mode !== undefined && !isWritable(current))
    await allowWriting(target, result);
  if (result.kind === 'absent') {
    await isOnDisk();
    await remove(target, disk, current);
    await disk.tidyAbove(target.fsPath);
  } else if (result.kind === 'folder' || result.kind === 'link') {
    await isOnDisk();
    await makePlace(target, result);
  } else if (!current || !isSameContent(result, current)) {
    if (hasUserText && losesText(file?.base, result) && !openDocument(target)) await copyAway(target, disk);
    const bytes = await disk.bases.bytesOf(uri, result);
    const document = openDocument(target);
    // The editor's save would write through the link.
    const isLinked = await isLink(target);
    // The disk side of unsaved text has no document of its own.
    const isByEdits =
      !isLinked &&
      !isDiskSide(uri) &&
      edits !== undefined &&
      (document !== undefined || !bytes) &&
      openNotebook(target) === undefined;
    const isShown = isByEdits && (current?.kind !== 'text' || (await isAsTold(target, current.text)));
    if (isByEdits && !isShown && openDocument(target)?.isDirty === true) {
      throw new Error(l10n.t('The text in the editor isn’t the text under review. Nothing was undone.'));
    }
    if (isShown) {
      if (!bytes) await refuseDamage(target);
      // The editor reports its own edit.
      held.dispose();
      await edit(target, edits);
      const correct = async () => {
        if (bytes) return putRight(target, bytes);
        // With changes left, the editor's line breaks count until they are decided, too.
        return file !== undefined && isSameContent(file.base, result) && (await putBreaks(target, result));
      };
      if (!(await disk.during(uri, correct))) seen = undefined;
    } else if (!isLinked && document?.isDirty === true && result.kind === 'text') {
      held.dispose();
      await replaceAll(document, result.text);
      seen = undefined;
    } else {
      const content = await contentOf(disk.bases, uri, result);
      await isOnDisk();
      if (!content) throw new Error(l10n.t('The previous version of {0} wasn’t saved.', target.path));
      const notebook = openNotebook(target);
      const isText = current?.kind === 'text' && result.kind === 'text';
      const isInCells = notebook && isText && (await changeCells(notebook, current.text, result.text));
      // A notebook editor formats the file in its own way.
      if (!isInCells || !(await holdsBytes(target, content))) await write(target, content);
      if (result.kind === 'text') await editorFollows(target, result.text);
    }
  }
  const isText = result.kind === 'text' && result.mark !== undefined && current?.kind === 'text';
  if (isText && result.mark !== current.mark)
    await disk.during(uri, () => putMark(target, result, disk.bases, isSameContent(result, current)));
  if (isFile(result) && result.mode !== undefined && process.platform !== 'win32') {
    const { mode } = result;
    await disk.during(uri, () => setMode(target, mode));
  }
  const now = seen ?? log.file(uri)?.current;
  if (now) log.userEdit(uri, await withTraits(target, now, result));
  // Something removed the renamed file, and nothing has reported it. It comes back under its old name.
  const isLost = moveTo !== undefined && !isTaken && isFile(result) && !(await isThere(target));
  const lost = isLost ? await contentOf(disk.bases, uri, result) : undefined;
  if (lost) await disk.during(uri, () => write(target, lost));
  if (isTaken) log.acceptRename(uri);
  else if (moveTo !== undefined)
    await disk.during(uri, () => disk.during(moveTo, () => moveReviewed(log, disk, uri, moveTo)));
  return !isTaken;
}

/** Returns the bytes of a file's state, if they are stored or can be encoded. */
async function contentOf(bases: BaseBytes, uri: string, state: FileState): Promise<Uint8Array | undefined> {
  return (await bases.bytesOf(uri, state)) ?? (state.kind === 'text' ? bases.encode(uri, state) : undefined);
}

function isWritable(state: FileState): boolean {
  return isFile(state) && state.mode !== undefined && (state.mode & 0o200) !== 0;
}

async function allowWriting(uri: vscode.Uri, { mode }: FileState & { mode?: number }): Promise<void> {
  if (mode === undefined || process.platform === 'win32' || !(await isThere(uri))) return;
  await setMode(uri, mode);
}

/** Undoing a created file keeps the user's lines in it. */
function losesText(base: FileState | undefined, result: FileState): boolean {
  return base?.kind !== 'absent' || result.kind !== 'text';
}

/** Copies a file that isn't open before the user's lines in it are overwritten, because no editor can undo that. */
async function copyAway(uri: vscode.Uri, { removed }: DiskChanges): Promise<void> {
  if (await isThere(uri)) await removed.copyAway(await placeOf(uri));
}

/** Uses the planned mode and the current byte order mark. */
async function withTraits(uri: vscode.Uri, state: FileState, result: FileState): Promise<FileState> {
  if (!isFile(state) || !isFile(result)) return state;
  const mode = result.mode === undefined ? {} : { mode: result.mode };
  if (state.kind !== 'text') return { ...state, ...mode };
  return { ...state, ...mode, mark: byteOrderMarkOf((await bytesOnDisk(uri)) ?? new Uint8Array()) };
}

/**
 * Writes a byte order mark to disk, because an editor neither shows it nor accepts it in an edit. If there are unsaved
 * changes, it waits.
 */
async function putMark(uri: vscode.Uri, result: TextState, bases: BaseBytes, isAll: boolean): Promise<void> {
  if (openDocument(uri)?.isDirty === true) {
    if (!isAll) return;
    throw new Error(l10n.t('The file has unsaved changes. Save or revert it, then undo this.'));
  }
  const bytes = await bytesOnDisk(uri);
  if (!bytes || byteOrderMarkOf(bytes) === result.mark) return;
  const text = await vscode.workspace.decode(bytes, { uri });
  await write(uri, await bases.encode(uri.toString(), { ...result, text }));
}

/** Returns true if the document still has the text that the edits were made for. */
async function isAsTold(uri: vscode.Uri, text: string): Promise<boolean> {
  const document = await documentOf(uri);
  await editorFollows(uri, text);
  return isSameButLineBreaks(document.getText(), text);
}

/** Rejects if the editor couldn't fully decode the text, because saving it would damage untouched parts. */
async function refuseDamage(uri: vscode.Uri): Promise<void> {
  const document = await documentOf(uri);
  const text = document.getText();
  if (!text.includes('\uFFFD')) return;
  const bytes = await vscode.workspace.encode(text, { encoding: document.encoding });
  if (await holdsBytes(uri, bytes)) return;
  throw new Error(
    l10n.t('The file isn’t valid {0}, so saving it would corrupt it. Undo the whole file instead.', document.encoding),
  );
}

async function edit(uri: vscode.Uri, edits: NonNullable<UndoPlan['edits']>): Promise<void> {
  const document = await documentOf(uri);
  const lineBreak = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const textEdits = minimalEdits(splitLines(document.getText()), editorEdits(edits)).map(
    ({ startLine, startCharacter, endLine, endCharacter, text }) =>
      vscode.TextEdit.replace(
        new vscode.Range(startLine, startCharacter, endLine, endCharacter),
        text.replaceAll('\n', lineBreak),
      ),
  );
  await apply(document, textEdits);
}

function replaceAll(document: vscode.TextDocument, text: string): Promise<void> {
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  return apply(document, [vscode.TextEdit.replace(document.validateRange(all), text)]);
}

async function apply(document: vscode.TextDocument, edits: vscode.TextEdit[]): Promise<void> {
  // Changed line breaks alone aren't an edit in an editor.
  if (edits.length === 0) return;
  const wasSaved = !document.isDirty;
  // Not awaited, because the edits apply only to the current text.
  const shown = wasSaved ? bytesShown(document) : undefined;
  const change = new vscode.WorkspaceEdit();
  change.set(document.uri, edits);
  if (!(await applyEdits(change))) {
    throw new Error(l10n.t('The editor couldn’t change {0}. Nothing was undone.', document.uri.path));
  }
  const before = await shown;
  if (!wasSaved || (await document.save()) || !before) return;
  // The file may be newer than the editor's record and still have the content that the editor showed.
  if (await holdsBytes(document.uri, before).catch(() => false)) await saveOver(document);
}

/** Returns the bytes on disk if the document shows exactly those. */
async function bytesShown(document: vscode.TextDocument): Promise<Uint8Array | undefined> {
  const shown = document.getText();
  try {
    const bytes = await bytesOnDisk(document.uri);
    if (!bytes) return undefined;
    const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
    return isSameButLineBreaks(shown, text) ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Moves a file to a place where the user can find it, because part of it may be the user's. */
async function remove(uri: vscode.Uri, { removed }: DiskChanges, current: FileState | undefined): Promise<void> {
  if (current?.kind === 'unread' && current.what === 'folder') {
    await takeWholeFolder(uri, removed);
    return;
  }
  if (current?.kind !== 'folder') {
    await takeAway(uri, removed);
    return;
  }
  await takeFolderAway(uri).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    // Other files were put there. The agent's own are listed.
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  });
}

/** Restores an empty folder or a symbolic link. */
async function makePlace(uri: vscode.Uri, state: Extract<FileState, { kind: 'folder' | 'link' }>): Promise<void> {
  if (state.kind === 'folder') {
    await makeFolder(uri);
    return;
  }
  await refuseFullFolder(uri);
  await putLink(uri, state.target);
}

/** Rejects if a folder in place of the file isn't empty. */
async function refuseFullFolder(uri: vscode.Uri): Promise<void> {
  if ((await folderAt(uri.fsPath)) !== 'full') return;
  throw new Error(l10n.t('A folder with that name now exists. Move or rename it, then undo again.'));
}

/**
 * Corrects a saved file's bytes, because an editor uses one kind of line break and one encoding per file. Resolves to
 * true if it wrote them.
 */
async function putRight(uri: vscode.Uri, bytes: Uint8Array): Promise<boolean> {
  if (openDocument(uri)?.isDirty === true || (await holdsBytes(uri, bytes))) return false;
  await write(uri, bytes);
  return true;
}

/** Like `putRight`, for a text whose bytes aren't known: only its line breaks can differ. */
async function putBreaks(uri: vscode.Uri, result: FileState): Promise<boolean> {
  const { encoding } = await documentOf(uri);
  const bytes = await bytesOnDisk(uri);
  if (result.kind !== 'text' || !bytes) return false;
  const now = await vscode.workspace.decode(bytes, { encoding });
  if (now === result.text || !isSameButLineBreaks(now, result.text)) return false;
  return putRight(uri, await vscode.workspace.encode(result.text, { encoding }));
}

async function write(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
  await refuseFullFolder(uri);
  await putBytes(uri, bytes);
}

function isFile(state: FileState): state is Extract<FileState, { kind: 'text' | 'binary' }> {
  return state.kind === 'text' || state.kind === 'binary';
}

async function moveReviewed(log: ReviewLog, disk: DiskChanges, from: string, to: string): Promise<void> {
  if (!(await move(vscode.Uri.parse(from), vscode.Uri.parse(to)))) {
    throw new Error(l10n.t('The editor couldn’t rename the file back.'));
  }
  disk.bases.rename(from, to);
  log.rename(from, to, { kind: 'user' });
  await disk.tidyAbove(vscode.Uri.parse(from).fsPath);
}

async function holdsBytes(uri: vscode.Uri, bytes: Uint8Array): Promise<boolean> {
  const now = await bytesOnDisk(uri);
  return now !== undefined && Buffer.from(bytes).equals(now);
}

/** Throws if an open notebook has unsaved changes, because it wouldn't follow its file. */
function refuseUnsavedNotebook(uri: vscode.Uri): void {
  if (openNotebook(uri)?.isDirty !== true) return;
  throw new Error(l10n.t('The notebook {0} has unsaved changes. Save or revert them first.', basename(uri.path)));
}
