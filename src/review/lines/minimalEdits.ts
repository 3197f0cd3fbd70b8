import type { LineEdit } from './rebase';

/** Replaces a range of a document. Lines and UTF-16 characters count from 0; line breaks in `text` are `\n`. */
export interface TextChange {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
  readonly text: string;
}

/**
 * Narrows line edits to the characters that differ, so that cursors, selections, and folded regions beside them stay in place. Never splits
 * a surrogate pair.
 */
export function minimalEdits(present: readonly string[], edits: readonly LineEdit[]): TextChange[] {
  return joinTouching(edits).flatMap((edit) => {
    const count = edit.end - edit.start;
    if (count === 0) return [insertion(present, edit)];
    if (edit.lines.length === 0) return [deletion(present, edit)];
    if (count !== edit.lines.length) {
      return narrow(edit.start, present.slice(edit.start, edit.end).join('\n'), edit.lines.join('\n'));
    }
    return edit.lines.flatMap((line, index) => narrow(edit.start + index, present[edit.start + index] ?? '', line));
  });
}

/** Returns the lines after applying `edits` to `present`. */
export function applyLineEdits(present: readonly string[], edits: readonly LineEdit[]): string[] {
  const result: string[] = [];
  let at = 0;
  for (const edit of edits) {
    for (; at < edit.start; at++) result.push(present[at] ?? '');
    for (const line of edit.lines) result.push(line);
    at = edit.end;
  }
  for (; at < present.length; at++) result.push(present[at] ?? '');
  return result;
}

/**
 * Joins adjacent edits. An edit at the end of a text includes the break before it, so it would overlap an edit of the previous line. The
 * editor rejects such edits or joins lines incorrectly.
 */
function joinTouching(edits: readonly LineEdit[]): LineEdit[] {
  const joined: LineEdit[] = [];
  for (const edit of edits) {
    const last = joined.at(-1);
    if (last?.end !== edit.start) joined.push(edit);
    else joined[joined.length - 1] = { start: last.start, end: edit.end, lines: [...last.lines, ...edit.lines] };
  }
  return joined;
}

function insertion(present: readonly string[], edit: LineEdit): TextChange {
  const text = edit.lines.join('\n');
  // Inserts before a line, not after one, so that a cursor at the end of the previous line stays there.
  if (edit.start < present.length) return change(edit.start, 0, edit.start, 0, `${text}\n`);
  const last = present.length - 1;
  const end = present[last]?.length ?? 0;
  return change(last, end, last, end, `\n${text}`);
}

function deletion(present: readonly string[], edit: LineEdit): TextChange {
  if (edit.end < present.length) return change(edit.start, 0, edit.end, 0, '');
  const last = present.length - 1;
  const end = present[last]?.length ?? 0;
  if (edit.start === 0) return change(0, 0, last, end, '');
  return change(edit.start - 1, present[edit.start - 1]?.length ?? 0, last, end, '');
}

function narrow(line: number, before: string, after: string): TextChange[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < shorter && before[prefix] === after[prefix]) prefix++;
  if (prefix > 0 && isHighSurrogate(before.charCodeAt(prefix - 1))) prefix--;
  let suffix = 0;
  while (suffix < shorter - prefix && before.at(-1 - suffix) === after.at(-1 - suffix)) suffix++;
  if (suffix > 0 && isLowSurrogate(before.charCodeAt(before.length - suffix))) suffix--;
  const start = position(line, before, prefix);
  const end = position(line, before, before.length - suffix);
  return [change(start[0], start[1], end[0], end[1], after.slice(prefix, after.length - suffix))];
}

function position(line: number, text: string, offset: number): [number, number] {
  let start = 0;
  for (let next = text.indexOf('\n'); next >= 0 && next < offset; next = text.indexOf('\n', start)) {
    line++;
    start = next + 1;
  }
  return [line, offset - start];
}

function change(
  startLine: number,
  startCharacter: number,
  endLine: number,
  endCharacter: number,
  text: string,
): TextChange {
  return { startLine, startCharacter, endLine, endCharacter, text };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
