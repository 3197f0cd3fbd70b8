/**
 * Characters that are invisible or displayed out of order: controls, bidirectional marks, zero-width and tag
 * characters, uncommon variation selectors, unassigned and private characters, and line and paragraph separators.
 */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0\u{E0100}-\u{E01EF}]/gu;
/** Spaces that look like the common one but aren't. */
const oddSpaces = /(?! )\p{Zs}/gu;

/** Returns whether a text has characters that are invisible or displayed out of order. */
export function hasHiddenText(text: string): boolean {
  return text.search(hidden) !== -1 || text.search(oddSpaces) !== -1;
}

/** Returns the text with every hidden character spelled out, as in `\u{202e}`; keeps line breaks and tabs. */
export function showHidden(text: string): string {
  return text.replace(hidden, spellOut).replace(oddSpaces, spellOut);
}

/** Does the same on a single line; also spells out line breaks and tabs. */
export function showHiddenOnOneLine(text: string): string {
  return showHidden(text).replace(/\r/g, '\\r').replace(/\n/g, '\\n').replace(/\t/g, '\\t');
}

/**
 * Shortens a text to at most `length` characters. Keeps the beginning and the end, and states how much is left out, so
 * that a long beginning can't hide the end.
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
