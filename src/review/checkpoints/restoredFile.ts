import { isSameLines, isSameState, linesOf, stateOf, type FileState } from '../files/fileState';
import { baseTraits } from '../log/fileTraits';
import { startData, type TrackedFileData } from '../log/trackedFileData';

/**
 * Returns the review data of a file restored to `state`, with the pending changes and authors of `earlier`, the review data at that time.
 * If `earlier` is undefined, nothing was pending. Returns undefined if the user has kept or undone changes since, or the file has other
 * content.
 */
export function restoredReview(
  present: TrackedFileData,
  earlier: TrackedFileData | undefined,
  state: FileState,
): TrackedFileData | undefined {
  const traits = baseTraits(present.traits);
  if (!earlier) {
    const base = stateOf(present.text.base, traits);
    return isSameState(base, state) ? startData(base, present.isWhole, false) : undefined;
  }
  if (!isSameLines(present.text.base, earlier.text.base)) return undefined;
  const then = baseTraits(earlier.traits);
  if (traits.mode !== then.mode || traits.mark !== then.mark) return undefined;
  return isSameLines(earlier.text.current, linesOf(state, earlier.isWhole)) ? earlier : undefined;
}

/** Returns whether a file has pending changes, or kept ones that can become pending again. */
export function hasReview({ text, traits, kept, keptTraits }: TrackedFileData): boolean {
  return text.hunks.length + traits.changes.length + kept.length + keptTraits.length > 0;
}
