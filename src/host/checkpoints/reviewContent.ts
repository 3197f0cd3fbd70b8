import type { BlobStore } from '../../baseline/blobStore';
import type { StoredRef } from '../../review/fileRef';
import { fromFileJson, toFileJson, type TrackedFileData, type TrackedFileJson } from '../../review/trackedFileData';

/** Stores what the review knows of a file among the contents. */
export async function storeReview(contents: BlobStore, data: TrackedFileData): Promise<StoredRef> {
  const bytes = Buffer.from(JSON.stringify(toFileJson(data)));
  return { kind: 'stored', hash: await contents.put(bytes), size: bytes.byteLength };
}

/** What `storeReview` stored; undefined when it is not there any more. */
export async function readReview(
  contents: BlobStore,
  ref: StoredRef | undefined,
): Promise<TrackedFileData | undefined> {
  const bytes = ref && (await contents.get(ref.hash));
  try {
    return bytes && fromFileJson(JSON.parse(Buffer.from(bytes).toString()) as TrackedFileJson);
  } catch {
    // Its hash is right, so it was never a review.
    return undefined;
  }
}
