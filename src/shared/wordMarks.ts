import { diffWordsWithSpace } from 'diff';

/**
 * Returns the parts of `text` that aren't in `other`, as [start, end) pairs. Returns undefined if the lines have too little in common for
 * marks to help, or the comparison takes longer than `timeout` milliseconds.
 */
export function wordMarks(text: string, other: string, timeout = 4): (readonly [number, number])[] | undefined {
  if (text.length > 500 || other.length > 500 || text === other) return undefined;
  const changes = diffWordsWithSpace(other, text, { timeout, maxEditLength: 120 });
  if (!changes) return undefined;
  const marks: [number, number][] = [];
  let at = 0;
  let kept = 0;
  for (const change of changes) {
    if (change.removed) continue;
    const end = at + change.value.length;
    if (change.added) {
      const last = marks.at(-1);
      // Marks separated only by spaces are joined.
      if (last && text.slice(last[1], at).trim() === '') last[1] = end;
      else marks.push([at, end]);
    } else {
      kept += change.value.trim().length;
    }
    at = end;
  }
  const solid = text.trim().length;
  return kept * 4 < solid || kept === 0 ? undefined : marks;
}
