import { constants } from 'node:fs';
import { lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { copyVariables } from './copyPlaces';

/** Where a repository is. Absolute paths. */
export interface GitPlace {
  /** The root of the working tree; undefined inside a folder of git. */
  readonly top: string | undefined;
  /** The folder of git, with the index. That of a worktree or a submodule is elsewhere. */
  readonly gitFolder: string;
  /** The folder of git that all worktrees share, with the objects. */
  readonly common: string;
}

/** The largest file of git's that leads to another place, in bytes. */
const longest = 16_384;

/**
 * Finds the repository around a folder as git does, but starts no program, and reads no settings. In a copy that an agent has for itself, it's
 * Parley's own. Undefined if there is none.
 */
export async function gitPlaceOf(folder: string): Promise<GitPlace | undefined> {
  const start = await realpath(folder).catch(() => undefined);
  if (start === undefined) return undefined;
  const { GIT_DIR: own, GIT_WORK_TREE: files } = copyVariables(start);
  if (own !== undefined) return { top: files, gitFolder: own, common: own };
  const device = (await stat(start).catch(() => undefined))?.dev;
  for (let at = start; ; at = dirname(at)) {
    const inner = join(at, '.git');
    const info = await stat(inner).catch(() => undefined);
    if (info?.isFile() === true) {
      const to = await shortText(inner);
      const gitFolder = /^gitdir: ([^\0]+?)[\r\n]*$/.exec(to ?? '')?.[1];
      return gitFolder === undefined ? undefined : gitFolderAt(resolve(at, gitFolder), at);
    }
    const found = (info && (await gitFolderAt(inner, at))) ?? (await gitFolderAt(at, undefined));
    if (found) return found;
    const above = dirname(at);
    if (above === at || (await stat(above).catch(() => undefined))?.dev !== device) return undefined;
  }
}

/** Returns the place of a folder of git, or undefined if it isn't one. */
export async function gitFolderAt(gitFolder: string, top: string | undefined): Promise<GitPlace | undefined> {
  if (!(await hasHead(gitFolder))) return undefined;
  const shared = (await shortText(join(gitFolder, 'commondir')))?.replace(/[\r\n]+$/, '');
  if (shared?.includes('\0') === true) return undefined;
  const common = shared === undefined ? gitFolder : resolve(gitFolder, shared);
  const isWhole = (await isFolder(join(common, 'objects'))) && (await isFolder(join(common, 'refs')));
  return isWhole ? { top, gitFolder, common } : undefined;
}

async function hasHead(gitFolder: string): Promise<boolean> {
  const head = join(gitFolder, 'HEAD');
  const info = await lstat(head).catch(() => undefined);
  if (info?.isSymbolicLink() === true) return (await readlink(head).catch(() => '')).startsWith('refs/');
  return /^(?:ref:\s*refs\/|[0-9a-f]{40})/.test((await shortText(head)) ?? '');
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Reads an ordinary file. A pipe, which would never end, or a long file is none. */
async function shortText(path: string): Promise<string | undefined> {
  return (await readOrdinary(path, longest))?.toString();
}

/** Reads an ordinary file of at most so many bytes; undefined if it's anything else. Never waits for another program. */
export async function readOrdinary(path: string, most: number): Promise<Buffer | undefined> {
  // Opening a pipe or a device can already do something.
  const info = await stat(path).catch(() => undefined);
  if (info?.isFile() !== true) return undefined;
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  try {
    const opened = await file?.stat();
    return opened?.isFile() === true && opened.size <= most ? await file?.readFile() : undefined;
  } catch {
    return undefined; // It can't be read.
  } finally {
    await file?.close();
  }
}
