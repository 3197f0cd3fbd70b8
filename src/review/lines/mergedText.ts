import { diffLines } from '../../shared/diff/lineDiff';

/**
 * Returns a file as it would be if the user had only taken lines of the agent's version while merging it, and written nothing. `before` is
 * the user's version, and `merged` the result. What still differs from the result is the user's own.
 */
export function takenFrom(theirs: string, before: string, merged: string): string {
  const [old, now] = [linesOf(before), linesOf(merged)];
  const [oldPlain, nowPlain, known] = [old.map(plain), now.map(plain), new Set(linesOf(theirs).map(plain))];
  const parts: string[] = [];
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of diffLines(oldPlain, nowPlain)) {
    const isTheirs = (_: unknown, index: number) => known.has(nowPlain[newStart + index] ?? '');
    const taken = now.slice(newStart, newEnd).filter(isTheirs);
    // A line that the agent has, too, was deleted by the user.
    const isDeletion = newStart === newEnd && !oldPlain.slice(oldStart, oldEnd).some((line) => known.has(line));
    const isAgents = taken.length > 0 || isDeletion;
    parts.push(...old.slice(at, oldStart), ...(isAgents ? taken : old.slice(oldStart, oldEnd)));
    at = oldEnd;
  }
  return [...parts, ...old.slice(at)].join('');
}

/** The lines of a text with their breaks. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function plain(line: string): string {
  return line.replace(/\r?\n$/, '');
}
