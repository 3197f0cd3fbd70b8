import { isSameRef, type FileRef, type StoredRef } from '../files/fileRef';

/** One file in a checkpoint: its state before the turn's first write, and after the agent's last write. */
export interface CheckpointFile {
  readonly before: FileRef;
  readonly after: FileRef;
  /** The hash of the file's pending changes before the turn, as JSON. Absent if there were none. */
  readonly review?: StoredRef;
  /** Whether the user changed the file between two writes of the turn. */
  readonly isEdited?: boolean;
}

/** The files that one turn of a session wrote, by URI string. Turns count from 1. */
export interface Checkpoint {
  readonly turn: number;
  readonly files: ReadonlyMap<string, CheckpointFile>;
  /** Files the turn wrote whose earlier content is unknown. They are never restored. */
  readonly unrecorded: readonly string[];
  /** Renames by the agent. What the user wrote under the old name is in the file with the new name. */
  readonly renames?: readonly Renamed[];
}

/** The URIs of a renamed file. */
export type Renamed = readonly [from: string, to: string];

/** The effect of a restore on one file. */
export interface RestoreStep {
  readonly uri: string;
  readonly action: 'write' | 'delete' | 'none';
  /** The state to restore. */
  readonly ref: FileRef;
  /**
   * Changes by the user or another program that the restore would overwrite and that must be shown first: made after the agent's last write
   * (`editedSince`), or between two of the undone turns (`editedBetween`).
   */
  readonly conflict?: 'editedSince' | 'editedBetween';
}

/** A restore before it is carried out. The current contents must be stored before anything is written. */
export interface RestorePlan {
  readonly steps: readonly RestoreStep[];
  /** Files written since that aren't restored because their earlier content wasn't recorded. */
  readonly unrecorded: readonly string[];
}

/**
 * Records an agent's write: the state before a turn's first write, and the state after each write. What an earlier turn
 * started may write to a file after a later turn has. Then the file's current state is what the later turn is restored from.
 */
export function recordTouch(
  checkpoints: readonly Checkpoint[],
  turn: number,
  uri: string,
  file: CheckpointFile,
): Checkpoint[] {
  const known = checkpointOf(checkpoints, turn);
  if (known.unrecorded.includes(uri)) return [...checkpoints];
  const first = known.files.get(uri);
  const later = checkpoints.filter((one) => one.turn > turn && one.files.has(uri));
  const next = later[0]?.files.get(uri);
  const last = later.at(-1);
  const lastFile = last?.files.get(uri);
  const isEdited = file.isEdited === true || first?.isEdited === true;
  if (!next || !last || !lastFile) {
    const { before, review } = first ?? file;
    const recorded = { before, after: file.after, ...(review ? { review } : {}), ...(isEdited ? { isEdited } : {}) };
    return withFile(checkpoints, known, uri, recorded);
  }
  // Up to the next turn's first write, this turn left the file as it was then.
  const recorded = withFile(checkpoints, known, uri, first ?? { ...next, after: next.before });
  return withFile(recorded, last, uri, { ...lastFile, after: file.after });
}

function withFile(
  checkpoints: readonly Checkpoint[],
  checkpoint: Checkpoint,
  uri: string,
  file: CheckpointFile,
): Checkpoint[] {
  return withCheckpoint(checkpoints, { ...checkpoint, files: new Map(checkpoint.files).set(uri, file) });
}

/** Records an agent's write to a file whose content before the turn is unknown. */
export function recordUnknown(checkpoints: readonly Checkpoint[], turn: number, uri: string): Checkpoint[] {
  const known = checkpointOf(checkpoints, turn);
  if (known.files.has(uri) || known.unrecorded.includes(uri)) return [...checkpoints];
  return withCheckpoint(checkpoints, { ...known, unrecorded: [...known.unrecorded, uri] });
}

/** Records a rename by an agent. */
export function recordRename(checkpoints: readonly Checkpoint[], turn: number, renamed: Renamed): Checkpoint[] {
  const known = checkpointOf(checkpoints, turn);
  return withCheckpoint(checkpoints, { ...known, renames: [...(known.renames ?? []), renamed] });
}

/**
 * Plans how to restore the files to their state before `toTurn`: each file written in that turn or later returns to its state before the
 * first write. `present` has the current state of the files; a file missing there counts as absent. Files that already match get the action
 * `none`, so they aren't written.
 */
export function planRestore(
  checkpoints: readonly Checkpoint[],
  toTurn: number,
  present: ReadonlyMap<string, FileRef>,
): RestorePlan {
  const targets = new Map<string, CheckpointFile & { readonly isEditedBetween: boolean }>();
  const later = checkpoints.filter(({ turn }) => turn >= toTurn).sort((a, b) => a.turn - b.turn);
  const unrecorded = [...new Set(later.flatMap((one) => one.unrecorded))].sort();
  for (const { files, renames } of later) {
    for (const [uri, { before, after, isEdited }] of files) {
      if (unrecorded.includes(uri)) continue;
      const known = targets.get(uri);
      const isEditedEarlier = known !== undefined && (known.isEditedBetween || !isSameRef(known.after, before));
      const isEditedBetween = isEdited === true || isEditedEarlier;
      targets.set(uri, { before: known?.before ?? before, after, isEditedBetween });
    }
    for (const [from, to] of renames ?? []) {
      const target = targets.get(to);
      if (target && targets.get(from)?.isEditedBetween === true) targets.set(to, { ...target, isEditedBetween: true });
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

function withCheckpoint(checkpoints: readonly Checkpoint[], checkpoint: Checkpoint): Checkpoint[] {
  const others = checkpoints.filter(({ turn }) => turn !== checkpoint.turn);
  return [...others, checkpoint].sort((a, b) => a.turn - b.turn);
}
