import { diffArrays, diffWordsWithSpace } from 'diff';

/** A run of lines: the same on both sides, or removed lines replaced by added ones. Lines count from 0. */
interface Segment {
  readonly same: boolean;
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** Two texts compared by lines. `tooLarge` means that nothing was compared. */
export interface DiffModel {
  readonly added: number;
  readonly removed: number;
  readonly tooLarge: boolean;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  readonly segments: readonly Segment[];
}

/** One row of a unified diff. Line numbers count from 1. */
export type DiffRow =
  | { readonly kind: 'same'; readonly line: number; readonly oldLine: number; readonly text: string }
  | { readonly kind: 'add' | 'del'; readonly line: number; readonly text: string; readonly pair?: string }
  | { readonly kind: 'gap'; readonly count: number; readonly segment: number };

/** From this length on (both texts together, UTF-16 units) a diff is not shown in the page. */
export const diffSizeLimit = 2_000_000;
/** How many unchanged lines stand around a change. */
const context = 3;
const timeBudget = 20;

/**
 * Compares two texts by lines; line ends do not count. The work is bounded: where texts differ too much to compare in
 * time, the whole middle counts as replaced.
 */
export function diffModel(oldText: string, newText: string): DiffModel {
  if (oldText.length + newText.length > diffSizeLimit) {
    return { added: 0, removed: 0, tooLarge: true, oldLines: [], newLines: [], segments: [] };
  }
  const oldLines = toLines(oldText);
  const newLines = toLines(newText);
  const shorter = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shorter && oldLines[head] === newLines[head]) head++;
  let tail = 0;
  while (tail < shorter - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail++;
  const segments: Segment[] = [];
  if (head > 0) segments.push({ same: true, oldStart: 0, oldCount: head, newStart: 0, newCount: head });
  segments.push(...middle(oldLines, newLines, head, tail));
  if (tail > 0) {
    const oldStart = oldLines.length - tail;
    const newStart = newLines.length - tail;
    segments.push({ same: true, oldStart, oldCount: tail, newStart, newCount: tail });
  }
  let added = 0;
  let removed = 0;
  for (const segment of segments) {
    if (segment.same) continue;
    added += segment.newCount;
    removed += segment.oldCount;
  }
  return { added, removed, tooLarge: false, oldLines, newLines, segments };
}

function toLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return text.includes('\r') ? lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)) : lines;
}

function middle(oldLines: readonly string[], newLines: readonly string[], head: number, tail: number): Segment[] {
  const before = oldLines.slice(head, oldLines.length - tail);
  const after = newLines.slice(head, newLines.length - tail);
  const whole: Segment = {
    same: false,
    oldStart: head,
    oldCount: before.length,
    newStart: head,
    newCount: after.length,
  };
  if (before.length === 0 || after.length === 0) return before.length + after.length > 0 ? [whole] : [];
  const changes = diffArrays(before, after, { timeout: timeBudget, maxEditLength: 4000 });
  if (!changes) return [whole];
  const segments: Segment[] = [];
  let oldAt = head;
  let newAt = head;
  for (const change of changes) {
    const oldCount = change.added ? 0 : change.count;
    const newCount = change.removed ? 0 : change.count;
    const same = oldCount === newCount && !change.added && !change.removed;
    const last = segments.at(-1);
    if (last && !last.same && !same) {
      segments[segments.length - 1] = {
        ...last,
        oldCount: last.oldCount + oldCount,
        newCount: last.newCount + newCount,
      };
    } else {
      segments.push({ same, oldStart: oldAt, oldCount, newStart: newAt, newCount });
    }
    oldAt += oldCount;
    newAt += newCount;
  }
  return segments;
}

/** The rows of a unified diff, unchanged regions folded unless their segment is in `unfolded`. Lazy: take what you show. */
export function* diffRows(model: DiffModel, unfolded: ReadonlySet<number> = new Set()): Generator<DiffRow> {
  for (const [index, segment] of model.segments.entries()) {
    if (segment.same) {
      yield* sameRows(model, segment, index, unfolded.has(index));
      continue;
    }
    const paired = Math.min(segment.oldCount, segment.newCount);
    for (let at = 0; at < segment.oldCount; at++) {
      const text = model.oldLines[segment.oldStart + at] ?? '';
      const pair = at < paired ? model.newLines[segment.newStart + at] : undefined;
      yield { kind: 'del', line: segment.oldStart + at + 1, text, ...(pair === undefined ? {} : { pair }) };
    }
    for (let at = 0; at < segment.newCount; at++) {
      const text = model.newLines[segment.newStart + at] ?? '';
      const pair = at < paired ? model.oldLines[segment.oldStart + at] : undefined;
      yield { kind: 'add', line: segment.newStart + at + 1, text, ...(pair === undefined ? {} : { pair }) };
    }
  }
}

function* sameRows(model: DiffModel, segment: Segment, index: number, unfolded: boolean): Generator<DiffRow> {
  const row = (at: number): DiffRow => ({
    kind: 'same',
    line: segment.newStart + at + 1,
    oldLine: segment.oldStart + at + 1,
    text: model.newLines[segment.newStart + at] ?? '',
  });
  const before = index === 0 ? 0 : context;
  const after = index === model.segments.length - 1 ? 0 : context;
  // A fold that hides one line is longer than what it hides.
  const folds = !unfolded && segment.newCount > before + after + 1;
  const head = folds ? before : segment.newCount;
  for (let at = 0; at < head; at++) yield row(at);
  if (!folds) return;
  // What stands before the first change and after the last is not part of the story.
  if (before > 0 && after > 0) yield { kind: 'gap', count: segment.newCount - before - after, segment: index };
  for (let at = segment.newCount - after; at < segment.newCount; at++) yield row(at);
}

/** How many rows `diffRows` yields, without making them. */
export function countRows(model: DiffModel, unfolded: ReadonlySet<number> = new Set()): number {
  let count = 0;
  for (const [index, segment] of model.segments.entries()) {
    if (!segment.same) {
      count += segment.oldCount + segment.newCount;
      continue;
    }
    const before = index === 0 ? 0 : context;
    const after = index === model.segments.length - 1 ? 0 : context;
    const folds = !unfolded.has(index) && segment.newCount > before + after + 1;
    if (!folds) count += segment.newCount;
    else count += before + after + (before > 0 && after > 0 ? 1 : 0);
  }
  return count;
}

/**
 * The parts of `text` that are not in `other`, as [start, end) pairs; undefined when the lines have too little in common
 * for marks to help, or cannot be compared within `timeout` milliseconds.
 */
export function wordMarks(text: string, other: string, timeout = 4): (readonly [number, number])[] | undefined {
  if (text.length > 500 || other.length > 500 || text === other) return undefined;
  const changes = diffWordsWithSpace(other, text, { timeout, maxEditLength: 120 });
  if (!changes) return undefined;
  const marks: [number, number][] = [];
  let at = 0;
  let kept = 0;
  for (const change of changes) {
    if (change.removed) continue;
    const end = at + change.value.length;
    if (change.added) {
      const last = marks.at(-1);
      // Marks with only a blank between them read as one.
      if (last && text.slice(last[1], at).trim() === '') last[1] = end;
      else marks.push([at, end]);
    } else {
      kept += change.value.trim().length;
    }
    at = end;
  }
  const solid = text.trim().length;
  return kept * 4 < solid || kept === 0 ? undefined : marks;
}
