import { linesOf, withoutBreak } from './fileState';
import type { Hunk } from './hunk';
import type { TrackedFile } from './trackedFile';

/** A longer change is named by its lines alone. */
const shownLines = 200;

/**
 * What an agent is told when the user comments on a change: the comment, then the file, its lines (from 1) and the diff.
 * `line` counts from 0 and is used where no change is known any more. `maker` made the change, where that was not who is told.
 */
export function commentPrompt(
  comment: string,
  path: string,
  line: number,
  file: Pick<TrackedFile, 'base' | 'current'> | undefined,
  hunk: Hunk | undefined,
  maker?: string,
): string {
  const words = comment.trim();
  if (!file || !hunk) return `${words}\n\nThis is about ${path}, line ${line + 1}.`;
  const removed = linesOf(file.base, false).slice(hunk.baseStart, hunk.baseEnd);
  const added = linesOf(file.current, false).slice(hunk.start, hunk.end);
  const change = maker === undefined ? 'your change' : `a change by ${maker}, made in another session,`;
  const where = `This is about ${change} in ${path}, ${placeOf(hunk)}`;
  if (removed.length + added.length > shownLines) return `${words}\n\n${where}.`;
  const diff = [
    `@@ -${rangeOf(hunk.baseStart, hunk.baseEnd)} +${rangeOf(hunk.start, hunk.end)} @@`,
    ...removed.map((text) => `-${withoutBreak(text)}`),
    ...added.map((text) => `+${withoutBreak(text)}`),
  ].join('\n');
  const fence = fenceFor(diff);
  return `${words}\n\n${where}:\n\n${fence}diff\n${diff}\n${fence}`;
}

function placeOf({ start, end }: Hunk): string {
  if (end === start) return `where lines were removed after line ${start}`;
  return end - start === 1 ? `line ${start + 1}` : `lines ${start + 1} to ${end}`;
}

/** As in a unified diff: an empty side names the line before it. */
function rangeOf(start: number, end: number): string {
  return `${end > start ? start + 1 : start},${end - start}`;
}

/** A fence longer than any that the text holds. */
function fenceFor(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  return '`'.repeat(longest + 1);
}
