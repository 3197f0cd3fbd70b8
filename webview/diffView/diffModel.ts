import { diffLines } from '../../src/shared/diff/lineDiff';

/** A run of lines: equal on both sides, or removed lines and the added ones that replace them. Lines count from 0. */
interface Segment {
  readonly same: boolean;
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** The line differences between two texts. If `tooLarge`, they weren't compared. */
export interface DiffModel {
  readonly added: number;
  readonly removed: number;
  readonly tooLarge: boolean;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  readonly segments: readonly Segment[];
}

/** A row of a unified diff. Line numbers count from 1. */
export type DiffRow =
  | { readonly kind: 'same'; readonly line: number; readonly oldLine: number; readonly text: string }
  | { readonly kind: 'add' | 'del'; readonly line: number; readonly text: string; readonly pair?: string }
  | { readonly kind: 'gap'; readonly count: number; readonly segment: number };

/** Maximum length of both texts together to show a diff in the page, in UTF-16 units. */
export const diffSizeLimit = 2_000_000;
/** Number of unchanged lines around a change. */
const context = 3;

/**
 * Compares two texts by lines, as in review. Ignores line endings. The work is bounded: if the texts differ too much, the whole middle
 * counts as replaced.
 */
export function diffModel(oldText: string, newText: string): DiffModel {
  if (oldText.length + newText.length > diffSizeLimit) {
    return { added: 0, removed: 0, tooLarge: true, oldLines: [], newLines: [], segments: [] };
  }
  const oldLines = toLines(oldText);
  const newLines = toLines(newText);
  const segments = segmentsOf(oldLines, newLines);
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

function segmentsOf(oldLines: readonly string[], newLines: readonly string[]): Segment[] {
  const segments: Segment[] = [];
  let [oldAt, newAt] = [0, 0];
  const sameUpTo = (oldEnd: number) => {
    const count = oldEnd - oldAt;
    if (count > 0) segments.push({ same: true, oldStart: oldAt, oldCount: count, newStart: newAt, newCount: count });
    oldAt += count;
    newAt += count;
  };
  for (const { oldStart, oldEnd, newStart, newEnd } of diffLines(oldLines, newLines)) {
    sameUpTo(oldStart);
    segments.push({ same: false, oldStart, oldCount: oldEnd - oldStart, newStart, newCount: newEnd - newStart });
    [oldAt, newAt] = [oldEnd, newEnd];
  }
  sameUpTo(oldLines.length);
  return segments;
}

/**
 * Yields the rows of a unified diff. Unchanged regions are folded unless their segment is in `unfolded`. Lazy, so callers can take only the
 * rows they show.
 */
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
  // A fold that hides one line takes more space than the line.
  const folds = !unfolded && segment.newCount > before + after + 1;
  const head = folds ? before : segment.newCount;
  for (let at = 0; at < head; at++) yield row(at);
  if (!folds) return;
  // Lines before the first change and after the last aren't part of the diff.
  if (before > 0 && after > 0) yield { kind: 'gap', count: segment.newCount - before - after, segment: index };
  for (let at = segment.newCount - after; at < segment.newCount; at++) yield row(at);
}

/** Returns the number of rows that `diffRows` yields, without creating them. */
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
