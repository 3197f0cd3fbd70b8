import { diffWordsWithSpace } from 'diff';

/** Maximum length of a compared line. */
const maxLength = 500;
/** Maximum number of words that differ. Both limits keep a comparison short, and its result is the same on a busy machine. */
const maxEdits = 60;

/**
 * Returns the parts of `text` that aren't in `other`, as [start, end) pairs. Returns undefined if the lines are long or have too little in
 * common for marks to help.
 */
export function wordMarks(text: string, other: string): (readonly [number, number])[] | undefined {
  if (text.length > maxLength || other.length > maxLength || text === other) return undefined;
  const changes = diffWordsWithSpace(other, text, { maxEditLength: maxEdits });
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
