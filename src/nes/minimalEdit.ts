/** What an edit really removes and inserts, without what stays the same at both ends. */
export interface MinimalEdit {
  /** Number of UTF-16 units of the replaced text that stay at its start. */
  readonly kept: number;
  readonly removed: string;
  readonly inserted: string;
}

/** Returns the part of a replaced text and its replacement that differs. Never splits a character in two. */
export function minimalEdit(replaced: string, newText: string): MinimalEdit {
  const shorter = Math.min(replaced.length, newText.length);
  let kept = 0;
  while (kept < shorter && replaced[kept] === newText[kept]) kept++;
  if (splits(replaced, kept) || splits(newText, kept)) kept--;
  let end = 0;
  const at = (text: string) => text.length - 1 - end;
  while (end < shorter - kept && replaced[at(replaced)] === newText[at(newText)]) end++;
  if (splits(replaced, replaced.length - end) || splits(newText, newText.length - end)) end--;
  return {
    kept,
    removed: replaced.slice(kept, replaced.length - end),
    inserted: newText.slice(kept, newText.length - end),
  };
}

function splits(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1));
}
