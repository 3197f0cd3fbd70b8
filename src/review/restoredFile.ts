import { isSameLines, linesOf, type FileState } from './fileState';
import { baseTraits } from './fileTraits';
import type { TrackedFileData } from './trackedFileData';

/**
 * What waits for review in a file that went back to `state`, where `earlier` is what was known of it then: the same changes by
 * the same authors as at that time. Undefined when the user has decided something since, or the file is not what it was.
 */
export function restoredReview(
  present: TrackedFileData,
  earlier: TrackedFileData,
  state: FileState,
): TrackedFileData | undefined {
  if (!isSameLines(present.text.base, earlier.text.base)) return undefined;
  const [one, other] = [baseTraits(present.traits), baseTraits(earlier.traits)];
  if (one.mode !== other.mode || one.mark !== other.mark) return undefined;
  return isSameLines(earlier.text.current, linesOf(state, earlier.isWhole)) ? earlier : undefined;
}
