import { inFence } from '../../shared/text/codeFence';
import { linesOf, withoutBreak } from '../files/fileState';
import type { Hunk } from '../hunks/hunk';
import type { TrackedFile } from '../log/trackedFile';

/** Maximum number of lines to include. For a longer change, only the line numbers are sent. */
const shownLines = 200;

/**
 * Returns the message to an agent for the user's comment on a change: the comment, the file, its lines (from 1), and the diff. `line`
 * counts from 0 and is used if the change no longer exists. `maker` is the agent that made the change, if it isn't the recipient.
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
  return `${words}\n\n${where}:\n\n${inFence(diff, 'diff')}`;
}

function placeOf({ start, end }: Hunk): string {
  if (end === start) return `where lines were removed after line ${start}`;
  return end - start === 1 ? `line ${start + 1}` : `lines ${start + 1} to ${end}`;
}

/** Formats a range as in a unified diff: for an empty side, the line before it. */
function rangeOf(start: number, end: number): string {
  return `${end > start ? start + 1 : start},${end - start}`;
}
