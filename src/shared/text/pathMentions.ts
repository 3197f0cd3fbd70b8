import { compact } from '../values/decodeValue';
import { hasHiddenText } from './visibleText';

/** A path in a text, with the place in the file if the text has one. Lines and columns start at 1. */
export interface PathMention {
  readonly start: number;
  readonly end: number;
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
}

/** Maximum length of a path with its line, in UTF-16 units. Longer words aren't looked at. */
const longest = 260;
/** What separates words in prose: white space, quotes, brackets, and punctuation of several scripts. */
const words = /[^\s<>"'`|,;()[\]{}*“”‘’«»„…、。，；：！？（）「」]+/g;
const place =
  /(?:#L(\d{1,7})(?:C(\d{1,5}))?(?:-L?(\d{1,7})(?:C\d{1,5})?)?|:(\d{1,7})(?::(\d{1,5}))?(?:-(\d{1,7})(?::\d{1,5})?)?)$/;
const separator = /[\\/]/;
const bareName = /^[\w.@+-]*\w\.[A-Za-z]\w{0,9}$/;
const drive = /^[A-Za-z]:[\\/]/;

/**
 * Returns what may be paths in prose, in order: with folders, or a name with an extension. Whether the files exist is another question.
 * Takes time linear in the text's length, whatever the text.
 */
export function pathMentions(text: string): PathMention[] {
  const found: PathMention[] = [];
  // Most texts have neither, and this is quicker than cutting them into words.
  if (!/[./\\]/.test(text)) return found;
  for (const match of text.matchAll(words)) {
    const [word] = match;
    if (word.length > longest + 20) continue;
    const mention = mentionIn(word, match.index);
    if (mention) found.push(withPlaceBehind(mention, text));
  }
  return found;
}

/** Adds a place in parentheses, as compilers write it: `a.ts(12,5)`. */
function withPlaceBehind(mention: PathMention, text: string): PathMention {
  if (mention.line !== undefined || text[mention.end] !== '(') return mention;
  const [whole = '', line, column] =
    /^\((\d{1,7})(?:, ?(\d{1,5}))?\)/.exec(text.slice(mention.end, mention.end + 20)) ?? [];
  const [lineNumber, columnNumber] = [numberOf(line), numberOf(column)];
  if (lineNumber === undefined) return mention;
  const end = mention.end + whole.length;
  return { ...mention, end, line: lineNumber, ...compact({ column: columnNumber }) };
}

/** Returns the path that is the whole of an inline code, which may have spaces and brackets. */
export function wholePathMention(text: string): PathMention | undefined {
  if (text.length > longest + 20 || /[\n\t]/.test(text) || text !== text.trim()) return undefined;
  if (/\s/.test(text) && !separator.test(text)) return undefined;
  return mentionIn(text, 0);
}

function mentionIn(word: string, at: number): PathMention | undefined {
  let end = word.length;
  while (end > 0 && '.:!?'.includes(word.charAt(end - 1))) end--;
  const whole = word.slice(0, end);
  const found = place.exec(whole);
  const path = found ? whole.slice(0, found.index) : whole;
  if (!isPathLike(path)) return undefined;
  const line = numberOf(found?.[1] ?? found?.[4]);
  const column = numberOf(found?.[2] ?? found?.[5]);
  const endLine = numberOf(found?.[3] ?? found?.[6]);
  return {
    start: at,
    end: at + end,
    path,
    ...compact({ line }),
    ...(line === undefined || column === undefined ? {} : { column }),
    ...(line === undefined || endLine === undefined || endLine < line ? {} : { endLine }),
  };
}

function numberOf(text: string | undefined): number | undefined {
  const value = Number(text);
  return value > 0 ? value : undefined;
}

/**
 * Returns whether a text has the shape of a path that may be looked up. Network paths never are, because looking one up would
 * connect to a host that the text names.
 */
export function isPathLike(path: string): boolean {
  if (path.length < 3 || path.length > longest || hasHiddenText(path)) return false;
  if (path.includes('://') || /^[\\/]{2}/.test(path) || /[<>"|?*\n]/.test(path)) return false;
  if (!/[\p{L}\p{N}]/u.test(path) || (path.includes(':') && !drive.test(path))) return false;
  if (!separator.test(path)) return bareName.test(path);
  // A trailing separator means a folder.
  return !/[\\/]\.{0,2}$/.test(path);
}
