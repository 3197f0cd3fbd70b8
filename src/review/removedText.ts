import { withoutBreak } from './fileState';
import type { Hunk } from './hunk';
import { showHiddenOnOneLine } from '../shared/visibleText';

/** Maximum characters of a removed line that the editor shows beside the text. */
const maxLength = 100;

/** The texts of a file that a hunk is in, as lines with their breaks. */
interface Texts {
  readonly base: readonly string[];
  readonly current: readonly string[];
}

/** The removed lines of a change on one line. */
export interface RemovedText {
  /** The first line that isn’t blank, shortened. Empty if all lines are blank. */
  readonly first: string;
  /** The number of other lines. */
  readonly more: number;
}

/**
 * Returns the lines of the last kept version that a hunk removed or replaced, without their breaks. Returns none if only line breaks
 * differ, which the lines wouldn't show.
 */
export function removedLines({ base, current }: Texts, hunk: Hunk): readonly string[] {
  const removed = linesIn(base.slice(hunk.baseStart, hunk.baseEnd));
  const added = linesIn(current.slice(hunk.start, hunk.end));
  return removed.length === added.length && removed.every((line, at) => line === added[at]) ? [] : removed;
}

/**
 * Returns removed lines as a text for one line of the editor. `beside` is the line it's shown on: if both differ only in white space,
 * every space and tab is visible.
 */
export function removedText(removed: readonly string[], beside: string): RemovedText | undefined {
  if (removed.length === 0) return undefined;
  const line = removed.find((one) => one.trim() !== '') ?? '';
  const isSameButSpaces = line !== beside && withoutSpaces(line) === withoutSpaces(beside);
  const spaced = isSameButSpaces
    ? line.replaceAll(' ', '·').replaceAll('\t', '→')
    : line.trim().replace(/[ \t]+/g, ' ');
  return { first: shorten(showHiddenOnOneLine(spaced)), more: removed.length - (line === '' ? 0 : 1) };
}

function linesIn(lines: readonly string[]): string[] {
  // After the last break, there is an empty element.
  return lines.filter((line) => line !== '').map(withoutBreak);
}

function withoutSpaces(line: string): string {
  return line.replace(/\s+/g, '');
}

function shorten(text: string): string {
  const characters = Array.from(text);
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}
