/** Maximum number of compared pairs. Beyond it, only the ends of long lists are aligned. */
const maxPairs = 4_000_000;

/**
 * Returns the pairs of two lists that weigh the most together, in the order of both lists: each item is in one pair at
 * most. Of equal alignments, it's the one with the earliest pairs. A weight of 0 is no pair. `isCertain` says that two items at the
 * same place at the start belong together, whatever follows.
 */
export function alignInOrder(
  ours: number,
  theirs: number,
  weight: (at: number, theirAt: number) => number,
  isCertain: (both: number) => boolean,
): readonly (readonly [at: number, theirAt: number])[] {
  const pairs: (readonly [number, number])[] = [];
  let start = 0;
  for (; start < ours && start < theirs && isCertain(start); start += 1) pairs.push([start, start]);
  const longest = Math.floor(Math.sqrt(maxPairs));
  const isLong = (ours - start) * (theirs - start) > maxPairs;
  const first = isLong ? Math.max(start, ours - longest) : start;
  const theirFirst = isLong ? Math.max(start, theirs - longest) : start;
  const width = theirs - theirFirst + 1;
  // The best sum of what comes after both places.
  const best = new Float64Array((ours - first + 1) * width);
  const at = (i: number, j: number) => best[(i - first) * width + j - theirFirst] ?? 0;
  for (let i = ours - 1; i >= first; i -= 1) {
    for (let j = theirs - 1; j >= theirFirst; j -= 1) {
      const own = weight(i, j);
      const paired = own > 0 ? own + at(i + 1, j + 1) : 0;
      best[(i - first) * width + j - theirFirst] = Math.max(paired, at(i + 1, j), at(i, j + 1));
    }
  }
  for (let i = first, j = theirFirst; i < ours && j < theirs;) {
    const own = weight(i, j);
    if (own > 0 && at(i, j) === own + at(i + 1, j + 1)) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (at(i, j) === at(i + 1, j)) i += 1;
    else j += 1;
  }
  return pairs;
}
