import * as vscode from 'vscode';
import type { FileBefore } from '../../baseline/baseline';
import type { FileState } from '../../review/fileState';
import { stateBefore } from './presentState';
import { toldBaseOf } from './toldBase';
import type { WatchedTurn } from './turns';

/** What a file held before a turn, and its bytes if they are known. */
export interface Base {
  readonly state: FileState;
  /** Null where there was no file. */
  readonly bytes?: Uint8Array | null;
  readonly isGuess?: boolean;
  /** The turn's baseline knows it, too. */
  readonly isRecorded?: boolean;
}

/**
 * What a file held before a turn: as the user had it in the editor, else as it was recorded, else as it is told. `origin` is
 * where the file was then, if the user has moved it since.
 */
export async function baseBefore(
  uri: vscode.Uri,
  origin: vscode.Uri,
  turn: WatchedTurn,
  present: FileState,
): Promise<Base | undefined> {
  const typed = turn.documents.get(uri.toString());
  if (typed) return { state: typed, isRecorded: true };
  const recorded = await recordedBase(uri, origin, turn);
  if (recorded) return recorded;
  const told = toldBaseOf(turn, uri.fsPath, present);
  if (!told) return undefined;
  const bytes = told.kind === 'text' ? await vscode.workspace.encode(told.text, { uri }) : null;
  return { state: told, bytes, isGuess: true };
}

/** What was recorded of a file before a turn. */
export async function recordedBase(uri: vscode.Uri, origin: vscode.Uri, turn: WatchedTurn): Promise<Base | undefined> {
  const path = origin.fsPath;
  const recorded = await (await turn.baseline).read(path);
  const isRecorded = recorded !== undefined && recorded.kind !== 'skipped';
  const before: FileBefore | undefined = isRecorded ? recorded : turn.noticed.get(path);
  const state = before && (await stateBefore(uri, before));
  return before && state && { state, isRecorded, bytes: before.kind === 'file' ? before.bytes : null };
}
