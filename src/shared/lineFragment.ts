/** Lines of a file, from 1, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** The address of some lines of a file, as code hosts write it: `#L3-L9`. */
export function withLines(uri: string, { start, end }: LineRange): string {
  return `${uri}#L${start}${end > start ? `-L${end}` : ''}`;
}

/** An address without its lines, and which lines it names. */
export function splitLineFragment(uri: string): { readonly uri: string; readonly lines?: LineRange } {
  const found = /#L(\d+)(?:-L(\d+))?$/.exec(uri);
  if (!found) return { uri };
  const start = Number(found[1]);
  return { uri: uri.slice(0, found.index), lines: { start, end: Math.max(start, Number(found[2] ?? start)) } };
}
