/** What the library's line leaves open to whoever is root: settings of the kernel, and memory shared between programs. */
const more = '--ro-bind /proc/sys /proc/sys --unshare-ipc --unshare-uts';
const place = / --proc \/proc(?= )/;

/**
 * Returns a line of the library, for bubblewrap, that also keeps the kernel's settings read-only. Bubblewrap covers them only
 * if their folder is writable, but root can write the files in it. Throws if the line isn't as expected: nothing must run
 * half protected.
 */
export function hardened(line: string): string {
  // What is in quotes is a path or the command, which may contain the same words.
  const parts = line.split(/('[^']*'|"[^"]*"|\\.)/s);
  const at = parts.findIndex((part, index) => index % 2 === 0 && place.test(part));
  const found = parts[at];
  if (found === undefined) throw new Error('The sandbox’s command line has no place for its own /proc');
  return parts
    .with(
      at,
      found.replace(place, (words) => `${words} ${more}`),
    )
    .join('');
}
