/** A range of lines in a file, starting at 1, both ends included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Adds lines to a file's URI in the syntax of code hosts: `#L3-L9`. */
export function withLines(uri: string, { start, end }: LineRange): string {
  return `${uri}#L${start}${end > start ? `-L${end}` : ''}`;
}

/** Splits a URI into the URI without lines and the lines. */
export function splitLineFragment(uri: string): { readonly uri: string; readonly lines?: LineRange } {
  const found = /#L(\d+)(?:-L(\d+))?$/.exec(uri);
  if (!found) return { uri };
  const start = Number(found[1]);
  return { uri: uri.slice(0, found.index), lines: { start, end: Math.max(start, Number(found[2] ?? start)) } };
}
