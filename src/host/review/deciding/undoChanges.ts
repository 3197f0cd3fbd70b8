import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { byteOrderMarkOf } from '../../../review/files/byteOrderMark';
import { isDiskSide } from '../../../review/files/diskSide';
import { isSameContent, type FileState } from '../../../review/files/fileState';
import { editorEdits, type UndoPlan } from '../../../review/log/reviewedFile';
import type { ReviewLog } from '../../../review/log/reviewLog';
import type { TrackedFile } from '../../../review/log/trackedFile';
import { compact } from '../../../shared/values/decodeValue';
import type { IDisposable } from '../../../shared/values/disposable';
import { whyNotUndone } from '../../../shared/changes/reviewWords';
import { changeFile } from '../../fileChanges/changeFiles';
import {
  ChangeRefused,
  type EditorStep,
  type ExpectedFile,
  type NextContent,
  type NextFile,
  type NextTraits,
} from '../../fileChanges/fileChange';
import { folderAt, likeOf } from '../../workspaceFiles/presentState';
import { bytesOnDisk, isThere, move } from '../../workspaceFiles/workspaceFile';
import type { BaseBytes } from '../stored/baseBytes';
import type { DiskChanges } from '../recording/diskChanges';

/**
 * Makes an undo, and tells the log. A file that returns to its first state gets its first bytes. Resolves to false if the file kept its new
 * name, because another file has the old one now.
 */
export async function carryOut(log: ReviewLog, disk: DiskChanges, uri: string, plan: UndoPlan): Promise<boolean> {
  // Until the log has the undo, a look at the file would take it for a change of the agent that is running.
  const held = disk.hold(uri);
  try {
    return await carryOutHeld(log, disk, uri, plan, held);
  } catch (error) {
    throw error instanceof ChangeRefused ? new Error(refusedWords(uri, error)) : error;
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
  const { result, moveTo } = plan;
  const isTaken = moveTo !== undefined && (await isThere(vscode.Uri.parse(moveTo)));
  // Undoing an agent's new file first makes room.
  if (isTaken && log.file(moveTo)?.status?.kind === 'created') {
    throw new Error(l10n.t('A file named {0} already exists.', vscode.Uri.parse(moveTo).fsPath));
  }
  if (result.kind === 'unread') throw new Error(whyNotUndone(result.reason));
  const file = log.file(uri);
  const current = file?.current;
  const expected = current && { states: [current, result], like: likeOf(file) };
  const next = await nextOf({ disk, uri, plan, file, held, expected });
  await changeFile({
    uri,
    // A file is checked if it's written as a whole. In the editor, its text is.
    expected: next.kind === 'file' || next.kind === 'traits' ? undefined : expected,
    next,
    record: async ({ check, apply }) => {
      await check();
      if (moveTo !== undefined && !isTaken) await disk.noteMissingAbove(target.fsPath);
      if (next.kind === 'file' || next.kind === 'link') await refuseFullFolder(target);
      const now = (await apply()) === 'disk' ? result : log.file(uri)?.current;
      if (now) log.userEdit(uri, await withTraits(target, now, result));
    },
  });
  // Something removed the renamed file, and nothing has reported it. It comes back under its old name.
  const isLost = moveTo !== undefined && !isTaken && isFile(result) && !(await isThere(target));
  const lost = isLost ? await contentOf(disk.bases, uri, result) : undefined;
  if (lost) await putLost(disk, uri, lost);
  if (isTaken) log.acceptRename(uri);
  else if (moveTo !== undefined)
    await disk.during(uri, () => disk.during(moveTo, () => moveReviewed(log, disk, uri, moveTo)));
  return !isTaken;
}

interface UndoneChange {
  readonly disk: DiskChanges;
  readonly uri: string;
  readonly plan: UndoPlan;
  readonly file: TrackedFile | undefined;
  readonly held: IDisposable;
  readonly expected: ExpectedFile | undefined;
}

/** Returns what comes in the file's place. */
async function nextOf(change: UndoneChange): Promise<NextFile> {
  const { disk, uri, plan, file } = change;
  const { result } = plan;
  const current = file?.current;
  if (result.kind === 'absent') {
    const isWhole = current?.kind === 'unread' && current.what === 'folder';
    const folder = isWhole ? 'whole' : current?.kind === 'folder' ? 'empty' : undefined;
    // Part of it may be the user's.
    const { removed } = disk;
    return { kind: 'absent', removed, tidy: (path) => disk.tidyAbove(path), ...compact({ folder }) };
  }
  if (result.kind === 'folder' || result.kind === 'link') return result;
  const traits = traitsOf(change, result);
  if (current && isSameContent(result, current)) return { kind: 'traits', ...traits };
  const exact = await disk.bases.bytesOf(uri, result);
  const step = stepOf(change, exact);
  const copied = plan.hasUserText && losesText(file?.base, result) ? disk.removed : undefined;
  const text = result.kind === 'text' ? result.text : undefined;
  const before = current?.kind === 'text' ? current.text : undefined;
  return {
    kind: 'file',
    ...traits,
    bytes: async () => {
      const content = exact ?? (await contentOf(disk.bases, uri, result));
      if (content) return content;
      throw new Error(l10n.t('The previous version of {0} wasn’t saved.', vscode.Uri.parse(uri).path));
    },
    unsaved: 'edited',
    ...compact({ step, copied, text, before, whole: change.expected }),
  } satisfies NextContent;
}

/** An undo in an open text document is one edit that the editor's own undo can revert. */
function stepOf({ uri, plan, file }: UndoneChange, exact: Uint8Array | undefined): EditorStep | undefined {
  const { result, edits } = plan;
  // The disk side of unsaved text has no document of its own.
  if (edits === undefined || isDiskSide(uri)) return undefined;
  const before = file?.current.kind === 'text' ? file.current.text : undefined;
  // With changes left, the editor's line breaks count until they are decided, too.
  const isLast = file !== undefined && isSameContent(file.base, result);
  const breaks = isLast && result.kind === 'text' ? result.text : undefined;
  return { edits: editorEdits(edits), before, exact, breaks };
}

function traitsOf({ disk, uri, file, held }: UndoneChange, result: FileState): NextTraits {
  const follower = {
    release: () => held.dispose(),
    during: <T>(write: () => Promise<T>) => disk.during(uri, write),
  };
  if (!isFile(result)) return { follower };
  const current = file?.current;
  // Windows has no such bits.
  const mode = process.platform === 'win32' ? undefined : result.mode;
  const isMarked = result.kind === 'text' && current?.kind === 'text' && result.mark !== current.mark;
  const mark =
    isMarked && result.mark !== undefined
      ? {
          mark: result.mark,
          isAll: isSameContent(result, current),
          encode: (text: string) => disk.bases.encode(uri, { ...result, text }),
        }
      : undefined;
  return { follower, ...compact({ mark, permissions: mode === undefined ? undefined : { mode } }) };
}

/** Returns the bytes of a file's state, if they are stored or can be encoded. */
async function contentOf(bases: BaseBytes, uri: string, state: FileState): Promise<Uint8Array | undefined> {
  return (await bases.bytesOf(uri, state)) ?? (state.kind === 'text' ? bases.encode(uri, state) : undefined);
}

function putLost(disk: DiskChanges, uri: string, bytes: Uint8Array): Promise<void> {
  return changeFile({
    uri,
    expected: undefined,
    next: { kind: 'file', bytes: () => Promise.resolve(bytes), unsaved: 'kept' },
    record: ({ apply }) => disk.during(uri, async () => void (await apply())),
  });
}

/** Undoing a created file keeps the user's lines in it. */
function losesText(base: FileState | undefined, result: FileState): boolean {
  return base?.kind !== 'absent' || result.kind !== 'text';
}

/** Uses the planned mode and the current byte order mark. */
async function withTraits(uri: vscode.Uri, state: FileState, result: FileState): Promise<FileState> {
  if (!isFile(state) || !isFile(result)) return state;
  const mode = result.mode === undefined ? {} : { mode: result.mode };
  if (state.kind !== 'text') return { ...state, ...mode };
  return { ...state, ...mode, mark: byteOrderMarkOf((await bytesOnDisk(uri)) ?? new Uint8Array()) };
}

/** Rejects if a folder in place of the file isn't empty. */
async function refuseFullFolder(uri: vscode.Uri): Promise<void> {
  if ((await folderAt(uri.fsPath)) !== 'full') return;
  throw new Error(l10n.t('A folder with that name now exists. Move or rename it, then undo again.'));
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

/** Says why an undo left a file as it was. */
function refusedWords(uri: string, { reason, detail }: ChangeRefused): string {
  switch (reason) {
    case 'changed':
      return l10n.t('The file just changed on disk. Review the change, then undo it.');
    case 'notebook':
      return l10n.t(
        'The notebook {0} has unsaved changes. Save or revert them first.',
        basename(vscode.Uri.parse(uri).path),
      );
    case 'otherText':
      return l10n.t('The text in the editor isn’t the text under review. Nothing was undone.');
    case 'unsavedMark':
      return l10n.t('The file has unsaved changes. Save or revert it, then undo this.');
    case 'encoding':
      return l10n.t('The file isn’t valid {0}, so saving it would corrupt it. Undo the whole file instead.', detail);
    case 'editor':
      return l10n.t('The editor couldn’t change {0}. Nothing was undone.', detail);
  }
}
