import { linesWithBreaks, withoutBreak } from './fileState';
import { dominantLineBreak } from './lines';
import type { LineEdit } from './rebase';

/** Whether a text's lines end in more than one way, or in one that the editor does not know: it would save others. */
export function hasMixedBreaks(text: string): boolean {
  if (!text.includes('\r')) return false;
  return /\r(?!\n)/.test(text) || /[^\r]\n|^\n/.test(text);
}

/**
 * What edits of whole lines make of a text whose other lines keep the breaks they have. A line that takes the place of another
 * takes its break, too; more of them end like the line before.
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
