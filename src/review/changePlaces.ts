import type { Hunk, HunkId } from './hunk';
import type { ReviewLog } from './reviewLog';
import type { TrackedFile } from './trackedFile';

/** A place in a file at which something waits for the user. Lines count from 0. */
export interface ChangePlace {
  readonly uri: string;
  readonly line: number;
  readonly ids: readonly HunkId[];
}

type FileChanges = Pick<TrackedFile, 'current' | 'hunks' | 'traitChanges'>;

/** The first place behind a line, in this file or those behind it; begins again at the front after the last. */
export function nextPlace(log: ReviewLog, uri: string, line: number): ChangePlace | undefined {
  const places = placesOf(log);
  return places.find((place) => place.uri > uri || (place.uri === uri && place.line > line)) ?? places[0];
}

/** The last place that begins before a line; goes on at the end before the first. */
export function previousPlace(log: ReviewLog, uri: string, line: number): ChangePlace | undefined {
  const places = placesOf(log);
  const isBefore = (place: ChangePlace) => place.uri < uri || (place.uri === uri && place.line < line);
  return places.findLast(isBefore) ?? places.at(-1);
}

/** What the user means at a line: the change there, and in the first line what is no text; all of a file without lines. */
export function changesAtLine({ current, hunks, traitChanges }: FileChanges, line: number): HunkId[] {
  if (current.kind !== 'text') return idsOf([...hunks, ...traitChanges]);
  // What only takes lines away stands between two lines; an editor names the one before.
  const hunk =
    hunks.find(({ start, end }) => line >= start && line < end) ??
    hunks.find(({ start, end }) => start === end && (line === start || line === start - 1));
  return idsOf([...(hunk ? [hunk] : []), ...(line === 0 ? traitChanges : [])]);
}

/** The line of the file that stands for one of the text that the user last accepted. */
export function lineOfBaseLine(hunks: readonly Hunk[], baseLine: number): number {
  let gain = 0;
  for (const { baseStart, baseEnd, start, end } of hunks) {
    if (baseLine < baseStart) break;
    if (baseLine < baseEnd) return start;
    gain = end - baseEnd;
  }
  return baseLine + gain;
}

function placesOf(log: ReviewLog): ChangePlace[] {
  return log.pending.flatMap((uri) => placesIn(uri, log.file(uri)));
}

/** What is no text stands in the first line, and so does all of a file that is gone or binary. */
function placesIn(uri: string, file: FileChanges | undefined): ChangePlace[] {
  if (!file) return [];
  const isText = file.current.kind === 'text';
  const lines = isText ? file.hunks.map(({ start }) => start) : [];
  const all = isText && file.traitChanges.length === 0 ? lines : [...new Set([0, ...lines])];
  return all.map((line) => ({ uri, line, ids: changesAtLine(file, line) }));
}

function idsOf(changes: readonly { readonly id: HunkId }[]): HunkId[] {
  return changes.map(({ id }) => id);
}
