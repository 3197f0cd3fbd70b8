import { isSameLines, isSameState, linesOf, stateOf, type FileState } from './fileState';
import { baseTraits } from './fileTraits';
import { startData, type TrackedFileData } from './trackedFileData';

/**
 * What waits for review in a file that went back to `state`, where `earlier` is what was known of it then: the same changes by
 * the same authors as at that time; without it, nothing waited. Undefined when the user has decided something since, or the file
 * is not what it was.
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

/** Whether something waits for review in a file, or can be made to wait again. */
export function hasReview({ text, traits, kept, keptTraits }: TrackedFileData): boolean {
  return text.hunks.length + traits.changes.length + kept.length + keptTraits.length > 0;
}
