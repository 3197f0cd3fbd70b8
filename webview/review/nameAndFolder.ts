/** Splits a path into its file name and its folder. */
export function nameAndFolder(path: string): readonly [name: string, folder: string] {
  const at = path.lastIndexOf('/');
  return [path.slice(at + 1), path.slice(0, Math.max(0, at))];
}
