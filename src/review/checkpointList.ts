import type { Checkpoint } from './checkpoint';
import type { StoredRef } from './fileRef';

/** Bytes that checkpoints hold; content that several of them share counts once. */
export function storedSize(checkpoints: readonly Checkpoint[]): number {
  let size = 0;
  for (const [, bytes] of blobs(checkpoints)) size += bytes;
  return size;
}

/** Several sessions' checkpoints by any key, the least recently used session first: the oldest go until the rest fits. */
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

/** The hashes of all contents that these checkpoints can go back to. */
export function storedHashes(checkpoints: readonly Checkpoint[]): string[] {
  return [...blobs(checkpoints).keys()];
}

/** Takes files out of the checkpoints of a turn and all later ones, since they were restored; `removed` puts them back. */
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
      return files.size + unrecorded.length === 0 ? [] : [{ turn: checkpoint.turn, files, unrecorded }];
    });
  return { checkpoints: split(false), removed: split(true) };
}

/** Puts back what `withoutFiles` took out of the named files; what was recorded since stays beside it. */
export function withFiles(
  checkpoints: readonly Checkpoint[],
  removed: readonly Checkpoint[],
  uris: ReadonlySet<string>,
): Checkpoint[] {
  const turns = new Map(checkpoints.map((one) => [one.turn, one]));
  for (const { turn, files } of removed) {
    const known = turns.get(turn) ?? { turn, files: new Map(), unrecorded: [] };
    const back = [...files].filter(([uri]) => uris.has(uri) && !known.files.has(uri));
    if (back.length > 0) turns.set(turn, { ...known, files: new Map([...known.files, ...back]) });
  }
  return [...turns.values()].sort((a, b) => a.turn - b.turn);
}

/** Only what a restore can go back to is stored; what an agent left is known by its hash alone. */
export function storedRefs(checkpoints: readonly Checkpoint[]): StoredRef[] {
  const files = checkpoints.flatMap((one) => [...one.files.values()]);
  return files.flatMap(({ before, review }) => [before, review].filter((ref) => ref?.kind === 'stored'));
}

function blobs(checkpoints: readonly Checkpoint[]): Map<string, number> {
  return new Map(storedRefs(checkpoints).map(({ hash, size }) => [hash, size]));
}
