/** Returns whether a path is one of these places, or in one. */
export function isBelow(path: string, places: readonly string[]): boolean {
  return places.some(
    (at) => path === at || (path.startsWith(at) && (/[\\/]$/.test(at) || /[\\/]/.test(path.charAt(at.length)))),
  );
}
