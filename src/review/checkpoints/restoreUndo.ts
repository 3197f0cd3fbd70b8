import type { EntryId, SessionKey } from '../../shared/values/ids';
import { isRecord } from '../../shared/values/isRecord';
import { fromTurnsJson, isFileRef, isStoredRef, toTurnsJson } from './checkpointData';
import { storedRefs } from './checkpointList';
import type { Checkpoint } from './checkpoint';
import type { FileRef, StoredRef } from '../files/fileRef';

/** A file written by a restore: the restored state, and the state before. */
export interface RestoredFile {
  readonly restored: FileRef;
  readonly before: FileRef;
  /** The hash of the file's review data as JSON. Absent if there was none. */
  readonly review?: StoredRef;
  /** The agent's version, while the user merges it with the file in the editor. */
  readonly merging?: StoredRef;
}

/** The data to undo a restore. Contents are referenced by hash. */
export interface RestoreUndo {
  readonly session: SessionKey;
  /** The notice in the chat that reports the restore and offers its undo. */
  readonly notice: EntryId;
  /** The first words of the message whose files were restored, or the worktree whose changes were brought here. */
  readonly name: string;
  /** True if changes were brought from a worktree, instead of a restore. */
  readonly isBrought?: true;
  /** In milliseconds since the epoch. */
  readonly madeAt: number;
  /** Whether the restore may be incomplete: some files may still be unchanged, and one may be half written. */
  readonly isOpen: boolean;
  readonly files: ReadonlyMap<string, RestoredFile>;
  /** The data that the restore removed from the checkpoints. */
  readonly removed: readonly Checkpoint[];
}

/** Maximum number of restores that can be undone, and maximum size of their contents in bytes. */
export interface UndoLimits {
  readonly count: number;
  readonly size: number;
}

/** Returns all contents that undoing the restore needs. */
export function undoRefs({ files, removed }: RestoreUndo): StoredRef[] {
  const own = [...files.values()].flatMap(({ before, review, merging }) => [before, review, merging]);
  return [...own.filter((ref) => ref?.kind === 'stored'), ...storedRefs(removed)];
}

/** Returns the undos that exceed the limits, the oldest first. Never includes the last one, whatever its size. */
export function excessUndos(undos: readonly RestoreUndo[], { count, size }: UndoLimits): RestoreUndo[] {
  const seen = new Map<string, number>();
  const excess: RestoreUndo[] = [];
  for (const [index, undo] of undos.toSorted((a, b) => b.madeAt - a.madeAt).entries()) {
    for (const ref of undoRefs(undo)) seen.set(ref.hash, ref.size);
    const total = [...seen.values()].reduce((sum, one) => sum + one, 0);
    if (index > 0 && (excess.length > 0 || index >= count || total > size)) excess.unshift(undo);
  }
  return excess;
}

/** Converts an undo to JSON for `fromUndoJson`. */
export function toUndoJson({ files, removed, ...rest }: RestoreUndo): object {
  return { version: 1, ...rest, files: [...files], removed: toTurnsJson(removed) };
}

/** Reads the output of `toUndoJson`. Returns undefined for anything else, including other versions. */
export function fromUndoJson(json: unknown): RestoreUndo | undefined {
  if (!isRecord(json) || json['version'] !== 1 || !Array.isArray(json['files'])) return undefined;
  const { session, notice, name, madeAt, isOpen } = json;
  const files = (json['files'] as unknown[]).map(readFile);
  const removed = fromTurnsJson(json['removed']);
  const isNamed = typeof session === 'string' && typeof notice === 'string' && typeof name === 'string';
  if (!isNamed || typeof madeAt !== 'number' || !removed) return undefined;
  if (!files.every((file) => file !== undefined)) return undefined;
  const ids = { session: session as SessionKey, notice: notice as EntryId };
  const brought = json['isBrought'] === true ? { isBrought: true as const } : {};
  return { ...ids, name, ...brought, madeAt, isOpen: isOpen === true, files: new Map(files), removed };
}

function readFile(json: unknown): readonly [string, RestoredFile] | undefined {
  const [uri, file] = Array.isArray(json) ? (json as unknown[]) : [];
  if (typeof uri !== 'string' || !isRecord(file)) return undefined;
  const { restored, before, review, merging } = file;
  if (!isFileRef(restored) || !isFileRef(before)) return undefined;
  const stored = (name: string, ref: unknown) => (isStoredRef(ref) ? { [name]: ref } : {});
  return [uri, { restored, before, ...stored('review', review), ...stored('merging', merging) }];
}
