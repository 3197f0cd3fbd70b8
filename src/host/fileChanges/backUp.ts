import * as vscode from 'vscode';
import type { BlobStore } from '../../baseline/blobStore';
import type { FileRef } from '../../review/files/fileRef';
import type { RestoredFile } from '../../review/checkpoints/restoreUndo';
import type { ReviewLog } from '../../review/log/reviewLog';
import { compact } from '../../shared/values/decodeValue';
import { presentFile, type PresentFile } from '../workspaceFiles/presentFile';
import { storeReview } from './storedReview';

/** Where contents are stored, and what is under review. */
export interface BackupStores {
  readonly contents: BlobStore;
  readonly log: Pick<ReviewLog, 'file'>;
}

/**
 * Stores a file as it is now, with its review, and returns the record that undoes its change to `restored`. Rejects if that can't be stored.
 * `present` is the file if it was read already.
 */
export async function backUp(
  { contents, log }: BackupStores,
  uri: string,
  restored: FileRef,
  present?: Pick<PresentFile, 'ref' | 'bytes'>,
): Promise<RestoredFile> {
  const { ref: before, bytes } = present ?? (await presentFile(vscode.Uri.parse(uri)));
  if (bytes) await contents.save(bytes);
  const known = log.file(uri)?.snapshot;
  const review = known && (await storeReview(contents, known));
  return { restored, before, ...compact({ review }) };
}
