import { linesWithBreaks, withoutBreak } from './fileState';
import { dominantLineBreak } from '../lines/lines';
import type { LineEdit } from '../lines/rebase';

/**
 * Returns whether a text has several kinds of line breaks, or one that the editor doesn't support. The editor would save different ones.
 */
export function hasMixedBreaks(text: string): boolean {
  if (!text.includes('\r')) return false;
  return /\r(?!\n)/.test(text) || /[^\r]\n|^\n/.test(text);
}

/**
 * Applies line edits to a text and preserves the breaks of all other lines. A replacement line gets the break of the line it replaces;
 * additional lines end like the line before.
 */
export function editKeepingBreaks(text: string, edits: readonly LineEdit[]): string {
  const lines = linesWithBreaks(text);
  const usual = dominantLineBreak(text, '\n');
  const breakOf = (at: number) => lines[at]?.slice(withoutBreak(lines[at]).length) ?? '';
  const result: { readonly text: string; readonly lineBreak: string }[] = [];
  const copyTo = (from: number, to: number) => {
    for (let at = from; at < to; at++) result.push({ text: withoutBreak(lines[at] ?? ''), lineBreak: breakOf(at) });
  };
  let at = 0;
  for (const edit of edits) {
    copyTo(at, edit.start);
    edit.lines.forEach((line, index) => {
      const place = edit.start + index;
      const own = place < edit.end ? breakOf(place) : '';
      result.push({ text: line, lineBreak: own || (result.at(-1)?.lineBreak ?? '') });
    });
    at = edit.end;
  }
  copyTo(at, lines.length);
  return result
    .map((line, index) => (index === result.length - 1 ? line.text : line.text + (line.lineBreak || usual)))
    .join('');
}
