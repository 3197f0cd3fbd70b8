import * as l10n from '@vscode/l10n';
import { compact } from '../../shared/values/decodeValue';
import type { ReviewPageHunk } from '../../shared/changes/reviewPage';
import type { ReviewedText } from '../log/changeText';
import { withoutBreak } from '../files/fileState';
import { reviewNotebook } from './notebookChanges';
import { readNotebook, type TextCell } from '../hunks/notebookText';

/** The lines of a cell's source in the text of the file. They count from 0, and `end` is exclusive. */
interface Source {
  readonly start: number;
  readonly end: number;
  /** The index of the cell. */
  readonly index: number;
  readonly kind: string;
}

/**
 * Returns the hunks of a notebook as their cells read: lines of a source without the JSON around them, with the numbers that they have in
 * their cell. Other lines, such as those of outputs, stay as they are in the file. Returns the hunks as they are if the text isn't a
 * notebook.
 */
export function hunksAsCells(text: ReviewedText, hunks: readonly ReviewPageHunk[]): readonly ReviewPageHunk[] {
  const notebook = reviewNotebook(text);
  if (!notebook) return hunks;
  const now = { cells: notebook.cells, sources: sourcesOf(text.current, notebook.cells) };
  const cells = readNotebook(text.base.join(''))?.cells ?? [];
  const then = { cells, sources: sourcesOf(text.base, cells) };
  const language = languageOf(text.current);
  return hunks.map((hunk) => {
    const { cut } = hunk;
    const whole = cut > 0 ? undefined : (asNewCell(hunk, now) ?? asRemovedCell(hunk, then));
    const shown = whole ?? asPartOfCell(hunk, now, then);
    return { ...shown.hunk, ...compact({ language: shown.kind === 'code' ? language : shown.kind }) };
  });
}

/** A version of a notebook. */
interface Cells {
  readonly cells: readonly TextCell[];
  readonly sources: readonly Source[];
}

interface Shown {
  readonly hunk: ReviewPageHunk;
  /** Undefined if the hunk's lines are still JSON. */
  readonly kind?: string;
}

function asNewCell(hunk: ReviewPageHunk, now: Cells): Shown | undefined {
  const source = hunk.removed.every(isPunctuation) && wholeCell(now, hunk.newLine - 1, hunk.newEnd - 1);
  if (!source) return undefined;
  const lines = hunk.added.slice(source.start - hunk.newLine + 1, source.end - hunk.newLine + 1).map(decoded);
  const heading = l10n.t('New cell {0}', source.index + 1);
  const end = lines.length + 1;
  return { hunk: { ...alone(hunk), heading, added: lines, newEnd: end }, kind: source.kind };
}

function asRemovedCell(hunk: ReviewPageHunk, then: Cells): Shown | undefined {
  const source = hunk.added.every(isPunctuation) && wholeCell(then, hunk.oldLine - 1, hunk.oldEnd - 1);
  if (!source) return undefined;
  const lines = hunk.removed.slice(source.start - hunk.oldLine + 1, source.end - hunk.oldLine + 1).map(decoded);
  const heading = l10n.t('Removed cell {0}', source.index + 1);
  const end = lines.length + 1;
  return { hunk: { ...alone(hunk), heading, removed: lines, oldEnd: end }, kind: source.kind };
}

/** The hunk without lines, at the beginning of a cell. */
function alone(hunk: ReviewPageHunk): ReviewPageHunk {
  const hidden = hunk.hidden + hunk.before.length;
  const none = { before: [], removed: [], added: [], after: [] };
  return { ...hunk, ...none, hidden, oldLine: 1, oldEnd: 1, newLine: 1, newEnd: 1 };
}

/** Returns the source of the only cell in these lines, if nothing else in them has something to say. */
function wholeCell({ cells, sources }: Cells, from: number, to: number): Source | undefined {
  const within = cells.flatMap((cell, index) => (cell.start < to && cell.end > from ? [{ cell, index }] : []));
  // A bracket that ends its cell may stand for the one that ends the cell before.
  const [only, ...others] = within.filter(({ cell }) => cell.start >= from && cell.end - 1 <= to);
  const isAlone = within.every(({ cell, index }) => index === only?.index || cell.end - 1 <= from || cell.start >= to);
  if (!only || others.length > 0 || !isAlone || only.cell.hasOutputs) return undefined;
  return sources.find(({ index }) => index === only.index);
}

function isPunctuation(line: string): boolean {
  return /^[\s{}[\],]*$/.test(line);
}

function asPartOfCell(hunk: ReviewPageHunk, now: Cells, then: Cells): Shown {
  const [newStart, newEnd, oldStart, oldEnd] = [hunk.newLine - 1, hunk.newEnd - 1, hunk.oldLine - 1, hunk.oldEnd - 1];
  const here = around(now.sources, newStart, newEnd);
  const before = around(then.sources, oldStart, oldEnd);
  const index = here?.index ?? now.cells.findIndex(({ start, end }) => start <= newStart && newStart < end);
  const heading = index < 0 ? hunk.heading : l10n.t('Cell {0}', index + 1);
  // A cell that is added or removed as a whole has JSON around its source.
  const isSource = (newStart === newEnd || here) && (oldStart === oldEnd || before) && (here ?? before);
  if (!isSource || hunk.cut > 0) return { hunk: { ...hunk, heading } };
  const above = here ? hunk.before.slice(Math.max(0, hunk.before.length - (newStart - here.start))) : [];
  const below = here ? hunk.after.slice(0, Math.max(0, here.end - newEnd)) : [];
  const [from, base] = [here?.start ?? newStart, before?.start ?? oldStart];
  const [removed, added] = [hunk.removed.map(decoded), hunk.added.map(decoded)];
  // A line that is no longer the last one gets a break and a comma, which aren't text of the cell.
  const differs = removed.findIndex((line, at) => line !== added[at]);
  const same = differs < 0 ? removed.length : differs;
  if (removed.length === same && added.length === same) return { hunk: { ...hunk, heading } };
  const shown = {
    ...hunk,
    oldLine: oldStart + same - base + 1,
    oldEnd: oldEnd - base + 1,
    newLine: newStart + same - from + 1,
    newEnd: newEnd - from + 1,
    before: [...above.map(decoded), ...added.slice(0, same)],
    removed: removed.slice(same),
    added: added.slice(same),
    after: below.map(decoded),
    hidden: hunk.hidden + hunk.before.length - above.length,
    heading,
  };
  return { hunk: shown, ...compact({ kind: (here ?? before)?.kind }) };
}

/** Returns the source with all these lines. An empty range is between two lines, or at an end. */
function around(sources: readonly Source[], from: number, to: number): Source | undefined {
  return sources.find(({ start, end }) => start <= from && to <= end);
}

/** Finds the sources that have each line on a line of the file, as most programs write them. */
function sourcesOf(lines: readonly string[], cells: readonly TextCell[]): Source[] {
  return cells.flatMap((cell, index): Source[] => {
    const own = lines.slice(cell.start, cell.end);
    const at = own.findIndex((line) => /^\s*"source": \[\s*$/.test(line));
    if (at < 0) return [];
    const count = own.slice(at + 1).findIndex((line) => decodedOrNone(line) === undefined);
    const start = cell.start + at + 1;
    // A text with the same beginning may be in an output, too.
    const text = lines.slice(start, start + count).map(decodedOrNone);
    const isWhole = text.join('\n') === cell.source;
    return isWhole ? [{ start, end: start + count, index, kind: cell.kind }] : [];
  });
}

/** The text of a line of a list of strings, without its break. Undefined if it's something else. */
function decodedOrNone(line: string): string | undefined {
  const [, text] = /^\s*("(?:[^"\\]|\\.)*"),?\s*$/.exec(line) ?? [];
  if (text === undefined) return undefined;
  try {
    return withoutBreak(JSON.parse(text) as string);
  } catch {
    return undefined;
  }
}

function decoded(line: string): string {
  return decodedOrNone(line) ?? line;
}

/** Returns the language of the code cells, as the notebook says it. */
function languageOf(lines: readonly string[]): string | undefined {
  const { metadata } = JSON.parse(lines.join('')) as { metadata?: { language_info?: { name?: unknown } } };
  const name = metadata?.language_info?.name;
  return typeof name === 'string' && /^[\w+#-]{1,40}$/.test(name) ? name.toLowerCase() : undefined;
}
