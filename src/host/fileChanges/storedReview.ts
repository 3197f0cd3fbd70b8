import type { BlobStore } from '../../baseline/blobStore';
import type { StoredRef } from '../../review/files/fileRef';
import { fromFileJson, toFileJson, type TrackedFileData, type TrackedFileJson } from '../../review/log/trackedFileData';

/** Stores a file's review state with the contents. */
export async function storeReview(contents: BlobStore, data: TrackedFileData): Promise<StoredRef> {
  const bytes = Buffer.from(JSON.stringify(toFileJson(data)));
  return { kind: 'stored', hash: await contents.save(bytes), size: bytes.byteLength };
}

/** Reads what `storeReview` stored. Resolves to undefined if it no longer exists. */
export async function readReview(
  contents: BlobStore,
  ref: StoredRef | undefined,
): Promise<TrackedFileData | undefined> {
  const bytes = ref && (await contents.get(ref.hash));
  try {
    return bytes && fromFileJson(JSON.parse(Buffer.from(bytes).toString()) as TrackedFileJson);
  } catch {
    // The hash matches, so the content was never a review state.
    return undefined;
  }
}
