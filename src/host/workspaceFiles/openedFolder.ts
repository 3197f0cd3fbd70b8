import { constants } from 'node:fs';
import { lstat, mkdir, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileKey, isMissing, systemCode } from '../base/filePaths';
import { FileProblem } from './fileProblem';

/** Linux opens a folder for nothing but finding names in it, which needs no permission to list it. Node has no name for it. */
const pathOnly = 0o10000000;
const { O_RDONLY } = constants;
/** Windows has none of these. */
const flag = (name: 'O_DIRECTORY' | 'O_NOFOLLOW' | 'O_NONBLOCK') =>
  (constants as Readonly<Record<string, number | undefined>>)[name] ?? 0;
const inFolder = flag('O_DIRECTORY');
/** Never waits for the other end of a pipe, never follows a link at the end. */
export const carefully = flag('O_NOFOLLOW') | flag('O_NONBLOCK');
/** Where the system can't name an open file, the way to it is looked at so often: a swap would have to fall between each two looks. */
const looks = 3;

/**
 * A folder that was opened and found to be the one that was meant. On Linux, names in it are found through the open folder, so that
 * they lead nowhere else whatever becomes of the way to it. Elsewhere the way is looked at again after each use.
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

  /** Opens a folder by its real path; undefined when there is none. Rejects when the path has become another way. */
  static async open(realPath: string): Promise<OpenedFolder | undefined> {
    // Windows opens no folders.
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
      // Linux answers this for a link as well as for a file.
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

  /** Opens a folder, and makes it and those above it where they are missing. */
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
    const made = await OpenedFolder.open(realPath);
    if (!made) throw new FileProblem('moved', realPath);
    return made;
  }

  /** The path by which the system finds a name in this folder. */
  at(name: string): string {
    return this.isHeld && this.handle ? `/proc/self/fd/${this.handle.fd}/${name}` : join(this.path, name);
  }

  /** Rejects when the path leads to another folder by now and names were found by it. */
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
  // What was removed or replaced meanwhile was there when it was opened.
  else if (name !== realPath && name !== `${realPath} (deleted)`) throw new FileProblem('moved', realPath);
}

/** Where the system says an open file is; undefined where it doesn't say. */
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
