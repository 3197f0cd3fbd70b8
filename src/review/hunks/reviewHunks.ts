import type { HunkWish, ReviewPageHunk } from '../../shared/changes/reviewPage';
import { withoutBreak } from '../files/fileState';
import { hasUserText, type Hunk, type HunkId } from './hunk';

/** The number of unchanged lines shown around a change. */
const context = 3;
/** The number of changed lines of a hunk that are shown at first. */
const usualLines = 400;
/** Longer headings don't fit beside a change. */
const headingLength = 80;

interface Texts {
  readonly base: readonly string[];
  readonly current: readonly string[];
  readonly hunks: readonly Hunk[];
}

/** Returns the chosen hunks with the lines around them, each line once. `wishes` asks for more of some of them. */
export function hunksToShow(
  { base, current, hunks }: Texts,
  ids: ReadonlySet<HunkId>,
  wishes: readonly HunkWish[],
): ReviewPageHunk[] {
  const shown = hunks.filter(({ id }) => ids.has(id));
  const total = linesBefore(current, current.length);
  let from = 0;
  return shown.map((hunk, at): ReviewPageHunk => {
    const wish = wishes.find(({ id }) => id === hunk.id);
    const next = shown[at + 1];
    const end = next ? Math.min(next.start, hunk.end + context) : Math.min(total, hunk.end + context);
    const last = next || wish?.isUnfolded !== true ? end : total;
    // A fold that hides one line takes as much space as the line.
    const near = hunk.start - context <= from + 1 ? from : hunk.start - context;
    const first = wish?.isUnfolded === true ? from : Math.max(from, near);
    const removed = textsOf(base, hunk.baseStart, hunk.baseEnd);
    const added = textsOf(current, hunk.start, hunk.end);
    const limit = Math.max(usualLines, wish?.lines ?? 0);
    const isCut = removed.length + added.length > limit;
    const half = Math.min(removed.length, Math.max(Math.floor(limit / 2), limit - added.length));
    const result = {
      id: hunk.id,
      stamp: stampOf({ base, current }, hunk),
      oldLine: hunk.baseStart + 1,
      newLine: hunk.start + 1,
      oldEnd: linesBefore(base, hunk.baseEnd) + 1,
      newEnd: linesBefore(current, hunk.end) + 1,
      before: textsOf(current, first, hunk.start),
      removed: isCut ? removed.slice(0, half) : removed,
      added: isCut ? added.slice(0, limit - half) : added,
      after: textsOf(current, hunk.end, last),
      hidden: first - from,
      hiddenAfter: next ? 0 : Math.max(0, total - last),
      unfolded: Math.max(0, near - first) + last - end,
      cut: isCut ? removed.length + added.length - limit : 0,
      heading: headingAbove(current, hunk.start),
      hasUserText: hasUserText(hunk),
    };
    from = Math.max(from, last);
    return result;
  });
}

/** Returns a value that differs as soon as the lines of a change do. */
export function stampOf({ base, current }: Pick<Texts, 'base' | 'current'>, hunk: Hunk): string {
  let [one, other] = [0x811c9dc5, 0x1b873593];
  const add = (text: string) => {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      one = Math.imul(one ^ code, 0x01000193);
      other = Math.imul(other ^ code, 0x85ebca6b) + 1;
    }
  };
  for (const line of base.slice(hunk.baseStart, hunk.baseEnd)) add(line);
  add('\u0000');
  for (const line of current.slice(hunk.start, hunk.end)) add(line);
  return `${hunk.baseEnd - hunk.baseStart} ${hunk.end - hunk.start} ${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`;
}

/** What follows the last break of a text is a line only if it isn't empty. */
function linesBefore(lines: readonly string[], end: number): number {
  return end === lines.length && lines.at(-1) === '' ? end - 1 : end;
}

function textsOf(lines: readonly string[], start: number, end: number): string[] {
  return lines.slice(start, Math.max(start, linesBefore(lines, end))).map(withoutBreak);
}

/** Lines that begin a block inside a function. */
const inside = /^(?:[}\])]|(?:if|else|for|while|do|switch|case|try|catch|finally|return|with|await|const|let|var)\b)/;

/** Returns the name of the function or section around a change: the nearest line above it that is indented less. */
function headingAbove(lines: readonly string[], at: number): string {
  let limit = indentOf(lines.slice(at).find((line) => line.trim() !== '') ?? '');
  for (let line = at - 1; line >= 0 && line >= at - 2000 && limit > 0; line--) {
    const text = lines[line]?.trim() ?? '';
    const indent = indentOf(lines[line] ?? '');
    if (text === '' || indent >= limit) continue;
    limit = indent;
    if (/^[\p{L}_$#@]/u.test(text) && !inside.test(text)) return nameIn(text).slice(0, headingLength);
  }
  return '';
}

function nameIn(text: string): string {
  const [, declared] =
    /\b(?:class|interface|enum|struct|trait|impl|module|namespace|type|def|fn|func|function)\s+([\w$.]+)/.exec(text) ??
    [];
  const [, called] = /([\w$#]+)\s*(?:<[^>]*>)?\(/.exec(text) ?? [];
  return declared ?? called ?? text.replace(/\s*[{(:]*$/, '');
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
