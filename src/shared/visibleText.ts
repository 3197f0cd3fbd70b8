/**
 * Characters that a person wouldn't see, or would see in another place than they are: controls, bidirectional marks, zero-width and
 * tag characters, variation selectors beyond the common ones, unassigned and private ones, and separators of lines and paragraphs.
 */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0\u{E0100}-\u{E01EF}]/gu;
/** Spaces that look like the common one but aren't. */
const oddSpaces = /(?! )\p{Zs}/gu;

/** Whether a text has characters that a person wouldn't see, or would see elsewhere. */
export function hasHiddenText(text: string): boolean {
  return text.search(hidden) !== -1 || text.search(oddSpaces) !== -1;
}

/** The text with every hidden character spelled out, as in `\u{202e}`; line breaks and tabs stay. */
export function showHidden(text: string): string {
  return text.replace(hidden, spellOut).replace(oddSpaces, spellOut);
}

/** The same on a single line: line breaks and tabs are spelled out, too. */
export function showHiddenOnOneLine(text: string): string {
  return showHidden(text).replace(/\r/g, '\\r').replace(/\n/g, '\\n').replace(/\t/g, '\\t');
}

/**
 * A text of at most `length` characters that keeps its beginning and its end, and says how much isn't shown in between. A long
 * beginning can't push the end out of sight.
 */
export function shortenMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const omitted = text.length - length;
  const half = Math.max(1, Math.floor(length / 2));
  return `${text.slice(0, half)} … ${String(omitted)} characters … ${text.slice(text.length - half)}`;
}

function spellOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
