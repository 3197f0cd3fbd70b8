/**
 * Returns the path of an archive's entry relative to the target folder, with forward slashes and without `.`; empty for
 * the folder itself, undefined if it leads outside. `anywhere`: also undefined if it means something else on Windows.
 */
export function safeEntryPath(name: string, anywhere = true): string | undefined {
  if (name.length > 1024 || /\p{Cc}/u.test(name)) return undefined;
  const path = name.replaceAll('\\', '/');
  if (/^(\/|[A-Za-z]:)/.test(path)) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const isSafe = (part: string) => part !== '..' && part.length <= 255 && (!anywhere || isSafeFolderName(part));
  return parts.every(isSafe) ? parts.join('/') : undefined;
}

/**
 * Returns whether a name is a single file or folder name on every system: no `..`, no Windows device, no ending that
 * Windows drops.
 */
export function isSafeFolderName(name: string): boolean {
  return !/^$|[. ]$|[/\\:*?"<>|]/.test(name) && !/^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i.test(name);
}

/** Returns whether a link at `path` with this target stays below their common folder, judged by the two texts. */
export function staysInside(path: string, target: string): boolean {
  if (target === '' || target.length > 1024 || /^\/|[\p{Cc}\\]|^[A-Za-z]:/u.test(target)) return false;
  let depth = path.split('/').length - 1;
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    depth += part === '..' ? -1 : 1;
    if (depth < 0) return false;
  }
  return true;
}
