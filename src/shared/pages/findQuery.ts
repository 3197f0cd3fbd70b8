import type { EntryId } from '../values/ids';
import { linearPattern } from '../text/linearPattern';

/** What to find in a session, and how. */
export interface FindQuery {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  readonly isRegex: boolean;
}

/** An entry with matches, and how many. */
export type FoundEntry = readonly [entry: EntryId, count: number];

/** Returns where a query matches a line, in order: start and end. */
export type LineMatcher = (line: string) => readonly (readonly [start: number, end: number])[];

/** Maximum number of matches of a regular expression in a line: each may have to read the rest of the line. */
const mostInLine = 500;

const wordCharacter = /[\p{L}\p{M}\p{N}_]/u;

/**
 * Compiles a query. Returns undefined if it is empty, or a regular expression that is invalid or can't run in linear
 * time. Matches never span lines.
 */
export function lineMatcher({ text, matchCase, wholeWord, isRegex }: FindQuery): LineMatcher | undefined {
  if (text === '') return undefined;
  const all = isRegex ? regexMatches(text, matchCase) : textMatches(text, matchCase);
  if (!all || !wholeWord) return all;
  return (line) => all(line).filter(([start, end]) => isBoundary(line, start) && isBoundary(line, end));
}

function regexMatches(source: string, matchCase: boolean): LineMatcher | undefined {
  const pattern = linearPattern(source, matchCase ? '' : 'i');
  if (!pattern) return undefined;
  return (line) => {
    const found: (readonly [number, number])[] = [];
    for (const match of pattern.matches(line)) {
      found.push(match);
      if (found.length >= mostInLine) break;
    }
    return found;
  };
}

function textMatches(text: string, matchCase: boolean): LineMatcher {
  // A text without special characters is searched in linear time.
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), matchCase ? 'gu' : 'giu');
  return (line) => Array.from(line.matchAll(pattern), ({ 0: found, index }) => [index, index + found.length] as const);
}

/** Returns whether a word begins or ends at a position, or neither side is part of a word. */
function isBoundary(line: string, at: number): boolean {
  const before = Array.from(line.slice(Math.max(0, at - 2), at)).at(-1) ?? '';
  const after = String.fromCodePoint(line.codePointAt(at) ?? 32);
  return !(wordCharacter.test(before) && wordCharacter.test(after));
}
