import * as vscode from 'vscode';
import type { BlobStore } from '../../baseline/blobStore';
import { isSameRef } from '../../review/fileRef';
import type { RestoredFile, RestoreUndo } from '../../review/restoreUndo';
import { presentFile, type PresentFile } from '../workspaceFiles/presentFile';
import { readReview } from './reviewContent';
import type { WriteStep } from './writeSteps';

/** What takes a restore back: `right` are the files that are as they were before it already. */
export async function undoSteps(
  { files, isOpen }: RestoreUndo,
  contents: BlobStore,
): Promise<{ readonly steps: readonly WriteStep[]; readonly right: readonly string[] }> {
  const steps: WriteStep[] = [];
  const right: string[] = [];
  for (const [uri, file] of files) {
    const { restored, before: ref } = file;
    // What cannot be read now cannot be written either, and is told then.
    const present = await presentFile(vscode.Uri.parse(uri)).catch(() => undefined);
    if (present && isSameRef(present.ref, ref)) {
      right.push(uri);
      continue;
    }
    const isTorn = isOpen && present !== undefined && (await isBeginning(present, file, contents));
    const review = await readReview(contents, file.review);
    steps.push({
      step: { uri, action: ref.kind === 'absent' ? 'delete' : 'write', ref },
      expected: isTorn ? present.ref : restored,
      review: () => review,
    });
  }
  return { steps, right };
}

/** Whether a file holds the beginning of what a restore was writing when it was cut off. */
async function isBeginning(
  { bytes, isUnsaved }: PresentFile,
  { restored }: RestoredFile,
  contents: BlobStore,
): Promise<boolean> {
  if (!bytes || isUnsaved || restored.kind !== 'stored' || bytes.byteLength >= restored.size) return false;
  const whole = await contents.get(restored.hash);
  return whole !== undefined && Buffer.from(bytes).equals(whole.subarray(0, bytes.byteLength));
}
