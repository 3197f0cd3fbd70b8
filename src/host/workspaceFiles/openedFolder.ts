import { constants } from 'node:fs';
import { lstat, mkdir, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileKey, isMissing, systemCode } from '../base/filePaths';
import { FileProblem } from './fileProblem';

/**
 * Linux's `O_PATH`: opens a folder only to look up names in it, which needs no permission to list it. Node has no
 * constant for it.
 */
const pathOnly = 0o10000000;
const { O_RDONLY } = constants;
/** Windows has none of these flags. */
const flag = (name: 'O_DIRECTORY' | 'O_NOFOLLOW' | 'O_NONBLOCK') =>
  (constants as Readonly<Record<string, number | undefined>>)[name] ?? 0;
const inFolder = flag('O_DIRECTORY');
/** Never waits for the other end of a pipe, and never follows a link in the last name. */
export const carefully = flag('O_NOFOLLOW') | flag('O_NONBLOCK');
/**
 * Number of path checks if the system can't report an open file's path. An attacker would have to swap folders between
 * each two checks.
 */
const looks = 3;

/**
 * An opened folder that was verified to be the intended one. On Linux, names are looked up relative to the open folder,
 * so they can't lead elsewhere even if its path changes. On other systems, the path is checked again after each use.
 */
export class OpenedFolder {
  private readonly path: string;
  private readonly handle: FileHandle | undefined;
  private readonly isHeld: boolean;

  private constructor(path: string, handle: FileHandle | undefined, isHeld: boolean) {
    this.path = path;
    this.handle = handle;
    this.isHeld = isHeld;
  }

  /**
   * Opens a folder by its real path. Resolves to undefined if it doesn't exist. Rejects if the path now leads
   * elsewhere.
   */
  static async open(realPath: string): Promise<OpenedFolder | undefined> {
    // Windows can't open folders.
    if (process.platform === 'win32') {
      const folder = new OpenedFolder(realPath, undefined, false);
      try {
        if (!(await lstat(realPath)).isDirectory()) throw new FileProblem('moved', realPath);
        await folder.check();
        return folder;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    }
    let handle: FileHandle;
    try {
      const flags = process.platform === 'linux' ? pathOnly : O_RDONLY;
      handle = await open(realPath, flags | inFolder | carefully);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      if (systemCode(error) === 'ELOOP') throw new FileProblem('moved', realPath);
      // Linux returns this error for both links and files.
      if (systemCode(error) === 'ENOTDIR' && (await isLink(realPath))) throw new FileProblem('moved', realPath);
      throw error;
    }
    try {
      const name = await nameOfOpen(handle);
      if (name !== undefined) {
        if (name === realPath) return new OpenedFolder(realPath, handle, true);
        throw new FileProblem('moved', realPath);
      }
      await assertLeadsTo(handle, realPath);
      return new OpenedFolder(realPath, handle, false);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Opens a folder, and creates it and its missing parents. */
  static async make(realPath: string): Promise<OpenedFolder> {
    const there = await OpenedFolder.open(realPath);
    if (there) return there;
    const above = dirname(realPath);
    if (above === realPath) throw new FileProblem('moved', realPath);
    const parent = await OpenedFolder.make(above);
    try {
      await mkdir(parent.at(realPath.slice(above.endsWith('/') ? above.length : above.length + 1))).catch(
        (error: unknown) => {
          if (systemCode(error) !== 'EEXIST') throw error;
        },
      );
      await parent.check();
    } finally {
      await parent.close();
    }
    const opened = await OpenedFolder.open(realPath);
    if (!opened) throw new FileProblem('moved', realPath);
    return opened;
  }

  /** Returns the path for a name in this folder. */
  at(name: string): string {
    return this.isHeld && this.handle ? `/proc/self/fd/${this.handle.fd}/${name}` : join(this.path, name);
  }

  /** Rejects if names were looked up by path and the path now leads to another folder. */
  async check(): Promise<void> {
    if (this.isHeld) return;
    if (this.handle) await assertLeadsTo(this.handle, this.path);
    else if (fileKey(await realpath(this.path)) !== fileKey(this.path)) throw new FileProblem('moved', this.path);
  }

  async close(): Promise<void> {
    await this.handle?.close();
  }
}

/** Rejects unless an open file is the one at its real path. */
export async function assertOpenedAt(handle: FileHandle, realPath: string): Promise<void> {
  const name = await nameOfOpen(handle);
  if (name === undefined) await assertLeadsTo(handle, realPath);
  // A file that was removed or replaced in the meantime was there when it was opened.
  else if (name !== realPath && name !== `${realPath} (deleted)`) throw new FileProblem('moved', realPath);
}

/** Returns the system's path of an open file, or undefined if it doesn't report one. */
async function nameOfOpen(handle: FileHandle): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  return readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
}

async function assertLeadsTo(handle: FileHandle, realPath: string): Promise<void> {
  const opened = await handle.stat({ bigint: true });
  for (let look = 0; look < looks; look++) {
    try {
      const isSameWay = fileKey(await realpath(realPath)) === fileKey(realPath);
      const found = await lstat(realPath, { bigint: true });
      if (isSameWay && found.dev === opened.dev && found.ino === opened.ino) continue;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    throw new FileProblem('moved', realPath);
  }
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (info) => info.isSymbolicLink(),
    () => false,
  );
}
