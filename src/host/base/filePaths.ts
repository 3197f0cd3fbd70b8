import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { basename, dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { ignoresCase, isForeignShare, pathKey, plainPath } from '../../disk/paths';

/** A file that an agent refers to. The file need not exist. */
export interface FileTarget {
  /** The agent's path, normalized. */
  readonly path: string;
  /** The path with every symbolic link followed. A missing file is placed in its deepest existing folder. */
  readonly realPath: string;
  /** The same for every spelling of a file's path. */
  readonly key: string;
}

/** More links than any operating system follows. */
const maxLinks = 40;

/** Resolves an absolute path to a file. Rejects with the system's error if a folder on the way can't be searched. */
export async function resolveTarget(path: string): Promise<FileTarget> {
  const normal = normalize(plainPath(path));
  const realPath = await followLinks(normal, maxLinks);
  return { path: normal, realPath, key: fileKey(realPath) };
}

/**
 * Resolves a path that an agent named, without a look at another machine: its paths count as written until the user has
 * allowed more.
 */
export async function resolveNamed(path: string, cwd: string): Promise<FileTarget> {
  if (!isForeignShare(path, cwd)) return resolveTarget(path);
  const normal = normalize(plainPath(path));
  return { path: normal, realPath: normal, key: fileKey(normal) };
}

/** Returns the path of a `file:` URI, also with an encoded drive letter (`file:///c%3A/a`), and any other text unchanged. */
export function withoutScheme(path: string): string {
  try {
    return /^file:/i.test(path) ? fileURLToPath(path) : path;
  } catch {
    // Not a valid URL.
    return path;
  }
}

/** Returns one string per file. Ignores case on platforms with case-insensitive paths. */
export function fileKey(realPath: string, platform: NodeJS.Platform = process.platform): string {
  return pathKey(realPath, platform);
}

/**
 * Resolves to a path as the disk spells it, because agents may write names in another case. Resolves to the path itself
 * if case matters, if there is no such file, or if a link is part of it.
 */
export async function spelledOnDisk(
  path: string,
  platform: NodeJS.Platform = process.platform,
  resolveReal: (path: string) => Promise<string> = realpath,
): Promise<string> {
  if (!ignoresCase(platform)) return path;
  const real = await resolveReal(path).catch(() => path);
  return fileKey(real, platform) === fileKey(path, platform) ? real : path;
}

/** Returns true if `path` is `folder` or is inside it. Both must be real paths. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/**
 * Returns true if a folder is the user's home or contains it. Such a folder has keys, shell profiles, and settings, so
 * agents never get access to all of it. `folder` must be a real path.
 */
export function holdsHome(folder: string, home = realHome()): boolean {
  return isInside(fileKey(folder), fileKey(home));
}

function realHome(): string {
  try {
    return realpathSync(homedir());
  } catch {
    // A home folder that doesn't exist contains nothing.
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
  // Writing to a dangling link creates its target, so the target counts.
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

/** Returns true if a file system error means that the file, or a folder in its path, doesn't exist. */
export function isMissing(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The system's code for a failure, such as `EACCES`, or undefined for other errors. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
