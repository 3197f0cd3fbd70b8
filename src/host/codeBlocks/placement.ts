/** The result of fitting code into a file. */
export type Fitted =
  | { readonly kind: 'changed'; readonly lines: readonly string[] }
  /** The file already has the code. */
  | { readonly kind: 'same' }
  /** The code's place isn't known. `isPartial`: parts of the file are left out of it, so it can't replace the whole file. */
  | { readonly kind: 'unknown'; readonly isPartial: boolean };

/** A comment that stands for lines of the file that the code leaves out. */
const omission = /^\s*(?:\/\/|#|--|;|%|\/\*|<!--|\{\s*\/\*|\(\*)\s*(?:\.\.\.|…)/;
/** A place this many times as long as the code, and some lines, is more likely a wrong one. */
const stretch = 4;
const spare = 40;

/**
 * Fits code into a file by the code's first and last lines, each of which must have one place in the file. Comments such as
 * "// ... existing code ..." separate parts that are fitted one after the other.
 */
export function fitCode(file: readonly string[], code: readonly string[]): Fitted {
  const parts = partsOf(code);
  const isPartial = parts.length > 1 || code.some((line) => omission.test(line));
  if (parts.length === 0) return { kind: 'unknown', isPartial };
  const lines: string[] = [];
  let at = 0;
  for (const part of parts) {
    const found = place(file, part, at);
    if (!found) return { kind: 'unknown', isPartial };
    lines.push(...file.slice(at, found.start), ...found.lines);
    at = found.end;
  }
  lines.push(...file.slice(at));
  const isSame = lines.length === file.length && lines.every((line, index) => line === file[index]);
  return isSame ? { kind: 'same' } : { kind: 'changed', lines };
}

/** Returns the parts between omissions, without blank lines around them. */
function partsOf(code: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const line of code) {
    if (omission.test(line)) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.map(trimmed).filter((part) => part.length > 0);
}

function trimmed(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

interface Found {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly lines: readonly string[];
}

function place(file: readonly string[], code: readonly string[], from: number): Found | undefined {
  const start = startOf(file, code, from, (line) => line.trimEnd());
  if (start !== undefined) return until(file, code, start);
  const loose = startOf(file, code, from, (line) => line.trim());
  if (loose === undefined) return undefined;
  const moved = indented(code, indentOf(code[0] ?? ''), indentOf(file[loose] ?? ''));
  return moved && until(file, moved, loose);
}

/** Returns the only line where the code can begin: of several, the one that more of the code's lines follow. */
function startOf(
  file: readonly string[],
  code: readonly string[],
  from: number,
  shape: (line: string) => string,
): number | undefined {
  const wanted = code.map(shape);
  let best: number | undefined;
  let bestLength = 0;
  let isTied = false;
  for (let at = from; at < file.length; at++) {
    let length = 0;
    // Comparing further can't decide between two places that agree for so long.
    while (length < Math.min(code.length, 50) && shape(file[at + length] ?? '\0') === wanted[length]) length++;
    if (length === 0 || length < bestLength) continue;
    isTied = length === bestLength;
    best = at;
    bestLength = length;
  }
  return isTied ? undefined : best;
}

/** Returns the place that begins at `start` and ends with the code's last line. */
function until(file: readonly string[], code: readonly string[], start: number): Found | undefined {
  const last = (code.at(-1) ?? '').trimEnd();
  const ends: number[] = [];
  const limit = Math.min(file.length, start + code.length * stretch + spare);
  for (let at = start; at < limit; at++) if (file[at]?.trimEnd() === last) ends.push(at);
  // The code may have the same line inside it, such as the closing braces of two functions.
  const count = code.filter((line) => line.trimEnd() === last).length;
  const end = ends[count - 1];
  if (end === undefined || (code.length > 1 && end === start)) return undefined;
  return { start, end: end + 1, lines: code };
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Returns the code with its first indentation replaced, or undefined if a line has less. */
function indented(code: readonly string[], old: string, fresh: string): string[] | undefined {
  if (!code.every((line) => line.trim() === '' || line.startsWith(old))) return undefined;
  return code.map((line) => (line.trim() === '' ? line : fresh + line.slice(old.length)));
}
