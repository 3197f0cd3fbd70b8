import * as vscode from 'vscode';
import type { BlobStore } from '../../baseline/blobStore';
import { isSameRef } from '../../review/files/fileRef';
import type { ReviewLog } from '../../review/log/reviewLog';
import type { RestoredFile, RestoreUndo } from '../../review/checkpoints/restoreUndo';
import { startData } from '../../review/log/trackedFileData';
import { presentFile, type PresentFile } from '../workspaceFiles/presentFile';
import { readReview } from '../fileChanges/storedReview';
import type { WriteStep } from './writeSteps';

/**
 * The steps that undo a restore. `right`: files that already have their earlier content. `merged`: files that are replaced whatever they have,
 * because that is stored.
 */
export async function undoSteps(
  { files, isOpen }: RestoreUndo,
  contents: BlobStore,
  log: Pick<ReviewLog, 'file'>,
  merged: ReadonlyMap<string, RestoredFile> = new Map(),
): Promise<{ readonly steps: readonly WriteStep[]; readonly right: readonly string[] }> {
  const steps: WriteStep[] = [];
  const right: string[] = [];
  for (const [uri, file] of files) {
    const { restored, before: ref } = file;
    // A file that can't be read can't be written either, and the write reports that.
    const present = await presentFile(vscode.Uri.parse(uri)).catch(() => undefined);
    if (present && isSameRef(present.ref, ref)) {
      right.push(uri);
      continue;
    }
    const isTorn = isOpen && present !== undefined && (await isBeginning(present, file, contents));
    const review = await readReview(contents, file.review);
    steps.push({
      step: { uri, action: ref.kind === 'absent' ? 'delete' : 'write', ref },
      expected: isTorn ? present.ref : (merged.get(uri)?.before ?? restored),
      // Without a review before, nothing was pending. A comparison could find the change at other lines than the agent made it.
      review: (state) =>
        file.review === undefined && state.kind !== 'absent'
          ? startData(state, log.file(uri)?.isWhole === true, false)
          : review,
    });
  }
  return { steps, right };
}

/** Returns true if a file contains the start of what an interrupted restore was writing. */
async function isBeginning(
  { bytes, isUnsaved }: PresentFile,
  { restored }: RestoredFile,
  contents: BlobStore,
): Promise<boolean> {
  if (!bytes || isUnsaved || restored.kind !== 'stored' || bytes.byteLength >= restored.size) return false;
  const whole = await contents.get(restored.hash);
  return whole !== undefined && Buffer.from(bytes).equals(whole.subarray(0, bytes.byteLength));
}
