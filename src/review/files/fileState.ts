import type { UnreadReason } from '../../shared/changes/review';
import type { ByteOrderMark } from './byteOrderMark';

/**
 * The state of a file at one moment. `mode` has the permission bits and `mark` the byte order mark of a text; undefined means unknown. A
 * `link` is a symbolic link, and a `folder` is an empty folder. `unread` is a file, or a folder with all its contents, that wasn't read for
 * a reason. Only its `stamp` is known, which changes when it is written and is empty before a change.
 */
export type FileState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string; readonly mode?: number; readonly mark?: ByteOrderMark }
  | { readonly kind: 'binary'; readonly hash: string; readonly size: number; readonly mode?: number }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder' }
  | UnreadState;

/** A file or folder that wasn't read. */
export interface UnreadState {
  readonly kind: 'unread';
  readonly what: 'file' | 'folder';
  readonly reason: UnreadReason;
  readonly stamp: string;
}

/** Limits from which a text is reviewed as a whole. Characters are UTF-16 units. */
export interface ReviewLimits {
  readonly characters: number;
  readonly lines: number;
}

/** The state of a text file. */
export type TextState = Extract<FileState, { kind: 'text' }>;

/** The default limits for review by lines. */
export const defaultLimits: ReviewLimits = { characters: 5_000_000, lines: 50_000 };

/** Begins with half a surrogate pair, which no decoded file contains, so no text can be mistaken for this mark. */
const opaqueMark = '\u0000\ud800';
const binaryMark = `${opaqueMark}binary `;

/**
 * Returns the lines of a text with their breaks, counted as in the editor: the last line never has a break. The joined lines equal the
 * text.
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
 * Returns a file as lines to compare: none for an absent file, one placeholder for anything but text, and one line with the whole text if
 * `whole` is true.
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

/** Returns the file that `lines` represent. The inverse of `linesOf`. */
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

/** Returns whether these lines represent a binary file. */
export function isBinary(lines: readonly string[]): boolean {
  return lines[0]?.startsWith(binaryMark) === true;
}

/** Returns whether these lines represent anything but text: a binary file, a link, a folder, or an unread file. */
export function isOpaque(lines: readonly string[]): boolean {
  return lines[0]?.startsWith(opaqueMark) === true;
}

/** Returns the unread file that these lines represent, if any. */
export function unreadOf(lines: readonly string[]): UnreadState | undefined {
  if (!isOpaque(lines)) return undefined;
  const state = stateOf(lines);
  return state.kind === 'unread' ? state : undefined;
}

/** Returns whether these lines can't be reviewed in parts, because there is no file or it isn't text. */
export function isIndivisible(lines: readonly string[]): boolean {
  return lines.length === 0 || isOpaque(lines);
}

/** Returns whether both are the same file. Permission bits and byte order marks count only if both have them. */
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

/** Returns whether both are the same file, ignoring permission bits and byte order marks. */
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

/** Returns whether two lists of lines are the same file. */
export function isSameLines(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((line, index) => line === b[index]));
}

/** Returns whether a text must be reviewed as a whole. */
export function isLarge(text: string, limits: ReviewLimits): boolean {
  if (text.length > limits.characters) return true;
  if (text.length < limits.lines) return false;
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (++breaks >= limits.lines) return true;
  }
  return false;
}

/** Counts lines of text for display. Text after the last break counts as a line if it isn't empty. */
export function countLines(lines: readonly string[]): number {
  if (isOpaque(lines)) return 0;
  let count = 0;
  for (const line of lines) {
    if (line === '') continue;
    count++;
    // A text reviewed as a whole is a single element.
    for (let at = line.indexOf('\n'); at >= 0 && at + 1 < line.length; at = line.indexOf('\n', at + 1)) count++;
  }
  return count;
}

/** Returns a line without its break. */
export function withoutBreak(line: string): string {
  if (line.endsWith('\r\n')) return line.slice(0, -2);
  return line.endsWith('\n') || line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Returns the lines with another break. The last line stays without one. */
export function withBreak(lines: readonly string[], lineBreak: string): string[] {
  return lines.map((line) => {
    const text = withoutBreak(line);
    return text.length === line.length ? line : text + lineBreak;
  });
}

/** Returns the break that all lines end with, or undefined if there are several kinds or none. */
export function onlyBreak(lines: readonly string[]): string | undefined {
  const found = new Set<string>();
  for (const line of lines) {
    const match = /\r\n$|[\r\n]$/.exec(line);
    if (match !== null) found.add(match[0]);
  }
  return found.size === 1 ? [...found][0] : undefined;
}
