import type { Hunk } from './hunk';
import type { ReviewLog } from './reviewLog';

/** A hunk and the file it is in. */
export interface HunkPlace {
  readonly uri: string;
  readonly hunk: Hunk;
}

/** The first hunk behind a line, in this file or those behind it; begins again at the front after the last. */
export function nextHunkFrom(log: ReviewLog, uri: string, line: number): HunkPlace | undefined {
  const places = placesOf(log);
  return places.find((place) => place.uri > uri || (place.uri === uri && place.hunk.start > line)) ?? places[0];
}

/** The last hunk that ends before a line or holds it without beginning there; goes on at the end before the first. */
export function previousHunkFrom(log: ReviewLog, uri: string, line: number): HunkPlace | undefined {
  const places = placesOf(log);
  const isBefore = (place: HunkPlace) => place.uri < uri || (place.uri === uri && place.hunk.start < line);
  return places.findLast(isBefore) ?? places.at(-1);
}

function placesOf(log: ReviewLog): HunkPlace[] {
  return log.pending.flatMap((uri) => (log.file(uri)?.hunks ?? []).map((hunk) => ({ uri, hunk })));
}
