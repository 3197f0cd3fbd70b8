/**
 * While a file has unsaved text, an agent's writes on disk are under review as an entry of their own, beside the text that the user sees.
 * Its name in the log is the file's URI with this query. Paths in URIs contain no question mark, so no file has such a name.
 */
const query = '?on-disk';

/** Returns the name of a file's disk side in the log. */
export function diskSideOf(uri: string): string {
  return uri + query;
}

/** Returns whether a name in the log is the disk side of a file with unsaved text. */
export function isDiskSide(uri: string): boolean {
  return uri.endsWith(query);
}

/** Returns the URI of the file that a name in the log belongs to. */
export function fileOfSide(uri: string): string {
  return isDiskSide(uri) ? uri.slice(0, -query.length) : uri;
}
