import type { EntryId, SessionKey } from '../shared/ids';
import { isRecord } from '../shared/isRecord';
import { fromTurnsJson, isFileRef, isStoredRef, toTurnsJson } from './checkpointData';
import { storedRefs } from './checkpointList';
import type { Checkpoint } from './checkpoint';
import type { FileRef, StoredRef } from './fileRef';

/** A file that a restore wrote: what it made of it, and what it was before. */
export interface RestoredFile {
  readonly restored: FileRef;
  readonly before: FileRef;
  /** Where the contents hold what the review knew of it, as JSON; not there when it knew nothing. */
  readonly review?: StoredRef;
}

/** What taking a restore back needs; contents are named by their hash. */
export interface RestoreUndo {
  readonly session: SessionKey;
  /** The line in the chat that tells of the restore and offers its undo. */
  readonly notice: EntryId;
  /** The first words of the message that the files went back to. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
  /** Nobody has told yet that all was written: some files may be as they were, and one half written. */
  readonly isOpen: boolean;
  readonly files: ReadonlyMap<string, RestoredFile>;
  /** What the checkpoints lost with it. */
  readonly removed: readonly Checkpoint[];
}

/** How many restores can be undone, and how much their contents may hold; bytes. */
export interface UndoLimits {
  readonly count: number;
  readonly size: number;
}

/** All contents that taking it back needs. */
export function undoRefs({ files, removed }: RestoreUndo): StoredRef[] {
  const own = [...files.values()].flatMap(({ before, review }) => [before, review]);
  return [...own.filter((ref) => ref?.kind === 'stored'), ...storedRefs(removed)];
}

/** Those that exceed the limits, the oldest first; never the last one, whatever its size. */
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

/** The undo as JSON that `fromUndoJson` reads again. */
export function toUndoJson({ files, removed, ...rest }: RestoreUndo): object {
  return { version: 1, ...rest, files: [...files], removed: toTurnsJson(removed) };
}

/** Reads what `toUndoJson` wrote; undefined when it is something else, of another version for one. */
export function fromUndoJson(json: unknown): RestoreUndo | undefined {
  if (!isRecord(json) || json['version'] !== 1 || !Array.isArray(json['files'])) return undefined;
  const { session, notice, name, madeAt, isOpen } = json;
  const files = (json['files'] as unknown[]).map(readFile);
  const removed = fromTurnsJson(json['removed']);
  const isNamed = typeof session === 'string' && typeof notice === 'string' && typeof name === 'string';
  if (!isNamed || typeof madeAt !== 'number' || !removed) return undefined;
  if (!files.every((file) => file !== undefined)) return undefined;
  const ids = { session: session as SessionKey, notice: notice as EntryId };
  return { ...ids, name, madeAt, isOpen: isOpen === true, files: new Map(files), removed };
}

function readFile(json: unknown): readonly [string, RestoredFile] | undefined {
  const [uri, file] = Array.isArray(json) ? (json as unknown[]) : [];
  if (typeof uri !== 'string' || !isRecord(file)) return undefined;
  const { restored, before, review } = file;
  if (!isFileRef(restored) || !isFileRef(before)) return undefined;
  return [uri, { restored, before, ...(isStoredRef(review) ? { review } : {}) }];
}
