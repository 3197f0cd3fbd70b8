import type { FileState } from '../../src/review/files/fileState';
import type { Hunk } from '../../src/review/hunks/hunk';
import type { TextChange } from '../../src/review/lines/minimalEdits';
import type { TrackedFile } from '../../src/review/log/trackedFile';

// The invariants of the review's model, implemented again in the simplest way.

/** Returns a small seeded random generator, so that failures are repeatable. */
export function random(seed: number): (limit: number) => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const words = ['', 'a', 'b', 'c', '}', '😀x', '\u{1fa00}y', '\ufeffz'];

/** Returns a random line with its break. */
export function randomLine(next: (limit: number) => number): string {
  return (words[next(words.length)] ?? '') + (next(8) === 0 ? '\r\n' : '\n');
}

/** Returns a text with this many lines, sometimes without a final break. */
export function randomText(next: (limit: number) => number, count: number): FileState {
  const lines = Array.from({ length: count }, () => randomLine(next));
  return { kind: 'text', text: lines.join('') + (next(2) === 0 ? '' : 'end') };
}

/** Returns the lines of a text with their breaks. The last line has none. */
export function split(text: string): string[] {
  return text.split(/(?<=\r\n|\n|\r(?!\n))/).concat(/[\r\n]$/.test(text) ? [''] : []);
}

/** Returns a file as lines. A binary file is a single line. */
export function linesOfState(state: FileState): string[] {
  if (state.kind === 'absent') return [];
  if (state.kind === 'binary') return [`binary ${state.hash}`];
  return state.kind === 'text' ? split(state.text) : [JSON.stringify(state)];
}

/** Returns the base with some hunks applied. Implemented separately from the code under test. */
export function withHunks(file: TrackedFile, hunks: readonly Hunk[]): string[] {
  const [base, current] = [linesOfState(file.base), linesOfState(file.current)];
  const result: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    result.push(...base.slice(at, hunk.baseStart), ...current.slice(hunk.start, hunk.end));
    at = hunk.baseEnd;
  }
  return [...result, ...base.slice(at)];
}

/** Returns a line with a break, or without one if it is the last line. */
export function fixed(line: string, isLast: boolean): string {
  if (isLast) return line.replace(/[\r\n]+$/, '');
  return /[\r\n]$/.test(line) ? line : `${line}\n`;
}

/** Returns the text of a text file. */
export function textOf(state: FileState): string {
  return state.kind === 'text' ? state.text : '';
}

/** Applies changes as an editor does: in any order, with positions in the text before. Changes must not overlap. */
export function editText(before: string, changes: readonly TextChange[]): string {
  const starts = [0];
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = (line: number, character: number) => {
    const [start, next] = [starts[line], starts[line + 1] ?? before.length + 1];
    if (start === undefined || start + character >= next) throw new Error(`There is no ${line}:${character}.`);
    return start + character;
  };
  const ranges = changes.map(({ startLine, startCharacter, endLine, endCharacter, text }) => {
    return { start: offset(startLine, startCharacter), end: offset(endLine, endCharacter), text };
  });
  let result = '';
  let at = 0;
  for (const { start, end, text } of ranges.sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at) throw new Error('Overlapping ranges are not allowed.');
    result += before.slice(at, start) + text;
    at = end;
  }
  return result + before.slice(at);
}

/** Returns lines with some removed, inserted, or replaced, at most `count`. `mark` makes new lines unique. */
export function mutated(
  lines: readonly string[],
  count: number,
  mark: string,
  next: (limit: number) => number,
): string[] {
  const result = [...lines];
  for (let left = 1 + next(count); left > 0; left--) {
    // Bugs are most likely at the end.
    const at = next(3) === 0 ? Math.max(0, result.length - next(3)) : next(result.length + 1);
    const line = next(3) === 0 ? '' : `${mark}${next(100)}`;
    const kind = next(3);
    if (kind === 0) result.splice(at, 0, line);
    else if (kind === 1) result.splice(Math.min(at, result.length - 1), 1);
    else if (result.length > 0) result[Math.min(at, result.length - 1)] = line;
  }
  return result.length > 0 ? result : [''];
}
