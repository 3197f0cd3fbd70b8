/** A file's path relative to the workspace, with slashes. */
export interface NamedPath {
  readonly path: string;
}

/**
 * Returns at most `limit` files that match the typed text, best first: names that start with it, names that contain it,
 * paths that contain it, and paths that contain its letters in order. Shorter paths come first, then the original
 * order.
 */
export function rankFiles<T extends NamedPath>(files: readonly T[], typed: string, limit: number): T[] {
  const wanted = typed.toLowerCase().replaceAll('\\', '/');
  const ranked = files.flatMap((file) => {
    const rank = rankOf(file.path.toLowerCase(), wanted);
    return rank === undefined ? [] : [{ file, rank }];
  });
  ranked.sort((a, b) => a.rank - b.rank || (wanted === '' ? 0 : a.file.path.length - b.file.path.length));
  return ranked.slice(0, limit).map(({ file }) => file);
}

function rankOf(path: string, wanted: string): number | undefined {
  if (wanted === '') return 0;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  if (path.includes(wanted)) return 2;
  let at = 0;
  for (const letter of wanted) {
    at = path.indexOf(letter, at) + 1;
    if (at === 0) return undefined;
  }
  return 3;
}
