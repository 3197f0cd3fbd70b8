/** Larger changes are new texts rather than edited lines. */
const most = 2500;

/**
 * Returns which added line each removed line became, by index. In a change of as many lines as before, these are the lines at the same
 * place; otherwise, those that have the most words in common, in the same order.
 */
export function linePairs(removed: readonly string[], added: readonly string[]): ReadonlyMap<number, number> {
  if (removed.length === added.length) return new Map(removed.map((_, at) => [at, at]));
  const pairs = new Map<number, number>();
  const [rows, columns] = [removed.length, added.length];
  if (rows * columns > most) return pairs;
  const [from, to] = [removed.map(wordsOf), added.map(wordsOf)];
  // The most that lines from these two on can have in common.
  const best = Array.from({ length: rows + 1 }, () => new Array<number>(columns + 1).fill(0));
  const at = (row: number, column: number) => best[row]?.[column] ?? 0;
  const both = (row: number, column: number) =>
    at(row + 1, column + 1) + similarity(from[row] ?? new Set(), to[column] ?? new Set());
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const line = best[row];
      if (line) line[column] = Math.max(at(row + 1, column), at(row, column + 1), both(row, column));
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns;) {
    if (at(row, column) === at(row + 1, column)) row++;
    else if (at(row, column) === at(row, column + 1)) column++;
    else pairs.set(row++, column++);
  }
  return pairs;
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.match(/[\p{L}\p{N}_$]+/gu) ?? []);
}

/** Returns how alike two lines are, from 0 to 1. Lines that share less than a third aren't. */
function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const size = Math.max(one.size, other.size);
  const shared = [...one].filter((word) => other.has(word)).length;
  return size === 0 || shared * 3 < size ? 0 : shared / size;
}
