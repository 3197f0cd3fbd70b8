import * as vscode from 'vscode';
import type { FileBefore } from '../../baseline/baseline';
import { isSameState, type FileState } from '../../review/fileState';
import { clockSlackMs } from './noticed';
import { folderAt, stateBefore, unreadBefore } from '../workspaceFiles/presentState';
import { reportedBaseOf } from './turnReports';
import type { WatchedTurn } from './watchedTurns';

/** A file's content before a turn, and its bytes if known. */
export interface Base {
  readonly state: FileState;
  /** Null if there was no file. */
  readonly bytes?: Uint8Array | null;
  readonly isGuess?: boolean;
  /** True if the turn's baseline has it, too. */
  readonly isRecorded?: boolean;
  /** True if all permission bits are known. Git stores only whether a file is executable. */
  readonly isModeKnown?: boolean;
}

/** A file whose content an agent changed. */
interface Changed {
  readonly uri: vscode.Uri;
  /** The file's URI when the turn began, if the user has moved it since. */
  readonly origin: vscode.Uri;
  /** The text that the user saved during the turn. */
  readonly saved: string | undefined;
}

/**
 * Returns a file's content before a turn: from the editor, or as recorded, or as reported by tool calls. Otherwise,
 * it's unknown. `present` is the current content. Never uses the content on disk after the turn began.
 */
export async function baseBefore(file: Changed, turn: WatchedTurn, present: FileState): Promise<Base> {
  const { uri, origin } = file;
  const typed = turn.documents.get(uri.toString());
  // If the editor and the disk match and the user didn't save, the editor has loaded the agent's text.
  if (typed && !isSameState(typed, present)) return { state: typed, isRecorded: true };
  const recorded = await recordedBase(file, turn);
  if (recorded) return { ...recorded, state: withModeLike(recorded, present) };
  const reported = reportedBaseOf(turn, uri.fsPath, present);
  if (reported) {
    const bytes = reported.kind === 'text' ? await vscode.workspace.encode(reported.text, { uri }) : null;
    return { state: reported, bytes, isGuess: true };
  }
  const before = await (await turn.baseline).read(origin.fsPath);
  const reason = before?.kind === 'skipped' ? before.reason : 'outside';
  const isFolder = (before?.kind === 'skipped' && before.within === origin.fsPath) || (await isFull(uri.fsPath));
  return { state: unreadBefore(isFolder ? 'folder' : 'file', reason) };
}

/** Returns the content on disk: as the user saved it, or as recorded before the turn. */
export async function recordedBase({ uri, origin, saved }: Changed, turn: WatchedTurn): Promise<Base | undefined> {
  if (saved !== undefined) return { state: { kind: 'text', text: saved }, isRecorded: true };
  const { before, isRecorded } = await fileBefore(turn, origin.fsPath);
  const state = before && (await stateBefore(uri, before));
  if (!before || !state) return undefined;
  return {
    state,
    isRecorded,
    bytes: before.kind === 'file' ? before.bytes : null,
    isModeKnown: before.kind === 'file' && before.mode !== undefined,
  };
}

/**
 * Returns true if a file deleted at `at` (milliseconds) or earlier can have been deleted in a turn: it existed during
 * the turn and not after it. `origin` is its URI when the turn began.
 */
export async function mayHaveRemoved(
  turn: WatchedTurn,
  { uri, origin, at }: { readonly uri: vscode.Uri; readonly origin: vscode.Uri; readonly at: number },
): Promise<boolean> {
  if (at < turn.startedAt - clockSlackMs) return false;
  const seenAt = turn.seen.get(uri.toString());
  if (seenAt !== undefined) return seenAt <= (turn.endedAt ?? Infinity);
  const { before } = await fileBefore(turn, origin.fsPath);
  return turn.isBaselineWhole !== true || before?.kind !== 'absent';
}

async function fileBefore(turn: WatchedTurn, path: string): Promise<{ before?: FileBefore; isRecorded: boolean }> {
  const recorded = await (await turn.baseline).read(path);
  if (recorded && recorded.kind !== 'skipped') return { before: recorded, isRecorded: true };
  const noticed = turn.noticed.get(path);
  return { ...(noticed ? { before: noticed } : {}), isRecorded: false };
}

async function isFull(path: string): Promise<boolean> {
  return (await folderAt(path)) === 'full';
}

/** If only the executable bit is known, a difference in the other bits isn't a change. */
function withModeLike({ state, isModeKnown }: Base, present: FileState): FileState {
  const isFile = (one: FileState) => one.kind === 'text' || one.kind === 'binary';
  if (isModeKnown === true || !isFile(state) || state.mode === undefined) return state;
  const isExecutable = (state.mode & 0o111) !== 0;
  const now = isFile(present) ? present.mode : undefined;
  // The mode that git would use.
  if (now === undefined) return { ...state, mode: isExecutable ? 0o755 : 0o644 };
  if (((now & 0o111) !== 0) === isExecutable) return { ...state, mode: now };
  return { ...state, mode: isExecutable ? now | ((now & 0o444) >> 2) : now & ~0o111 };
}
