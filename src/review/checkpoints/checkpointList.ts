import type { Checkpoint } from './checkpoint';
import type { StoredRef } from '../files/fileRef';

/** Returns the size of the checkpoints' contents in bytes. Content shared by several checkpoints counts once. */
export function storedSize(checkpoints: readonly Checkpoint[]): number {
  let size = 0;
  for (const [, bytes] of blobs(checkpoints)) size += bytes;
  return size;
}

/** Removes the oldest checkpoints until the rest fits. Sessions are listed by any key, the least recently used first. */
export function pruneSessions<Key>(
  sessions: ReadonlyMap<Key, readonly Checkpoint[]>,
  maxSize: number,
): ReadonlyMap<Key, readonly Checkpoint[]> {
  const left = new Map([...sessions].map(([key, list]) => [key, list.toSorted((a, b) => a.turn - b.turn)]));
  const isTooMuch = () => storedSize([...left.values()].flat()) > maxSize;
  for (const [key, list] of left) {
    let kept = list;
    while (kept.length > 0 && isTooMuch()) {
      kept = kept.slice(1);
      left.set(key, kept);
    }
  }
  return left;
}

/** Returns the hashes of all contents that these checkpoints can restore. */
export function storedHashes(checkpoints: readonly Checkpoint[]): string[] {
  return [...blobs(checkpoints).keys()];
}

/** Removes restored files from the checkpoints of a turn and all later ones. Pass `removed` to `withFiles` to put them back. */
export function withoutFiles(
  checkpoints: readonly Checkpoint[],
  fromTurn: number,
  uris: ReadonlySet<string>,
): { readonly checkpoints: readonly Checkpoint[]; readonly removed: readonly Checkpoint[] } {
  const split = (isRemoved: boolean) =>
    checkpoints.flatMap((checkpoint) => {
      const isLater = checkpoint.turn >= fromTurn;
      const files = new Map([...checkpoint.files].filter(([uri]) => (isLater && uris.has(uri)) === isRemoved));
      const unrecorded = isRemoved ? [] : checkpoint.unrecorded;
      return files.size + unrecorded.length === 0 ? [] : [{ ...checkpoint, files, unrecorded }];
    });
  return { checkpoints: split(false), removed: split(true) };
}

/** Puts back what `withoutFiles` removed for these files. Checkpoints recorded in the meantime are preserved. */
export function withFiles(
  checkpoints: readonly Checkpoint[],
  removed: readonly Checkpoint[],
  uris: ReadonlySet<string>,
): Checkpoint[] {
  const turns = new Map(checkpoints.map((one) => [one.turn, one]));
  for (const { turn, files, renames } of removed) {
    const known = turns.get(turn) ?? { turn, files: new Map(), unrecorded: [], ...(renames ? { renames } : {}) };
    const back = [...files].filter(([uri]) => uris.has(uri) && !known.files.has(uri));
    if (back.length > 0) turns.set(turn, { ...known, files: new Map([...known.files, ...back]) });
  }
  return [...turns.values()].sort((a, b) => a.turn - b.turn);
}

/** Returns the contents that must be stored: only those a restore can need. The agent's result is identified by its hash alone. */
export function storedRefs(checkpoints: readonly Checkpoint[]): StoredRef[] {
  const files = checkpoints.flatMap((one) => [...one.files.values()]);
  return files.flatMap(({ before, review }) => [before, review].filter((ref) => ref?.kind === 'stored'));
}

function blobs(checkpoints: readonly Checkpoint[]): Map<string, number> {
  return new Map(storedRefs(checkpoints).map(({ hash, size }) => [hash, size]));
}
