import { isSameRef, type FileRef, type StoredRef } from './fileRef';

/** One file in a checkpoint: as it was before the turn first touched it, and as the agent last left it. */
export interface CheckpointFile {
  readonly before: FileRef;
  readonly after: FileRef;
  /** Where the contents hold what waited for review in it before the turn, as JSON; not there when nothing did. */
  readonly review?: StoredRef;
}

/** The files that one turn of one session touched, by URI string. Turns count from 1. */
export interface Checkpoint {
  readonly turn: number;
  readonly files: ReadonlyMap<string, CheckpointFile>;
  /** Touched as well, but nobody knows what they held before: no restore goes near them. */
  readonly unrecorded: readonly string[];
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

/** A restore before it happens. What the files hold now must be stored before anything is written. */
export interface RestorePlan {
  readonly steps: readonly RestoreStep[];
  /** Files that were touched since and stay as they are, for what they held before was not recorded. */
  readonly unrecorded: readonly string[];
}

/** Records a write of an agent: of the first touch in a turn counts what was before, of each what is after. */
export function recordTouch(
  checkpoints: readonly Checkpoint[],
  turn: number,
  uri: string,
  file: CheckpointFile,
): Checkpoint[] {
  const known = checkpointOf(checkpoints, turn);
  if (known.unrecorded.includes(uri)) return [...checkpoints];
  const first = known.files.get(uri) ?? file;
  return put(checkpoints, { ...known, files: new Map(known.files).set(uri, { ...first, after: file.after }) });
}

/** Records a write of an agent to a file whose content before the turn is not known. */
export function recordUnknown(checkpoints: readonly Checkpoint[], turn: number, uri: string): Checkpoint[] {
  const known = checkpointOf(checkpoints, turn);
  if (known.files.has(uri) || known.unrecorded.includes(uri)) return [...checkpoints];
  return put(checkpoints, { ...known, unrecorded: [...known.unrecorded, uri] });
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
  const later = checkpoints.filter(({ turn }) => turn >= toTurn).sort((a, b) => a.turn - b.turn);
  const unrecorded = [...new Set(later.flatMap((one) => one.unrecorded))].sort();
  for (const { files } of later) {
    for (const [uri, { before, after }] of files) {
      if (unrecorded.includes(uri)) continue;
      const known = targets.get(uri);
      const isEditedBetween = known !== undefined && (known.isEditedBetween || !isSameRef(known.after, before));
      targets.set(uri, { before: known?.before ?? before, after, isEditedBetween });
    }
  }
  const steps: RestoreStep[] = [];
  for (const [uri, { before, after, isEditedBetween }] of [...targets].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const now = present.get(uri) ?? absent;
    const planned = step(uri, now, before);
    if (planned.action === 'none') steps.push(planned);
    else if (!isSameRef(now, after)) steps.push({ ...planned, conflict: 'editedSince' });
    else steps.push(isEditedBetween ? { ...planned, conflict: 'editedBetween' } : planned);
  }
  return { steps, unrecorded };
}

const absent: FileRef = { kind: 'absent' };

function step(uri: string, now: FileRef, ref: FileRef): RestoreStep {
  if (isSameRef(now, ref)) return { uri, action: 'none', ref };
  return { uri, action: ref.kind === 'absent' ? 'delete' : 'write', ref };
}

function checkpointOf(checkpoints: readonly Checkpoint[], turn: number): Checkpoint {
  return checkpoints.find((one) => one.turn === turn) ?? { turn, files: new Map(), unrecorded: [] };
}

function put(checkpoints: readonly Checkpoint[], checkpoint: Checkpoint): Checkpoint[] {
  const others = checkpoints.filter(({ turn }) => turn !== checkpoint.turn);
  return [...others, checkpoint].sort((a, b) => a.turn - b.turn);
}
