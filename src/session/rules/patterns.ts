/*
 * Patterns against texts that agents write. They are matched without regular expressions: however long a text is and whatever it
 * holds, that takes no longer than the product of both lengths.
 */

/** Whether a text is as `pattern` says, as a whole: `*` is anything, `?` one character. */
export function matchesWildcards(pattern: string, text: string): boolean {
  let [p, t] = [0, 0];
  // Where the last star stood, and how much of the text it has taken.
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

/** Whether a path is as `glob` says: `*` and `?` stay within a folder, `**` is any number of folders. */
export function matchesGlob(glob: string, path: string): boolean {
  const parts = path.split('/');
  // Which beginnings of the path what was read of the glob matches.
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
