/**
 * A changed range: lines `oldStart` to `oldEnd` (exclusive) of the old text become `newStart` to `newEnd` of the new
 * text.
 */
export interface LineHunk {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Upper bound for lines compared times differences searched, so that the worst file takes well under a second. */
const searchBudget = 40_000_000;
const maxDifferences = 1500;
/** With more differences, lines that occur once on each side divide the texts first, which reduces the search. */
const fewDifferences = 128;

/**
 * Returns the changed ranges between two texts given as lines, in order and never touching each other. The result is
 * minimal for ordinary edits. Texts with very many differences are first matched by lines that occur once in each.
 */
export function diffLines(oldLines: readonly string[], newLines: readonly string[]): LineHunk[] {
  const span = changedSpan(oldLines, newLines);
  const { oldStart: start, oldEnd, newEnd } = span;
  if (start === oldEnd && start === newEnd) return [];
  // With at most one line on a side, there is nothing to search, and most changes are like this.
  const isPlain = start === oldEnd || start === newEnd || (oldEnd - start === 1 && newEnd - start === 1);
  if (isPlain) return slideHunks([span], oldLines, newLines);
  const parts = diffMiddles(oldLines.slice(start, oldEnd), newLines.slice(start, newEnd));
  const hunks = parts.map((part) => shiftHunk(part, start, start));
  return slideHunks(hunks, oldLines, newLines);
}

/**
 * Returns the range between the lines that two texts have in common at the start and at the end. Both sides start at
 * the same line.
 */
export function changedSpan(oldLines: readonly string[], newLines: readonly string[]): LineHunk {
  let start = 0;
  let [oldEnd, newEnd] = [oldLines.length, newLines.length];
  while (start < oldEnd && start < newEnd && oldLines[start] === newLines[start]) start++;
  while (start < oldEnd && start < newEnd && oldLines[oldEnd - 1] === newLines[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  return { oldStart: start, oldEnd, newStart: start, newEnd };
}

/** Converts a hunk of parts of two texts to a hunk of the whole texts, given the number of lines before each part. */
export function shiftHunk<H extends LineHunk>(hunk: H, oldBy: number, newBy: number): H {
  const { oldStart, oldEnd, newStart, newEnd } = hunk;
  return {
    ...hunk,
    oldStart: oldStart + oldBy,
    oldEnd: oldEnd + oldBy,
    newStart: newStart + newBy,
    newEnd: newEnd + newBy,
  };
}

/** Maximum number of lines to slide a hunk that only adds or only removes lines. */
const maxSlide = 100;

/**
 * Slides each such hunk to where a reader would put it, like VS Code's diff: its ends are between lines with little
 * indentation, including blank ones, and the first of several such places wins.
 */
function slideHunks(hunks: readonly LineHunk[], oldLines: readonly string[], newLines: readonly string[]): LineHunk[] {
  const result: LineHunk[] = [];
  hunks.forEach((hunk, index) => {
    const { oldStart, oldEnd, newStart, newEnd } = hunk;
    const [before, after] = [result.at(-1), hunks[index + 1]];
    let by = 0;
    // Keep an unchanged line between two hunks.
    if (oldStart === oldEnd) {
      by = bestSlide(newLines, newStart, newEnd, before ? before.newEnd + 1 : 0, after ? after.newStart - 1 : Infinity);
    } else if (newStart === newEnd) {
      by = bestSlide(oldLines, oldStart, oldEnd, before ? before.oldEnd + 1 : 0, after ? after.oldStart - 1 : Infinity);
    }
    result.push({ oldStart: oldStart + by, oldEnd: oldEnd + by, newStart: newStart + by, newEnd: newEnd + by });
  });
  return result;
}

/**
 * Returns how many lines to move the range `start` to `end`, within `first` to `last`, so that the text stays the same.
 */
function bestSlide(lines: readonly string[], start: number, end: number, first: number, last: number): number {
  let up = 0;
  while (up < maxSlide && start - up > first && lines[start - up - 1] === lines[end - up - 1]) up++;
  let down = 0;
  const limit = Math.min(last, lines.length);
  while (down < maxSlide && end + down < limit && lines[start + down] === lines[end + down]) down++;
  let [best, least] = [0, Infinity];
  for (let by = -up; by <= down; by++) {
    const depth = depthAt(lines, start + by) + depthAt(lines, end + by);
    if (depth < least) [best, least] = [by, depth];
  }
  return best;
}

/** Returns the indentation of the lines around a boundary. */
function depthAt(lines: readonly string[], at: number): number {
  return indentation(lines[at - 1]) + indentation(lines[at]);
}

function indentation(line = ''): number {
  const first = line.search(/\S/);
  return first < 0 ? 0 : first;
}

function diffMiddles(oldLines: readonly string[], newLines: readonly string[]): LineHunk[] {
  const ids = new Map<string, number>();
  const numbered = (lines: readonly string[]) =>
    Int32Array.from(lines, (text) => {
      const known = ids.get(text);
      if (known !== undefined) return known;
      ids.set(text, ids.size);
      return ids.size - 1;
    });
  const comparison = new Comparison(numbered(oldLines), numbered(newLines));
  comparison.compare(0, oldLines.length, 0, newLines.length);
  return comparison.hunks();
}

/** Marks the removed and added lines. Lines are compared by number. */
class Comparison {
  private readonly a: Int32Array;
  private readonly b: Int32Array;
  private readonly removed: Uint8Array;
  private readonly added: Uint8Array;

  constructor(a: Int32Array, b: Int32Array) {
    this.a = a;
    this.b = b;
    this.removed = new Uint8Array(a.length);
    this.added = new Uint8Array(b.length);
  }

  compare(aStart: number, aEnd: number, bStart: number, bEnd: number): void {
    const { a, b } = this;
    while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) {
      aStart++;
      bStart++;
    }
    while (aStart < aEnd && bStart < bEnd && a[aEnd - 1] === b[bEnd - 1]) {
      aEnd--;
      bEnd--;
    }
    if (aStart === aEnd || bStart === bEnd) {
      this.markAll(aStart, aEnd, bStart, bEnd);
      return;
    }
    const limit = Math.min(maxDifferences, Math.ceil(searchBudget / (aEnd - aStart + bEnd - bStart)));
    if (this.shortest(aStart, aEnd, bStart, bEnd, Math.min(limit, fewDifferences))) return;
    const anchors = this.anchors(aStart, aEnd, bStart, bEnd);
    if (anchors.length === 0) {
      const isFound = limit > fewDifferences && this.shortest(aStart, aEnd, bStart, bEnd, limit);
      if (!isFound) this.markAll(aStart, aEnd, bStart, bEnd);
      return;
    }
    for (const [i, j] of anchors) {
      this.compare(aStart, i, bStart, j);
      aStart = i + 1;
      bStart = j + 1;
    }
    this.compare(aStart, aEnd, bStart, bEnd);
  }

  hunks(): LineHunk[] {
    const { removed, added } = this;
    const hunks: LineHunk[] = [];
    let i = 0;
    let j = 0;
    while (i < removed.length || j < added.length) {
      const [oldStart, newStart] = [i, j];
      while (removed[i] === 1) i++;
      while (added[j] === 1) j++;
      if (i > oldStart || j > newStart) {
        hunks.push({ oldStart, oldEnd: i, newStart, newEnd: j });
      } else {
        i++;
        j++;
      }
    }
    return hunks;
  }

  private markAll(aStart: number, aEnd: number, bStart: number, bEnd: number): void {
    this.removed.fill(1, aStart, aEnd);
    this.added.fill(1, bStart, bEnd);
  }

  /**
   * Runs the greedy shortest edit script algorithm (E. Myers, 1986); gives up and marks nothing beyond `limit`
   * differences.
   */
  private shortest(aStart: number, aEnd: number, bStart: number, bEnd: number, limit: number): boolean {
    const { a, b } = this;
    const [n, m] = [aEnd - aStart, bEnd - bStart];
    const max = Math.min(n + m, limit);
    const reach = new Int32Array(2 * max + 3);
    const at = max + 1;
    const trace: Int32Array[] = [];
    for (let d = 0; d <= max; d++) {
      trace.push(reach.slice(at - d - 1, at + d + 2));
      for (let k = -d; k <= d; k += 2) {
        const down = k === -d || (k !== d && (reach[at + k - 1] ?? 0) < (reach[at + k + 1] ?? 0));
        let x = down ? (reach[at + k + 1] ?? 0) : (reach[at + k - 1] ?? 0) + 1;
        while (x < n && x - k < m && a[aStart + x] === b[bStart + x - k]) x++;
        reach[at + k] = x;
        if (x >= n && x - k >= m) {
          this.markScript(trace, n, m, aStart, bStart);
          return true;
        }
      }
    }
    return false;
  }

  private markScript(trace: readonly Int32Array[], n: number, m: number, aStart: number, bStart: number): void {
    let [x, y] = [n, m];
    for (let d = trace.length - 1; d > 0; d--) {
      const before = trace[d];
      const reached = (k: number) => before?.[k + d + 1] ?? 0;
      const k = x - y;
      const down = k === -d || (k !== d && reached(k - 1) < reached(k + 1));
      const previous = down ? k + 1 : k - 1;
      x = reached(previous);
      y = x - previous;
      if (down) this.added[bStart + y] = 1;
      else this.removed[aStart + x] = 1;
    }
  }

  /** Returns pairs of lines that occur exactly once on each side, as many as are in the same order. */
  private anchors(aStart: number, aEnd: number, bStart: number, bEnd: number): [number, number][] {
    const inA = placesOfUnique(this.a, aStart, aEnd);
    const inB = placesOfUnique(this.b, bStart, bEnd);
    const pairs: [number, number][] = [];
    for (const [id, i] of inA) {
      const j = inB.get(id);
      if (i >= 0 && j !== undefined && j >= 0) pairs.push([i, j]);
    }
    return longestAscending(pairs);
  }
}

/**
 * Returns the position of each number that occurs once in the range, and -1 for the others, in order of first
 * occurrence.
 */
function placesOfUnique(numbers: Int32Array, start: number, end: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let i = start; i < end; i++) {
    const id = numbers[i] ?? 0;
    places.set(id, places.has(id) ? -1 : i);
  }
  return places;
}

function longestAscending(pairs: readonly [number, number][]): [number, number][] {
  const tails: number[] = [];
  const before: number[] = [];
  const second = (index: number | undefined) => (index === undefined ? -1 : (pairs[index]?.[1] ?? -1));
  pairs.forEach(([, j], index) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (second(tails[middle]) < j) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
  });
  const chosen: [number, number][] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) chosen.push(pair);
  }
  return chosen.reverse();
}
