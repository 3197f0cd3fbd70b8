import * as vscode from 'vscode';
import type { FileBefore } from '../../../baseline/baseline';
import { isSameState, type FileState } from '../../../review/files/fileState';
import { clockSlackMs } from '../moves/noticed';
import { folderAt, stateBefore, unreadBefore } from '../../workspaceFiles/presentState';
import { toolCallOf } from './toolCallFiles';
import { reportedBaseOf } from './turnReports';
import { isAtHome, type WatchedTurn } from './watchedTurns';

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
export interface Changed {
  readonly uri: vscode.Uri;
  /**
   * The names that the file has had since the turn began, the earliest first. Empty if the user has since removed what was here.
   */
  readonly names: readonly vscode.Uri[];
  /** The text that the user saved during the turn. */
  readonly saved: string | undefined;
}

/**
 * Returns a file's content before a turn: from the editor, or as recorded, or as reported by tool calls. Otherwise,
 * it's unknown. `present` is the current content. Never uses the content on disk after the turn began.
 */
export async function baseBefore(file: Changed, turn: WatchedTurn, present: FileState): Promise<Base> {
  const { uri, names } = file;
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
  const { before, path } = await readBefore(turn, names);
  const reason = before?.kind === 'skipped' ? before.reason : 'outside';
  const isFolder = (before?.kind === 'skipped' && before.within === path) || (await isFull(uri.fsPath));
  return { state: unreadBefore(isFolder ? 'folder' : 'file', reason) };
}

/** Returns the content on disk: as the user saved it, or as recorded before the turn. */
export async function recordedBase({ uri, names, saved }: Changed, turn: WatchedTurn): Promise<Base | undefined> {
  if (saved !== undefined) return { state: { kind: 'text', text: saved }, isRecorded: true };
  const { before, isRecorded } = await fileBefore(turn, names);
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
 * the turn and not after it. `names` are as in `Changed`. `isFollowed` is true if the review log has the file.
 */
export async function mayHaveRemoved(
  turn: WatchedTurn,
  gone: {
    readonly uri: vscode.Uri;
    readonly names: readonly vscode.Uri[];
    readonly at: number;
    readonly isFollowed: boolean;
  },
): Promise<boolean> {
  const { uri, names, at, isFollowed } = gone;
  if (at < turn.startedAt - clockSlackMs) return false;
  const seenAt = turn.seen.get(uri.toString());
  if (seenAt !== undefined) return seenAt <= (turn.endedAt ?? Infinity);
  const { before } = await fileBefore(turn, names);
  // In folders that the turn doesn't work in, such as another session's worktree, nothing says that there was a file.
  if (!before) return toolCallOf(turn, uri.fsPath) !== undefined || (isFollowed && isAtHome(turn, uri.fsPath));
  return turn.isBaselineWhole !== true || before.kind !== 'absent';
}

/** Returns what a turn's baseline has of a file that had these names, and the name that it's recorded under. */
export async function readBefore(
  turn: WatchedTurn,
  names: readonly vscode.Uri[],
): Promise<{ readonly before: FileBefore | undefined; readonly path: string | undefined }> {
  const baseline = await turn.baseline;
  // Which of the names the baseline has depends on whether the user moved the file before or after it was recorded.
  for (const { fsPath: path } of names) {
    const before = isLate(turn, path) ? late : await baseline.read(path);
    if (before?.kind !== 'absent') return { before, path };
  }
  return { before: { kind: 'absent' }, path: names[0]?.fsPath };
}

async function fileBefore(
  turn: WatchedTurn,
  names: readonly vscode.Uri[],
): Promise<{ before?: FileBefore; isRecorded: boolean }> {
  const { before: recorded } = await readBefore(turn, names);
  if (recorded && recorded.kind !== 'skipped') return { before: recorded, isRecorded: true };
  const noticed = names.map(({ fsPath }) => turn.noticed.get(fsPath)).find((one) => one !== undefined);
  return { ...(noticed ? { before: noticed } : {}), isRecorded: false };
}

const late = { kind: 'skipped', reason: 'late' } as const satisfies FileBefore;

/** Returns true if a file may have been the agent's already when it was recorded. */
function isLate(turn: WatchedTurn, path: string): boolean {
  return turn.late?.has(path) === true;
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
