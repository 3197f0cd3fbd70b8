/** Lines `oldStart` up to, not including, `oldEnd` of the old text become `newStart` up to `newEnd` of the new one. */
export interface LineHunk {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Upper bound for (lines compared) × (differences searched), so that the worst file takes well under a second. */
const searchBudget = 40_000_000;
const maxDifferences = 1500;
/** Beyond this many differences, lines that occur once on each side divide the texts first: far less to search. */
const fewDifferences = 128;

/**
 * The changed places between two texts given as lines, in order and never touching each other. Shortest for ordinary
 * edits; texts with very many differences are matched by the lines that occur once in each first.
 */
export function diffLines(oldLines: readonly string[], newLines: readonly string[]): LineHunk[] {
  const span = changedSpan(oldLines, newLines);
  const { oldStart: start, oldEnd, newEnd } = span;
  if (start === oldEnd && start === newEnd) return [];
  // With one line or none on a side there is nothing to search, and these are most of the changes there are.
  const isPlain = start === oldEnd || start === newEnd || (oldEnd - start === 1 && newEnd - start === 1);
  if (isPlain) return slid([span], oldLines, newLines);
  const parts = diffMiddles(oldLines.slice(start, oldEnd), newLines.slice(start, newEnd));
  const hunks = parts.map((part) => shiftHunk(part, start, start));
  return slid(hunks, oldLines, newLines);
}

/** What lies between the lines that two texts have in common at their beginning and at their end. Both sides start at the same line. */
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

/** A hunk of parts of two texts as one of the texts, in which so many lines come before these parts. */
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

/** Lines that were only added or only removed can often be said to be a few lines further up or down: at most so many. */
const maxSlide = 100;

/**
 * Slides each such hunk to where a reader would put it, as VS Code's own diff does: its ends are between lines of little
 * indentation, blank ones included, and of several such places it takes the first.
 */
function slid(hunks: readonly LineHunk[], oldLines: readonly string[], newLines: readonly string[]): LineHunk[] {
  const result: LineHunk[] = [];
  hunks.forEach((hunk, index) => {
    const { oldStart, oldEnd, newStart, newEnd } = hunk;
    const [before, after] = [result.at(-1), hunks[index + 1]];
    let by = 0;
    // A line that did not change stays between two hunks.
    if (oldStart === oldEnd) {
      by = bestSlide(newLines, newStart, newEnd, before ? before.newEnd + 1 : 0, after ? after.newStart - 1 : Infinity);
    } else if (newStart === newEnd) {
      by = bestSlide(oldLines, oldStart, oldEnd, before ? before.oldEnd + 1 : 0, after ? after.oldStart - 1 : Infinity);
    }
    result.push({ oldStart: oldStart + by, oldEnd: oldEnd + by, newStart: newStart + by, newEnd: newEnd + by });
  });
  return result;
}

/** By how many lines `start` up to `end` is best moved, within `first` up to `last`, so that the text stays the same. */
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

/** How much the lines around a boundary are indented. */
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

/** Marks which lines were removed and added; lines are compared by number. */
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

  /** Greedy shortest edit script (E. Myers, 1986); gives up and marks nothing beyond `limit` differences. */
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

  /** Pairs of lines that occur exactly once on each side, as many as keep their order. */
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

/** Position of each number that occurs once in the range; -1 for the others. In order of first occurrence. */
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
