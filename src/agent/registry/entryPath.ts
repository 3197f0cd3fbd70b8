/**
 * The path of an archive's entry below the folder it is unpacked into, with forward slashes and without `.`; empty for that
 * folder itself, undefined when it leads out of it. `anywhere`: also when it means something else on Windows.
 */
export function safeEntryPath(name: string, anywhere = true): string | undefined {
  if (name.length > 1024 || /\p{Cc}/u.test(name)) return undefined;
  const path = name.replaceAll('\\', '/');
  if (/^(\/|[A-Za-z]:)/.test(path)) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const isSafe = (part: string) => part !== '..' && part.length <= 255 && (!anywhere || isSafeFolderName(part));
  return parts.every(isSafe) ? parts.join('/') : undefined;
}

/** Whether a name is that of one file or folder, on every system: no `..`, no device of Windows, no end that Windows drops. */
export function isSafeFolderName(name: string): boolean {
  return !/^$|[. ]$|[/\\:*?"<>|]/.test(name) && !/^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i.test(name);
}

/** Whether a link at `path` with this target stays below the folder that both belong to, as far as the two texts tell. */
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
