import { chmodSync, existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { attempt } from '../../shared/values/attempt';
import { isBelow } from '../../shared/limits/isBelow';
import { shellWord } from '../inside/commandLine';

/** Returns the folders in which all programs of a machine keep temporary files; `own` is the one of this process. */
export function temporaryFolders(own: string): readonly string[] {
  return [...new Set(['/tmp', '/var/tmp', own].map(real))].filter((path) => existsSync(path));
}

/** What a sandbox with temporary files of its own is made of. */
export interface ScratchFacts {
  /** The keeper's folder, beside the sandbox's own one for temporary files. */
  readonly own: string;
  /** What can be seen of the machine's temporary files: other mounts. */
  readonly visible: readonly string[];
  /** Home folders, which are hidden as a whole. */
  readonly homes: readonly string[];
}

/** The temporary files of one sandbox, on Linux. */
export interface Scratch {
  /** Folders of the machine that are hidden. */
  readonly hidden: readonly string[];
  /** For each of them, the words for bubblewrap that put the sandbox's own folder there. */
  readonly hiding: ReadonlyMap<string, string>;
  /** Folders on the way to what is visible. Nothing can be made there. */
  readonly sealed: readonly string[];
  /** Returns whether a path is one of the sandbox's own temporary files, and not of the machine's. */
  has(path: string): boolean;
}

/**
 * Makes folders that take the place of the machine's for temporary files. All commands of a sandbox share them. What is visible there, such as a
 * session's folder, has a way that programs inside can't replace: a link in it would move the mounts of the next command.
 */
export function makeScratch({ own, visible, homes }: ScratchFacts): Scratch {
  const all = temporaryFolders(dirname(own));
  const places = [...new Set([...visible, ...visible.map(real)])].filter((path) => existsSync(path));
  const hidden = all.filter(
    (path) =>
      /^(?:\/[\w.-]+)+$/.test(path) &&
      !isBelow(path, [...homes, ...places]) &&
      !all.some((other) => other !== path && isBelow(path, [other])),
  );
  const sealed: string[] = [];
  const hiding = new Map<string, string>();
  for (const [index, at] of hidden.entries()) {
    const folder = join(own, `scratch-${index}`);
    mkdirSync(folder);
    // As on every machine, whatever the user's mask is.
    chmodSync(folder, 0o1777);
    const below = [...places, ...homes].filter((path) => isBelow(path, [at]));
    const names = new Set(below.map((path) => relative(at, path).split(sep)[0] ?? ''));
    const ways = [...names].map((name) => ({ name, path: join(at, name) }));
    for (const { name, path } of ways) {
      if (statSync(path).isDirectory()) mkdirSync(join(folder, name));
      else writeFileSync(join(folder, name), '');
    }
    const empty = ways.map(({ path }) => path).filter((path) => !places.includes(path));
    sealed.push(...empty);
    // Nothing of the library hides what is hidden anyway.
    const inside = homes.filter((path) => isBelow(path, [at]));
    const words = [
      `--bind ${shellWord(folder)} ${at}`,
      ...[...empty, ...inside].map((path) => `--tmpfs ${shellWord(path)}`),
    ];
    hiding.set(at, words.join(' '));
  }
  return { hidden, hiding, sealed, has: (path) => isBelow(path, hidden) && !isBelow(path, [...sealed, ...places]) };
}

function real(path: string): string {
  return attempt(() => realpathSync(path)) ?? path;
}
