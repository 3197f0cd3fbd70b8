/*
 * Matches patterns against texts written by agents. Doesn't use regular expressions, so the time is at most the product
 * of both lengths, whatever the text contains.
 */

/** Returns whether the whole text matches `pattern`: `*` matches anything, `?` one character. */
export function matchesWildcards(pattern: string, text: string): boolean {
  let [p, t] = [0, 0];
  // The index of the last star, and the length of the text it matches.
  let [star, taken] = [-1, 0];
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p;
      p += 1;
      taken = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      taken += 1;
      [p, t] = [star + 1, taken];
    } else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}

/** Returns whether a path matches `glob`: `*` and `?` stay within a folder, `**` matches any number of folders. */
export function matchesGlob(glob: string, path: string): boolean {
  const parts = path.split('/');
  // The lengths of the path prefixes that match the part of the glob read so far.
  let reached = new Set([0]);
  for (const segment of glob.split('/')) {
    const next = new Set<number>();
    for (const at of reached) {
      if (segment === '**') for (let end = at; end <= parts.length; end += 1) next.add(end);
      else if (at < parts.length && matchesWildcards(segment, parts[at] ?? '')) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(parts.length);
}
