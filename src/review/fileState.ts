import type { UnreadReason } from '../shared/review';
import type { ByteOrderMark } from './byteOrderMark';

/**
 * What a file is at one moment. `mode` is its permission bits, `mark` the byte order mark that its text begins with, where they are
 * known; undefined says nothing about them. A `link` is a symbolic one, a `folder` an empty one. `unread` was not looked into, for a
 * reason: of a file, or a folder with all that is in it, only `stamp` is known, which differs when it has been written. Before a change
 * it is empty.
 */
export type FileState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string; readonly mode?: number; readonly mark?: ByteOrderMark }
  | { readonly kind: 'binary'; readonly hash: string; readonly size: number; readonly mode?: number }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder' }
  | UnreadState;

/** A file or folder that was not looked into. */
export interface UnreadState {
  readonly kind: 'unread';
  readonly what: 'file' | 'folder';
  readonly reason: UnreadReason;
  readonly stamp: string;
}

/** From which size on a text is reviewed as a whole; whichever is reached first. Characters are UTF-16 units. */
export interface ReviewLimits {
  readonly characters: number;
  readonly lines: number;
}

/** A file that is a text. */
export type TextState = Extract<FileState, { kind: 'text' }>;

/** What a text may have before its review stops looking at single lines. */
export const defaultLimits: ReviewLimits = { characters: 5_000_000, lines: 50_000 };

/** Begins with half a surrogate pair, which no decoded file has: a text can never be taken for this. */
const opaqueMark = '\u0000\ud800';
const binaryMark = `${opaqueMark}binary `;

/**
 * The lines of a text, each with the break it has, counted as the editor counts them: the last one never has a break.
 * Joined they are the text again, character by character.
 */
export function linesWithBreaks(text: string): string[] {
  const lines: string[] = [];
  const pattern = text.includes('\r') ? /\r\n|\r|\n/g : /\n/g;
  let start = 0;
  while (pattern.exec(text) !== null) {
    lines.push(text.slice(start, pattern.lastIndex));
    start = pattern.lastIndex;
  }
  lines.push(text.slice(start));
  return lines;
}

/**
 * A file as lines to compare: none for an absent file, a single one that stands for what is no text, and a
 * single one with the whole text when `whole` asks for it.
 */
export function linesOf(state: FileState, whole: boolean): readonly string[] {
  switch (state.kind) {
    case 'absent':
      return [];
    case 'binary':
      return [`${binaryMark}${state.size} ${state.hash}`];
    case 'link':
    case 'folder':
    case 'unread':
      return [opaqueMark + JSON.stringify(state)];
    case 'text':
      return whole ? [state.text] : linesWithBreaks(state.text);
  }
}

/** The file that `lines` stand for; the other direction of `linesOf`. */
export function stateOf(
  lines: readonly string[],
  { mode, mark }: { readonly mode?: number; readonly mark?: ByteOrderMark } = {},
): FileState {
  const [first] = lines;
  if (first === undefined) return { kind: 'absent' };
  const bits = mode === undefined ? {} : { mode };
  if (!isOpaque(lines)) return { kind: 'text', text: lines.join(''), ...bits, ...(mark === undefined ? {} : { mark }) };
  if (!isBinary(lines)) return JSON.parse(first.slice(opaqueMark.length)) as FileState;
  const [size = '', ...hash] = first.slice(binaryMark.length).split(' ');
  return { kind: 'binary', hash: hash.join(' '), size: Number(size), ...bits };
}

/** Whether these lines stand for a binary file. */
export function isBinary(lines: readonly string[]): boolean {
  return lines[0]?.startsWith(binaryMark) === true;
}

/** Whether these lines stand for what is no text: a binary file, a link, a folder, or what was not read. */
export function isOpaque(lines: readonly string[]): boolean {
  return lines[0]?.startsWith(opaqueMark) === true;
}

/** What was not read, if these lines stand for that. */
export function unreadOf(lines: readonly string[]): UnreadState | undefined {
  if (!isOpaque(lines)) return undefined;
  const state = stateOf(lines);
  return state.kind === 'unread' ? state : undefined;
}

/** Whether a part of these lines means nothing by itself: there is no file, or what is no text. */
export function isIndivisible(lines: readonly string[]): boolean {
  return lines.length === 0 || isOpaque(lines);
}

/** Whether both are the same file; permission bits and byte order marks count only where both know them. */
export function isSameState(a: FileState, b: FileState): boolean {
  if (differs(modeOf(a), modeOf(b))) return false;
  if (a.kind === 'text' && b.kind === 'text' && differs(a.mark, b.mark)) return false;
  return isSameContent(a, b);
}

function differs<T>(a: T | undefined, b: T | undefined): boolean {
  return a !== b && a !== undefined && b !== undefined;
}

function modeOf(state: FileState): number | undefined {
  return state.kind === 'text' || state.kind === 'binary' ? state.mode : undefined;
}

/** Whether both are the same file but for permission bits and byte order mark. */
export function isSameContent(a: FileState, b: FileState): boolean {
  switch (a.kind) {
    case 'absent':
    case 'folder':
      return b.kind === a.kind;
    case 'text':
      return b.kind === 'text' && a.text === b.text;
    case 'binary':
      return b.kind === 'binary' && a.hash === b.hash;
    case 'link':
      return b.kind === 'link' && a.target === b.target;
    case 'unread':
      return b.kind === 'unread' && a.what === b.what && a.stamp === b.stamp;
  }
}

/** Whether two lists of lines are the same file. */
export function isSameLines(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((line, index) => line === b[index]));
}

/** Whether a text is to be reviewed as a whole. */
export function isLarge(text: string, limits: ReviewLimits): boolean {
  if (text.length > limits.characters) return true;
  if (text.length < limits.lines) return false;
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (++breaks >= limits.lines) return true;
  }
  return false;
}

/** How many lines of text these are, for counts that people read: what follows the last break counts when it is not empty. */
export function countLines(lines: readonly string[]): number {
  if (isOpaque(lines)) return 0;
  let count = 0;
  for (const line of lines) {
    if (line === '') continue;
    count++;
    // A text under review as a whole stands in one element.
    for (let at = line.indexOf('\n'); at >= 0 && at + 1 < line.length; at = line.indexOf('\n', at + 1)) count++;
  }
  return count;
}

/** A line without its break. */
export function withoutBreak(line: string): string {
  if (line.endsWith('\r\n')) return line.slice(0, -2);
  return line.endsWith('\n') || line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** The same lines with another break; a last line stays without one. */
export function withBreak(lines: readonly string[], lineBreak: string): string[] {
  return lines.map((line) => {
    const text = withoutBreak(line);
    return text.length === line.length ? line : text + lineBreak;
  });
}

/** The one break that all lines end with; undefined when there are several kinds, or none at all. */
export function onlyBreak(lines: readonly string[]): string | undefined {
  const found = new Set<string>();
  for (const line of lines) {
    const match = /\r\n$|[\r\n]$/.exec(line);
    if (match !== null) found.add(match[0]);
  }
  return found.size === 1 ? [...found][0] : undefined;
}
