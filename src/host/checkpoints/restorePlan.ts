import * as vscode from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import type { BlobStore } from '../../baseline/blobStore';
import { planRestore, type Checkpoint, type RestoreStep } from '../../review/checkpoints/checkpoint';
import { diffWithBreaks } from '../../review/hunks/diffWithBreaks';
import { countLines, linesOf, type FileState } from '../../review/files/fileState';
import type { FileRef } from '../../review/files/fileRef';
import type { EntryId } from '../../shared/values/ids';
import type { RestoreFile, RestorePreview, ReviewCount } from '../../shared/changes/review';
import { shownPath } from '../review/page/changedFilesFeed';
import { stateBefore } from '../workspaceFiles/presentState';
import { guardedReasonOf, presentFile, type PresentFile } from '../workspaceFiles/presentFile';
import { isUnsavedNotebook } from '../workspaceFiles/workspaceFile';

/** Lines of larger files aren't counted. In bytes. */
const countLimit = 5_000_000;

/** The steps of a restore now, and the state of the files that the plan is based on. */
export interface PresentPlan {
  /** All files, except those that already match and those whose content no longer exists. */
  readonly steps: readonly RestoreStep[];
  /** Files that already match the checkpoint and need no write. */
  readonly right: readonly string[];
  readonly present: ReadonlyMap<string, PresentFile>;
  readonly unrecorded: readonly string[];
}

/** Reads the files and plans how to restore them to the state before a turn. */
export async function planNow(
  checkpoints: readonly Checkpoint[],
  toTurn: number,
  contents: BlobStore,
): Promise<PresentPlan> {
  const uris = new Set(checkpoints.filter(({ turn }) => turn >= toTurn).flatMap(({ files }) => [...files.keys()]));
  const present = new Map<string, PresentFile>();
  for (const uri of uris) present.set(uri, await presentFile(vscode.Uri.parse(uri)));
  const plan = planRestore(checkpoints, toTurn, refsOf(present));
  const unrecorded = [...plan.unrecorded];
  const steps: RestoreStep[] = [];
  for (const step of plan.steps) {
    if (step.action === 'none') continue;
    if (step.ref.kind === 'stored' && !(await contents.get(step.ref.hash))) unrecorded.push(step.uri);
    else if (isUnsaved(step.uri, present)) steps.push({ ...step, conflict: 'editedSince' });
    else steps.push(step);
  }
  const right = plan.steps.filter(({ action }) => action === 'none').map(({ uri }) => uri);
  return { steps, right, present, unrecorded };
}

/** Returns the plan in the form that the page shows. */
export async function previewOf(
  { steps, present, unrecorded }: PresentPlan,
  entry: EntryId,
  cwd: string,
  contents: BlobStore,
): Promise<RestorePreview> {
  const files: RestoreFile[] = [];
  for (const { uri, action, ref, conflict } of steps) {
    const now = present.get(uri);
    const bytes = ref.kind === 'stored' ? await contents.get(ref.hash) : undefined;
    const isGuarded = (await guardedReasonOf(vscode.Uri.parse(uri))) !== undefined;
    const counts = await countChanges(vscode.Uri.parse(uri), now?.bytes, bytes);
    files.push({
      uri,
      path: shownPath(uri, cwd),
      action: action === 'delete' ? 'delete' : now && now.ref.kind !== 'absent' ? 'write' : 'create',
      counts: counts ?? { added: 0, removed: 0 },
      isBinary: counts === undefined,
      ...compact({ conflict }),
      ...(isGuarded ? { isGuarded } : {}),
    });
  }
  return { entry, files, unrecorded: unrecorded.map((uri) => shownPath(uri, cwd)) };
}

/** Converts file states to references by content hash. */
export function refsOf(present: ReadonlyMap<string, PresentFile>): ReadonlyMap<string, FileRef> {
  return new Map([...present].map(([uri, { ref }]) => [uri, ref]));
}

function isUnsaved(uri: string, present: ReadonlyMap<string, PresentFile>): boolean {
  return present.get(uri)?.isUnsaved === true || isUnsavedNotebook(vscode.Uri.parse(uri));
}

/** Resolves to undefined if the file has no lines to count. */
async function countChanges(
  uri: vscode.Uri,
  now: Uint8Array | undefined,
  then: Uint8Array | undefined,
): Promise<ReviewCount | undefined> {
  if ((now?.byteLength ?? 0) + (then?.byteLength ?? 0) > countLimit) return undefined;
  const [before, after] = await Promise.all([linesIn(uri, now), linesIn(uri, then)]);
  if (!before || !after) return undefined;
  let [added, removed] = [0, 0];
  for (const { oldStart, oldEnd, newStart, newEnd } of diffWithBreaks(before, after)) {
    removed += countLines(before.slice(oldStart, oldEnd));
    added += countLines(after.slice(newStart, newEnd));
  }
  return { added, removed };
}

async function linesIn(uri: vscode.Uri, bytes: Uint8Array | undefined): Promise<readonly string[] | undefined> {
  if (!bytes) return [];
  const state: FileState | undefined = await stateBefore(uri, { kind: 'file', bytes, isExecutable: false });
  return state?.kind === 'text' ? linesOf(state, false) : undefined;
}
