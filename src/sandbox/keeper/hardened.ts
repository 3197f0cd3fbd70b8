import { shellWord } from '../commandLine';

/** What the library's line leaves open to whoever is root: settings of the kernel, and memory shared between programs. */
const more = '--ro-bind /proc/sys /proc/sys --unshare-ipc --unshare-uts';
const place = / --proc \/proc(?= )/;

/**
 * Returns a line of the library, for bubblewrap, that also keeps the kernel's settings read-only. Bubblewrap covers them only
 * if their folder is writable, but root can write the files in it. Throws if the line isn't as expected: nothing must run
 * half protected. Of the folders in `sealed`, those that are empty inside can't be written either: what a program wrote there would be lost
 * without a word.
 */
export function hardened(line: string, sealed: readonly string[] = []): string {
  const empty = sealed.flatMap((path) =>
    [path, shellWord(path)].filter((word) => line.includes(` --tmpfs ${word} `)).map((word) => ` --remount-ro ${word}`),
  );
  // What is in quotes is a path or the command, which may contain the same words.
  const parts = line.split(/('[^']*'|"[^"]*"|\\.)/s);
  const at = parts.findIndex((part, index) => index % 2 === 0 && place.test(part));
  const found = parts[at];
  if (found === undefined) throw new Error('The sandbox’s command line has no place for its own /proc');
  return parts
    .with(
      at,
      found.replace(place, (words) => `${words} ${more}${empty.join('')}`),
    )
    .join('');
}
