import * as vscode from 'vscode';
import type { FileBefore } from '../../baseline/baseline';
import { isSameState, type FileState } from '../../review/fileState';
import { clockSlackMs } from './noticed';
import { folderAt, stateBefore, unreadBefore } from '../workspaceFiles/presentState';
import { reportedBaseOf } from './turnReports';
import type { WatchedTurn } from './watchedTurns';

/** What a file held before a turn, and its bytes if they are known. */
export interface Base {
  readonly state: FileState;
  /** Null where there was no file. */
  readonly bytes?: Uint8Array | null;
  readonly isGuess?: boolean;
  /** The turn's baseline knows it, too. */
  readonly isRecorded?: boolean;
  /** All permission bits are: git knows only whether a file can be executed. */
  readonly isModeKnown?: boolean;
}

/** A file of which an agent changed what it held. */
interface Changed {
  readonly uri: vscode.Uri;
  /** Where the file was when the turn began, if the user has moved it since. */
  readonly origin: vscode.Uri;
  /** What the user saved in it during the turn. */
  readonly saved: string | undefined;
}

/**
 * What a file held before a turn: as the user had it in the editor, else as it was recorded, else as it is told, else that nobody knows.
 * `present` is what is there now. Never what was on disk after the turn began.
 */
export async function baseBefore(file: Changed, turn: WatchedTurn, present: FileState): Promise<Base> {
  const { uri, origin } = file;
  const typed = turn.documents.get(uri.toString());
  // What the editor and the disk have in common, though the user never saved it, the editor took from there.
  if (typed && !isSameState(typed, present)) return { state: typed, isRecorded: true };
  const recorded = await recordedBase(file, turn);
  if (recorded) return { ...recorded, state: withModeLike(recorded, present) };
  const told = reportedBaseOf(turn, uri.fsPath, present);
  if (told) {
    const bytes = told.kind === 'text' ? await vscode.workspace.encode(told.text, { uri }) : null;
    return { state: told, bytes, isGuess: true };
  }
  const before = await (await turn.baseline).read(origin.fsPath);
  const reason = before?.kind === 'skipped' ? before.reason : 'outside';
  const isFolder = (before?.kind === 'skipped' && before.within === origin.fsPath) || (await isFull(uri.fsPath));
  return { state: unreadBefore(isFolder ? 'folder' : 'file', reason) };
}

/** What was on disk: as the user saved it, else as it was recorded before a turn. */
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
 * Whether a file that went at `at` or before (ms) can have gone in a turn: it was there in its time, and not after it. `origin` is where
 * it was when the turn began.
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

/** Where only the executable bit is known, the other bits are nobody's change. */
function withModeLike({ state, isModeKnown }: Base, present: FileState): FileState {
  const isFile = (one: FileState) => one.kind === 'text' || one.kind === 'binary';
  if (isModeKnown === true || !isFile(state) || state.mode === undefined) return state;
  const isExecutable = (state.mode & 0o111) !== 0;
  const now = isFile(present) ? present.mode : undefined;
  // What git would give it.
  if (now === undefined) return { ...state, mode: isExecutable ? 0o755 : 0o644 };
  if (((now & 0o111) !== 0) === isExecutable) return { ...state, mode: now };
  return { ...state, mode: isExecutable ? now | ((now & 0o444) >> 2) : now & ~0o111 };
}
