import { linePairs } from '../../shared/diff/linePairs';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import { wordMarks } from '../../shared/diff/wordMarks';
import { lineBeside } from './changePlaces';
import { withoutBreak } from '../files/fileState';
import type { Hunk } from '../hunks/hunk';

/** Maximum characters of a removed text that the editor shows beside a line, so that it ends before the window does. */
const maxLength = 60;
/** In a change with more edited lines, only the first of them shows what was removed. */
const maxEdited = 20;

/** The texts of a file that a hunk is in, as lines with their breaks. */
interface Texts {
  readonly base: readonly string[];
  readonly current: readonly string[];
}

/** What a change removed, as a short text beside one of the lines around it. */
export interface RemovedText {
  /** The line of the file that it is beside. */
  readonly line: number;
  /** The words that the line no longer has, or the first removed line that isn't blank. Empty if all are blank. */
  readonly first: string;
  /** The number of removed lines that aren't shown. */
  readonly more: number;
}

/** The words of a line that its last kept version doesn't have, as [start, end) pairs. */
export interface AddedWords {
  readonly line: number;
  readonly ranges: readonly (readonly [start: number, end: number])[];
}

/** How the editor shows a change besides the color of its lines. */
export interface MarkedChange {
  readonly removed: readonly RemovedText[];
  readonly added: readonly AddedWords[];
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
 * Returns what to show of a change: on each edited line, the words that were removed and those that are new; for all other removed lines,
 * the first of them.
 */
export function markChange(texts: Texts, hunk: Hunk): MarkedChange {
  const removed = removedLines(texts, hunk);
  if (removed.length === 0) return { removed: [], added: [] };
  const now = linesIn(texts.current.slice(hunk.start, hunk.end));
  const pairs = [...linePairs(removed, now)].flatMap(([from, to]) => editedLine(removed[from], now[to], from, to));
  const edited = pairs.length > maxEdited ? [] : pairs;
  const others = removed.filter((_, at) => !edited.some(({ from }) => from === at));
  return {
    removed: [
      ...edited
        .filter(({ words }) => words !== '')
        .map(({ to, words }) => ({ line: hunk.start + to, first: words, more: 0 })),
      ...(others.length > 0 ? [{ line: lineBeside(hunk), ...firstOf(others) }] : []),
    ],
    added: edited
      .filter(({ ranges }) => ranges.length > 0)
      .map(({ to, ranges }) => ({ line: hunk.start + to, ranges })),
  };
}

interface EditedLine {
  readonly from: number;
  readonly to: number;
  readonly words: string;
  readonly ranges: AddedWords['ranges'];
}

/** Returns how a line was edited, or nothing if both have too little in common. */
function editedLine(before = '', after = '', from: number, to: number): EditedLine[] {
  // Lines that didn't change are between others that did.
  if (before === after) return [{ from, to, words: '', ranges: [] }];
  const gone = wordMarks(before, after);
  const ranges = wordMarks(after, before);
  if (!gone || !ranges) return [];
  return [{ from, to, words: wordsIn(before, gone), ranges }];
}

function wordsIn(line: string, ranges: AddedWords['ranges']): string {
  const parts = ranges.map(([start, end]) => {
    const part = line.slice(start, end);
    return part.trim() === '' ? visibleSpaces(part) : oneSpace(part);
  });
  return shorten(showHiddenOnOneLine(parts.join(' … ')));
}

function firstOf(removed: readonly string[]): Pick<RemovedText, 'first' | 'more'> {
  const line = removed.find((one) => one.trim() !== '') ?? '';
  return { first: shorten(showHiddenOnOneLine(oneSpace(line))), more: removed.length - (line === '' ? 0 : 1) };
}

function oneSpace(text: string): string {
  return text.trim().replace(/[ \t]+/g, ' ');
}

function visibleSpaces(text: string): string {
  return text.replaceAll(' ', '·').replaceAll('\t', '→');
}

function linesIn(lines: readonly string[]): string[] {
  // After the last break, there is an empty element.
  return lines.filter((line) => line !== '').map(withoutBreak);
}

function shorten(text: string): string {
  const characters = Array.from(text);
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}
