import { lineMatcher, type FindQuery, type FoundEntry } from '../../shared/pages/findQuery';
import type { Transcript } from '../../shared/transcript/transcript';
import { entryLines } from './entryLines';

/** Maximum number of characters of a line to search. */
const longestLine = 20_000;

/**
 * Searches a session. Yields after each entry, so that the caller can pause, and returns the entries with matches in
 * order; undefined if the query can't be searched for.
 */
export function* findInSession(
  transcript: Transcript,
  query: FindQuery,
): Generator<undefined, readonly FoundEntry[] | undefined> {
  const match = lineMatcher(query);
  if (!match) return query.text === '' ? [] : undefined;
  const found: FoundEntry[] = [];
  // The transcript may grow in a pause.
  for (const id of [...transcript.order]) {
    const entry = transcript.entries.get(id);
    if (!entry) continue;
    let count = 0;
    for (const line of entryLines(transcript, entry)) count += match(line.slice(0, longestLine)).length;
    if (count > 0) found.push([id, count]);
    yield;
  }
  return found;
}
