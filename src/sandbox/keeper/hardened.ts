import { shellWord } from '../inside/commandLine';

/** What the library's line leaves open to whoever is root: settings of the kernel, and memory shared between programs. */
const more = '--ro-bind /proc/sys /proc/sys --unshare-ipc --unshare-uts';
const place = / --proc \/proc(?= )/;

/** What a line gets besides what the library can be told. */
export interface Hardening {
  /** Hidden folders in which nothing can be written: what a program wrote there would be lost without a word. */
  readonly sealed?: readonly string[];
  /** Folders that take the place of others, and can be written. */
  readonly binds?: readonly (readonly [folder: string, place: string])[];
  /** Further options for bubblewrap. */
  readonly additions?: readonly string[];
  /** What takes the place of an empty folder that hides another one, as words for bubblewrap. */
  readonly hiding?: ReadonlyMap<string, string>;
}

/**
 * Returns a line of the library, for bubblewrap, that also keeps the kernel's settings read-only. Bubblewrap covers them only
 * if their folder is writable, but root can write the files in it. Throws if the line isn't as expected: nothing must run
 * half protected.
 */
export function hardened(
  line: string,
  { sealed = [], binds = [], additions = [], hiding = new Map() }: Hardening = {},
): string {
  const layers = binds.map(([folder, at]) => ` --bind ${shellWord(folder)} ${shellWord(at)}`).join('');
  const empty = sealed.flatMap((path) =>
    [path, shellWord(path)].filter((word) => hides(line, word, hiding)).map((word) => ` --remount-ro ${word}`),
  );
  // What is in quotes is a path or the command, which may contain the same words.
  const parts = line.split(/('[^']*'|"[^"]*"|\\.)/s);
  const at = parts.findIndex((part, index) => index % 2 === 0 && place.test(part));
  const found = parts[at];
  if (found === undefined) throw new Error('The sandbox’s command line has no place for its own /proc');
  const put = (part: string) =>
    [...hiding].reduce((text, [path, words]) => text.replaceAll(` --tmpfs ${path} `, ` ${words} `), part);
  return parts
    .with(
      at,
      found.replace(
        place,
        (words) => `${words} ${more}${layers}${additions.map((one) => ` ${one}`).join('')}${empty.join('')}`,
      ),
    )
    .map((part, index) => (index % 2 === 0 && index <= at ? put(part) : part))
    .join('');
}

/** Whether a folder is hidden by an empty one, in the line or in what is put into it. */
function hides(line: string, word: string, hiding: ReadonlyMap<string, string>): boolean {
  return [line, ...[...hiding.values()].map((words) => ` ${words} `)].some((text) =>
    text.includes(` --tmpfs ${word} `),
  );
}
