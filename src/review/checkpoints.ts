import { isSameRef, type FileRef } from './fileRef';

/** One file in a checkpoint: as it was before the turn first touched it, and as the agent last left it. */
export interface CheckpointFile {
  readonly before: FileRef;
  readonly after: FileRef;
}

/** The files that one turn of one session touched, by URI string. Turns count from 1. */
export interface Checkpoint {
  readonly turn: number;
  readonly files: ReadonlyMap<string, CheckpointFile>;
}

/** What a restore does to one file. */
export interface RestoreStep {
  readonly uri: string;
  readonly action: 'write' | 'delete' | 'none';
  /** What the file is to become. */
  readonly ref: FileRef;
  /**
   * Work of the user, or of somebody else, that would be overwritten: show it first. They changed the file after the
   * agent's last write, or else between two of the turns that go.
   */
  readonly conflict?: 'editedSince' | 'editedBetween';
}

/** A restore before it happens, and the restore that takes it back; its blobs must be stored before anything is written. */
export interface RestorePlan {
  readonly steps: readonly RestoreStep[];
  readonly inverse: readonly RestoreStep[];
}

/** Records a write of an agent: `before` counts at the first touch in a turn only, `after` always. */
export function recordTouch(
  checkpoints: readonly Checkpoint[],
  turn: number,
  uri: string,
  file: CheckpointFile,
): Checkpoint[] {
  const known = checkpoints.find((one) => one.turn === turn);
  const first = known?.files.get(uri)?.before ?? file.before;
  const files = new Map(known?.files).set(uri, { before: first, after: file.after });
  return [...checkpoints.filter((one) => one.turn !== turn), { turn, files }].sort((a, b) => a.turn - b.turn);
}

/**
 * What brings the files back to where they were before `toTurn`: every file touched in that turn or later, as it was at
 * its first touch. `present` is what stands there now; a file that is missing in it counts as absent. Files that are
 * already right get the action `none`, so that nothing touches them.
 */
export function planRestore(
  checkpoints: readonly Checkpoint[],
  toTurn: number,
  present: ReadonlyMap<string, FileRef>,
): RestorePlan {
  const targets = new Map<string, CheckpointFile & { readonly isEditedBetween: boolean }>();
  for (const { turn, files } of [...checkpoints].sort((a, b) => a.turn - b.turn)) {
    if (turn < toTurn) continue;
    for (const [uri, { before, after }] of files) {
      const known = targets.get(uri);
      const isEditedBetween = known !== undefined && (known.isEditedBetween || !isSameRef(known.after, before));
      targets.set(uri, { before: known?.before ?? before, after, isEditedBetween });
    }
  }
  const steps: RestoreStep[] = [];
  const inverse: RestoreStep[] = [];
  for (const [uri, { before, after, isEditedBetween }] of [...targets].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const now = present.get(uri) ?? absent;
    const planned = step(uri, now, before);
    if (planned.action === 'none') steps.push(planned);
    else if (!isSameRef(now, after)) steps.push({ ...planned, conflict: 'editedSince' });
    else steps.push(isEditedBetween ? { ...planned, conflict: 'editedBetween' } : planned);
    inverse.push(step(uri, before, now));
  }
  return { steps, inverse };
}

/**
 * The plan again right before it is carried out, or for its inverse later on: `expected` is what the files were when
 * it was made. What is neither that nor the target any more is a conflict.
 */
export function recheckSteps(
  steps: readonly RestoreStep[],
  expected: ReadonlyMap<string, FileRef>,
  present: ReadonlyMap<string, FileRef>,
): RestoreStep[] {
  return steps.map(({ uri, ref, conflict }) => {
    const now = present.get(uri) ?? absent;
    const again = step(uri, now, ref);
    if (again.action === 'none') return again;
    if (!isSameRef(now, expected.get(uri) ?? absent)) return { ...again, conflict: 'editedSince' };
    return conflict === undefined ? again : { ...again, conflict };
  });
}

/** Bytes that checkpoints hold; content that several of them share counts once. */
export function storedSize(checkpoints: readonly Checkpoint[]): number {
  let size = 0;
  for (const [, bytes] of blobs(checkpoints)) size += bytes;
  return size;
}

/** What is left after the oldest checkpoints went to meet a size in bytes, and the hashes that nothing needs any more. */
export function pruneCheckpoints(
  checkpoints: readonly Checkpoint[],
  maxSize: number,
): { readonly checkpoints: readonly Checkpoint[]; readonly unused: readonly string[] } {
  let kept = [...checkpoints].sort((a, b) => a.turn - b.turn);
  const uses = new Map<string, number>();
  const sizes = new Map(blobs(kept));
  for (const ref of kept.flatMap(storedRefs)) uses.set(ref.hash, (uses.get(ref.hash) ?? 0) + 1);
  let size = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const unused: string[] = [];
  while (size > maxSize && kept.length > 0) {
    const [oldest, ...rest] = kept;
    for (const { hash } of oldest === undefined ? [] : storedRefs(oldest)) {
      const left = (uses.get(hash) ?? 1) - 1;
      uses.set(hash, left);
      if (left > 0) continue;
      size -= sizes.get(hash) ?? 0;
      unused.push(hash);
    }
    kept = rest;
  }
  return { checkpoints: kept, unused };
}

const absent: FileRef = { kind: 'absent' };

function step(uri: string, now: FileRef, ref: FileRef): RestoreStep {
  if (isSameRef(now, ref)) return { uri, action: 'none', ref };
  return { uri, action: ref.kind === 'absent' ? 'delete' : 'write', ref };
}

type StoredRef = Extract<FileRef, { kind: 'stored' }>;

/** Only what a restore can go back to is stored; what an agent left is known by its hash alone. */
function storedRefs({ files }: Checkpoint): StoredRef[] {
  return [...files.values()].flatMap(({ before }) => (before.kind === 'stored' ? [before] : []));
}

function blobs(checkpoints: readonly Checkpoint[]): Map<string, number> {
  return new Map(checkpoints.flatMap(storedRefs).map(({ hash, size }) => [hash, size]));
}
