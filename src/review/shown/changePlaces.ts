import type { Hunk, HunkId } from '../hunks/hunk';
import type { ReviewLog } from '../log/reviewLog';
import type { TrackedFile } from '../log/trackedFile';

/** A place in a file with a pending change. Lines count from 0. */
export interface ChangePlace {
  readonly uri: string;
  readonly line: number;
  readonly ids: readonly HunkId[];
}

type FileChanges = Pick<TrackedFile, 'current' | 'hunks' | 'traitChanges'>;

/** Returns the first place after a line, in this file or a later one. Wraps around after the last place. */
export function nextPlace(log: ReviewLog, uri: string, line: number): ChangePlace | undefined {
  const places = placesOf(log);
  return withChanges(
    log,
    places.find((place) => place.uri > uri || (place.uri === uri && place.line > line)) ?? places[0],
  );
}

/** Returns the last place before a line. Wraps around before the first place. */
export function previousPlace(log: ReviewLog, uri: string, line: number): ChangePlace | undefined {
  const places = placesOf(log);
  const isBefore = (place: Place) => place.uri < uri || (place.uri === uri && place.line < line);
  return withChanges(log, places.findLast(isBefore) ?? places.at(-1));
}

/** Where a line is among all changes. Counts from 1. */
export interface ChangePosition {
  readonly at: number;
  readonly count: number;
}

/** Returns the position of the last change of a file up to a line, or else of its first. Returns undefined if it has none. */
export function positionAt(log: ReviewLog, uri: string, line: number): ChangePosition | undefined {
  let [before, count] = [0, 0];
  let inFile: readonly number[] = [];
  for (const one of log.pending) {
    const lines = placeLines(log.file(one));
    if (one === uri) [before, inFile] = [count, lines];
    count += lines.length;
  }
  if (inFile.length === 0) return undefined;
  const past = inFile.filter((start) => start <= line).length;
  return { at: before + Math.max(1, past), count };
}

/**
 * Returns the changes the user means at a line: the change there, and on the first line also changes of anything but text. In a file
 * without lines, these are all changes.
 */
export function changesAtLine({ current, hunks, traitChanges }: FileChanges, line: number): HunkId[] {
  if (current.kind !== 'text') return idsOf([...hunks, ...traitChanges]);
  // A deletion is between two lines, and editors report the line before it.
  const hunk =
    hunks.find(({ start, end }) => line >= start && line < end) ??
    hunks.find(({ start, end }) => start === end && (line === start || line === start - 1));
  return idsOf([...(hunk ? [hunk] : []), ...(line === 0 ? traitChanges : [])]);
}

/** Returns the line that a hunk's removed lines are shown on: the first new line, or else the line before them. */
export function lineBeside({ start, end }: Hunk): number {
  return end > start ? start : Math.max(0, start - 1);
}

/**
 * Returns the hunks that overlap a change between other versions of the file, such as a commit and the file. `first` and `last` are its
 * lines in the file. They count from 1, and a `last` of 0 means that it only removes lines, below the line `first`.
 */
export function hunksInChange(hunks: readonly Hunk[], first: number, last: number): Hunk[] {
  const [from, to] = last === 0 ? [first, first] : [first - 1, last];
  return hunks.filter(({ start, end }) =>
    start === end || from === to ? start <= to && from <= end : start < to && from < end,
  );
}

/** Returns the line of the file that corresponds to a line of the last kept text. */
export function lineOfBaseLine(hunks: readonly Hunk[], baseLine: number): number {
  let gain = 0;
  for (const { baseStart, baseEnd, start, end } of hunks) {
    if (baseLine < baseStart) break;
    if (baseLine < baseEnd) return start;
    gain = end - baseEnd;
  }
  return baseLine + gain;
}

type Place = Omit<ChangePlace, 'ids'>;

function placesOf(log: ReviewLog): Place[] {
  return log.pending.flatMap((uri) => placeLines(log.file(uri)).map((line) => ({ uri, line })));
}

function withChanges(log: ReviewLog, place: Place | undefined): ChangePlace | undefined {
  const file = place && log.file(place.uri);
  return file && { ...place, ids: changesAtLine(file, place.line) };
}

/**
 * Returns the lines of the places in a file. Changes of anything but text are on the first line, and so is every change of a deleted or
 * binary file.
 */
export function placeLines(file: FileChanges | undefined): readonly number[] {
  if (!file) return [];
  const isText = file.current.kind === 'text';
  const lines = isText ? file.hunks.map(({ start }) => start) : [];
  return isText && file.traitChanges.length === 0 ? lines : [...new Set([0, ...lines])];
}

function idsOf(changes: readonly { readonly id: HunkId }[]): HunkId[] {
  return changes.map(({ id }) => id);
}
