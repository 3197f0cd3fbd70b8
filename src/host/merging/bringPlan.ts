import type * as vscode from 'vscode';
import type { FileRef } from '../../review/files/fileRef';
import { compact } from '../../shared/values/decodeValue';
import type { WorktreeChange } from '../../worktree/bring/worktreeChanges';
import {
  changedHunks,
  mergeVersions,
  withHunks,
  type FileVersion,
  type Merged,
  type SideNames,
} from '../../worktree/repository/mergeFiles';
import { WorktreeProblem } from '../../worktree/repository/worktreeProblem';
import { causeOf } from '../workspaceFiles/fileProblemWords';
import { diskFiles } from '../workspaceFiles/diskFile';
import { placeOf, presentFile, refOf, type PresentFile } from '../workspaceFiles/presentFile';
import { isUnsavedNotebook } from '../workspaceFiles/workspaceFile';
import type { BringConflict, BringRequest, ChosenFile, SkippedFile } from './broughtChanges';
import { MovedHere, uriOf } from './bringTarget';
import { linkEnd } from './linkEnd';
import { versionAt } from './presentVersion';

/** A file's merge, before anything is written. */
export interface Planned {
  readonly change: WorktreeChange;
  readonly uri: vscode.Uri;
  readonly ours: PresentFile;
  readonly merged: Merged;
  /** The old place of a file that moves. */
  readonly from?: { readonly uri: vscode.Uri; readonly ours: PresentFile };
  /** Where a link leads, below the root. */
  readonly leadsTo?: string;
}

/** The merges of a request, before anything is written. */
export interface BringPlan {
  /** The merges that change something, or conflict. */
  readonly merges: readonly Planned[];
  /** The changes that the user's files have already. */
  readonly same: readonly WorktreeChange[];
  readonly skipped: readonly SkippedFile[];
}

/** Merges each change of a worktree with the user's file below `root`. Throws a `WorktreeProblem` if the repository can't be read. */
export async function planBringing(
  { worktree, files, base = worktree.record.base }: BringRequest,
  root: string,
  changes: readonly WorktreeChange[],
): Promise<BringPlan> {
  const plan = { merges: [] as Planned[], same: [] as WorktreeChange[], skipped: [] as SkippedFile[] };
  const moved = new MovedHere(worktree, root, base);
  for (const change of chosenOf(changes, files)) {
    try {
      const merge = await planOf(root, change, moved, { ours: 'workspace', theirs: worktree.record.branch });
      if (merge === 'outside' || merge === 'notebook') plan.skipped.push({ ...placesOf(change), reason: merge });
      else if (merge) plan.merges.push(merge);
      else plan.same.push(change);
    } catch (error) {
      if (error instanceof WorktreeProblem) throw error;
      plan.skipped.push({ ...placesOf(change), reason: { cause: causeOf(error) } });
    }
  }
  return plan;
}

/** The plans that write something. */
export function writesOf(merges: readonly Planned[]): readonly Planned[] {
  return merges.filter(({ merged, from }) => versionOf(merged) !== undefined || from !== undefined);
}

function chosenOf(
  changes: readonly WorktreeChange[],
  files: readonly ChosenFile[] | undefined,
): readonly WorktreeChange[] {
  if (!files) return changes;
  return files.flatMap(({ path, hunks }) => {
    const change = changes.find((one) => one.path === path);
    if (!change) return [];
    const { base, theirs } = change;
    if (!hunks || theirs.kind !== 'file') return [change];
    const before = base.kind === 'file' ? base.bytes : new Uint8Array();
    if (hunks.size === changedHunks(before, theirs.bytes).length) return [change];
    const bytes = withHunks(before, theirs.bytes, hunks);
    return [{ ...change, theirs: { ...theirs, bytes } }];
  });
}

/** Plans a file's merge. Undefined if there is nothing to do. */
async function planOf(
  root: string,
  change: WorktreeChange,
  moved: MovedHere,
  names: SideNames,
): Promise<Planned | 'outside' | 'notebook' | undefined> {
  const { path, base, theirs } = change;
  const leadsTo = theirs.kind === 'link' ? await linkEnd(root, path, theirs.target) : undefined;
  if (theirs.kind === 'link' && leadsTo === undefined) return 'outside';
  const old = change.from;
  const at = async (place: string) => {
    const uri = await uriOf(root, place);
    return { uri, ours: await presentFile(uri), isTaken: await isTaken(uri) };
  };
  let target = await at(path);
  const isRename = old !== undefined && target.ours.ref.kind === 'absent';
  let source = old !== undefined && isRename ? await at(old) : undefined;
  if (source?.ours.ref.kind === 'absent') source = undefined;
  const isMissing = target.ours.ref.kind === 'absent' && !source && base.kind !== 'absent';
  if (isMissing && theirs.kind !== 'absent') {
    const place = await moved.of(old ?? path);
    if (place !== undefined) target = await at(place);
  }
  if ([target, source].some((one) => one && isUnsavedNotebook(one.uri))) return 'notebook';
  const { uri, ours, isTaken: isOther } = target;
  const version = versionAt(source?.ours ?? ours, base.kind === 'file' && base.isExecutable);
  const merged: Merged = isOther
    ? { kind: 'conflict', conflict: 'place' }
    : await mergeVersions({ base, theirs, ours: version }, names);
  if (source) {
    const { uri: from } = source;
    // A conflict is for the user's own file, which then stays where it is.
    if (merged.kind === 'conflict') return { change, uri: from, ours: source.ours, merged };
    return { change, uri, ours, merged, from: { uri: from, ours: source.ours }, ...compact({ leadsTo }) };
  }
  if (merged.kind === 'same') return undefined;
  // Unsaved text has nothing to be compared with on disk.
  const isLost = ours.isUnsaved && merged.kind === 'merged' && merged.version.kind !== 'file';
  if (isLost) return { change, uri, ours, merged: { kind: 'conflict', conflict: 'deletedThere' } };
  return { change, uri, ours, merged, ...compact({ leadsTo }) };
}

/** Returns whether there is something at a path that is neither a file nor a link. */
async function isTaken(uri: vscode.Uri): Promise<boolean> {
  const { kind } = await diskFiles.look(await placeOf(uri));
  return kind === 'directory' || kind === 'special';
}

/** What to write. */
function versionOf(merged: Merged): FileVersion | undefined {
  if (merged.kind === 'same') return undefined;
  return merged.kind === 'merged' ? merged.version : merged.partly;
}

/** What a plan writes. A file that is only renamed has the user's content. */
export function writtenBy({ ours, merged, from }: Pick<Planned, 'ours' | 'merged' | 'from'>): FileVersion {
  return versionOf(merged) ?? versionAt(from?.ours ?? ours, false);
}

/** What the files will be after the plans, by URI. */
export function refsOf(plans: readonly Planned[]): ReadonlyMap<string, FileRef> {
  const refs = new Map<string, FileRef>();
  for (const plan of plans) {
    const version = writtenBy(plan);
    refs.set(plan.uri.toString(), version.kind === 'file' ? refOf(version.bytes, undefined) : version);
    if (plan.from) refs.set(plan.from.uri.toString(), { kind: 'absent' });
  }
  return refs;
}

export function conflictOf({ change, uri, ours, merged }: Planned): BringConflict[] {
  if (merged.kind !== 'conflict') return [];
  const present = merged.partly?.kind === 'file' ? merged.partly.bytes : ours.bytes;
  const { conflict, marked } = merged;
  const { base, theirs } = change;
  const more = { ...(present ? { present } : {}), ...(marked ? { marked } : {}) };
  return [{ uri: uri.toString(), ...placesOf(change), conflict, base, theirs, ...more }];
}

export function placesOf({ path, from }: WorktreeChange): Pick<SkippedFile, 'path' | 'from'> {
  return { path, ...compact({ from }) };
}
