import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';

/** A file that an agent names, which need not exist. */
export interface FileTarget {
  /** As the agent wrote it, normalised. */
  readonly path: string;
  /** With every symbolic link followed; of a missing file, the deepest folder that exists. */
  readonly realPath: string;
  /** The same for every spelling of one file. */
  readonly key: string;
}

/** More links than any system follows. */
const maxLinks = 40;

/** Finds out which file an absolute path means. Rejects with the system's error when a folder on the way cannot be searched. */
export async function resolveTarget(path: string): Promise<FileTarget> {
  const normal = normalize(path);
  const realPath = await followLinks(normal, maxLinks);
  return { path: normal, realPath, key: fileKey(realPath) };
}

/** One string per file, whatever case a path is written in where the system does not tell cases apart. */
export function fileKey(realPath: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' || platform === 'darwin' ? realPath.normalize('NFC').toLowerCase() : realPath;
}

/** Whether `path` is `folder` itself or lies in it; both real paths. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/**
 * Whether a folder is so wide that the user's home is in it, or is it: keys, shell profiles, and settings are there, so it is never
 * free to read or write as a whole. A real path.
 */
export function holdsHome(folder: string, home = realHome()): boolean {
  return isInside(fileKey(folder), fileKey(home));
}

function realHome(): string {
  try {
    return realpathSync(homedir());
  } catch {
    // A home that isn't there has nothing in it.
    return homedir();
  }
}

async function followLinks(path: string, linksLeft: number): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  // A link to nothing yet: writing to it creates its target, so the target is what counts.
  const link = await linkTarget(path);
  if (link !== undefined) {
    if (linksLeft === 0) throw new Error(`Too many symbolic links: ${path}`);
    const realParent = await followLinks(parent, linksLeft - 1);
    return followLinks(resolve(realParent, link), linksLeft - 1);
  }
  return join(await followLinks(parent, linksLeft), basename(path));
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether a file system error says that the file, or a folder on the way to it, does not exist. */
export function isMissing(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The system's name of a failure such as `EACCES`; undefined for other errors. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
