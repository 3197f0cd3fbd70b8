import { constants, type BigIntStats } from 'node:fs';
import * as fs from 'node:fs/promises';
import { basename, dirname, isAbsolute } from 'node:path';
import { patiently } from '../../disk/patiently';
import { isMissing, systemCode } from '../base/filePaths';
import { FileProblem } from './fileProblem';
import { assertOpenedAt, carefully, OpenedFolder } from './openedFolder';
import { newDraftName } from './ownDrafts';

const { O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_WRONLY } = constants;
/** All bits that `chmod` sets. */
const modeBits = 0o7777;
const readAtOnce = 1024 * 1024;
/** How often to open a file that is always moved or replaced at that moment. */
const attempts = 3;

/** Identifies a version of a file. */
export interface Fingerprint {
  readonly device: bigint;
  readonly node: bigint;
  readonly size: bigint;
  readonly changedAt: bigint;
}

/** A regular file with its content. */
export interface FoundFile {
  readonly bytes: Uint8Array;
  /** All permission bits of the file. */
  readonly mode: number;
  readonly fingerprint: Fingerprint;
}

/** The entry at a path. Doesn't follow a link in the last name. */
export type Found =
  | { readonly kind: 'absent' | 'directory' | 'special' }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'file'; readonly size: number; readonly mode: number };

export interface ReplaceOptions {
  /** All permission bits to set. If absent, keeps the current ones or uses the defaults for a new file. */
  readonly mode?: number | undefined;
  /** The state that the file must still have. A link is never followed, and is replaced only if it's expected. */
  readonly expected?: Fingerprint | 'absent' | 'link' | 'any' | undefined;
}

/** The only call that opens files, so that tests can simulate a full disk. */
export type Open = typeof fs.open;

/**
 * Reads and writes regular files by their real paths. Never goes through a link, even if parent folders change
 * in the meantime. Writes are atomic.
 */
export class DiskFiles {
  private readonly open: Open;

  constructor(open: Open = fs.open) {
    this.open = open;
  }

  /** Returns the entry at a path without opening it. */
  async look(path: string): Promise<Found> {
    try {
      const info = await fs.lstat(path);
      if (info.isSymbolicLink()) return { kind: 'link', target: await fs.readlink(path) };
      if (info.isDirectory()) return { kind: 'directory' };
      return info.isFile() ? { kind: 'file', size: info.size, mode: info.mode & modeBits } : { kind: 'special' };
    } catch (error) {
      if (isMissing(error)) return { kind: 'absent' };
      throw error;
    }
  }

  /**
   * Reads a file. Resolves to undefined if it doesn't exist. Rejects if it isn't a regular file or is larger than
   * `maxBytes`.
   */
  async read(realPath: string, maxBytes = Number.MAX_SAFE_INTEGER): Promise<FoundFile | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.readOnce(realPath, maxBytes);
      } catch (error) {
        // Another program may have moved the file after it was opened. A path that leads elsewhere still does.
        if (attempt === attempts || !(error instanceof FileProblem) || error.kind !== 'moved') throw error;
      }
    }
  }

  private async readOnce(realPath: string, maxBytes: number): Promise<FoundFile | undefined> {
    try {
      // Opening a device may have side effects.
      assertRegular(await fs.lstat(realPath, { bigint: true }), realPath);
      const file = await patiently(() => this.open(realPath, O_RDONLY | carefully));
      try {
        const info = await file.stat({ bigint: true });
        assertRegular(info, realPath);
        await assertOpenedAt(file, realPath);
        if (info.size > maxBytes) throw new FileProblem('tooLarge', realPath, Number(info.size));
        const bytes = await readAll(file, Number(info.size), maxBytes, realPath);
        return { bytes, mode: Number(info.mode) & modeBits, fingerprint: fingerprintOf(info) };
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (systemCode(error) === 'ELOOP') throw new FileProblem('moved', realPath);
      // Some system files have no data yet and might never have any.
      if (systemCode(error) === 'EAGAIN') throw new FileProblem('special', realPath);
      throw error;
    }
  }

  /** Writes a file, and creates it and its folders if missing. If it rejects, nothing has changed. */
  async replace(realPath: string, bytes: Uint8Array, { mode, expected = 'any' }: ReplaceOptions = {}): Promise<void> {
    await inFolderOf(realPath, async (folder, name) => {
      const old = await existing(folder, name);
      if (old?.isDirectory()) {
        // Only an empty folder is replaced, such as one left in the file's place.
        if (expected === 'link' || typeof expected === 'object') throw new FileProblem('directory', realPath);
        await fs.rmdir(folder.at(name));
      } else {
        assertExpected(old, expected, realPath);
      }
      const file = old?.isFile() ? old : undefined;
      if (file) await assertWritable(folder.at(name));
      if (file && file.nlink > 1n) await this.overwrite(folder, name, file, bytes, realPath);
      else await this.putInPlace(folder, name, file, bytes, realPath);
      if (mode !== undefined && process.platform !== 'win32') await permit(folder, name, mode, realPath);
    });
  }

  /** Creates a symbolic link in place of an existing entry. */
  async replaceByLink(realPath: string, target: string): Promise<void> {
    await inFolderOf(realPath, async (folder, name) => {
      const old = await existing(folder, name);
      if (old?.isDirectory()) await fs.rmdir(folder.at(name));
      else if (old && !old.isSymbolicLink()) assertRegular(old, realPath);
      const draft = newDraftName(name);
      await this.link(target, folder.at(draft));
      await this.take(folder, draft, name);
    });
  }

  /** Removes a file or a link, but not the link's target. Does nothing if the entry doesn't exist. */
  async remove(realPath: string): Promise<void> {
    const folder = await OpenedFolder.open(dirname(realPath));
    if (!folder) return;
    try {
      await patiently(() => fs.unlink(folder.at(basename(realPath)))).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
      await folder.check();
    } finally {
      await folder.close();
    }
  }

  /** Removes an empty folder. */
  async removeFolder(realPath: string): Promise<void> {
    await inFolderOf(realPath, (folder, name) => patiently(() => fs.rmdir(folder.at(name))));
  }

  /** Creates a folder and its missing parents. */
  async makeFolder(realPath: string): Promise<void> {
    await (await OpenedFolder.make(realPath)).close();
  }

  /** Sets all permission bits of a file, but never those of a link's target. */
  async setMode(realPath: string, mode: number): Promise<void> {
    if (process.platform === 'win32') return;
    await inFolderOf(realPath, (folder, name) => permit(folder, name, mode, realPath));
  }

  /** Writes a draft beside the file and renames it. If the folder allows no draft, overwrites the file itself. */
  private async putInPlace(
    folder: OpenedFolder,
    name: string,
    old: BigIntStats | undefined,
    bytes: Uint8Array,
    realPath: string,
  ): Promise<void> {
    const draft = newDraftName(name);
    let file: fs.FileHandle;
    try {
      file = await this.open(folder.at(draft), O_CREAT | O_EXCL | O_WRONLY | carefully, old ? 0o600 : 0o666);
    } catch (error) {
      if (!old || !refusesDraft(error)) throw error;
      return this.overwrite(folder, name, old, bytes, realPath);
    }
    let isOwned = true;
    try {
      try {
        await writeAll(file, bytes, 0);
        if (old) isOwned = await resemble(file, old);
        await file.sync();
      } finally {
        await file.close();
      }
      const now = await existing(folder, name);
      if (!isSame(old, now?.isDirectory() || now?.isSymbolicLink() ? undefined : now)) {
        throw new FileProblem('changed', realPath);
      }
      await folder.check();
      if (isOwned) {
        await this.take(folder, draft, name);
        return;
      }
    } catch (error) {
      await discard(folder, draft);
      // Such as a file that is a mount point.
      if (old && refusesDraft(error)) return this.overwrite(folder, name, old, bytes, realPath);
      throw error;
    }
    await discard(folder, draft);
    if (old) await this.overwrite(folder, name, old, bytes, realPath);
  }

  /** Windows lets only some users create symbolic links, but all of them create junctions to folders. */
  private async link(target: string, path: string): Promise<void> {
    try {
      await fs.symlink(target, path);
    } catch (error) {
      const isFolder = process.platform === 'win32' && isAbsolute(target) && (await isFolderAt(target));
      if (systemCode(error) !== 'EPERM' || !isFolder) throw error;
      await fs.symlink(target, path, 'junction');
    }
  }

  private async take(folder: OpenedFolder, draft: string, name: string): Promise<void> {
    try {
      await patiently(() => fs.rename(folder.at(draft), folder.at(name)));
    } catch (error) {
      await discard(folder, draft);
      throw error;
    }
  }

  /**
   * Overwrites the file itself, which keeps its other names, its owner, and other attributes. Reserves the additional
   * space first. If a write still fails, restores the old bytes.
   */
  private async overwrite(
    folder: OpenedFolder,
    name: string,
    old: BigIntStats,
    bytes: Uint8Array,
    realPath: string,
  ): Promise<void> {
    const file = await patiently(() => this.open(folder.at(name), O_RDWR | carefully));
    try {
      const info = await file.stat({ bigint: true });
      if (info.dev !== old.dev || info.ino !== old.ino) throw new FileProblem('changed', realPath);
      const before = await readAll(file, Number(info.size), Number.MAX_SAFE_INTEGER, realPath);
      try {
        if (bytes.byteLength > before.byteLength) {
          await writeAll(file, bytes.subarray(before.byteLength), before.byteLength);
          await file.sync();
        }
        await writeAll(file, bytes.subarray(0, before.byteLength), 0);
        await file.truncate(bytes.byteLength);
        await file.sync();
      } catch (error) {
        // The old bytes fit before.
        await file.truncate(before.byteLength).catch(() => undefined);
        await writeAll(file, before, 0).catch(() => undefined);
        throw error;
      }
    } finally {
      await file.close();
    }
  }
}

/** Files on this computer's disks. */
export const diskFiles = new DiskFiles();

async function inFolderOf<T>(realPath: string, act: (folder: OpenedFolder, name: string) => Promise<T>): Promise<T> {
  const folder = await OpenedFolder.make(dirname(realPath));
  try {
    const answer = await act(folder, basename(realPath));
    await folder.check();
    return answer;
  } finally {
    await folder.close();
  }
}

async function existing(folder: OpenedFolder, name: string): Promise<BigIntStats | undefined> {
  try {
    return await fs.lstat(folder.at(name), { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function assertExpected(
  old: BigIntStats | undefined,
  expected: NonNullable<ReplaceOptions['expected']>,
  path: string,
): void {
  if (old && !old.isSymbolicLink()) assertRegular(old, path);
  // A caller that expects a file has resolved all links before, so this link is new.
  if (old?.isSymbolicLink() && expected !== 'link') throw new FileProblem('moved', path);
  if (expected === 'any' || expected === 'link') return;
  const isAsExpected =
    expected === 'absent' ? old === undefined : old !== undefined && isSamePrint(fingerprintOf(old), expected);
  if (!isAsExpected) throw new FileProblem('changed', path);
}

function assertRegular(info: BigIntStats, path: string): void {
  if (info.isDirectory()) throw new FileProblem('directory', path);
  if (info.isSymbolicLink()) throw new FileProblem('moved', path);
  if (!info.isFile()) throw new FileProblem('special', path);
}

/** Rejects if the owner can't write the file, even if its folder would let it be replaced. */
async function assertWritable(path: string): Promise<void> {
  await fs.access(path, constants.W_OK);
}

async function readAll(file: fs.FileHandle, size: number, maxBytes: number, path: string): Promise<Uint8Array> {
  // System files don't report their size.
  const parts: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const part = Buffer.allocUnsafe(Math.max(1, Math.min(readAtOnce, total < size ? size - total + 1 : readAtOnce)));
    const { bytesRead } = await file.read(part, 0, part.byteLength, total);
    if (bytesRead === 0) break;
    parts.push(part.subarray(0, bytesRead));
    total += bytesRead;
    if (total > maxBytes) throw new FileProblem('tooLarge', path, total);
  }
  return parts.length === 1 ? (parts[0] ?? new Uint8Array()) : Buffer.concat(parts);
}

async function writeAll(file: fs.FileHandle, bytes: Uint8Array, from: number): Promise<void> {
  for (let at = 0; at < bytes.byteLength;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.byteLength - at, from + at);
    at += bytesWritten;
  }
}

/** Copies the owner and permissions of the replaced file to the draft. Resolves to true if the owner could be set. */
async function resemble(draft: fs.FileHandle, old: BigIntStats): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const draftStats = await draft.stat({ bigint: true });
  if (draftStats.uid !== old.uid || draftStats.gid !== old.gid) {
    try {
      await draft.chown(Number(old.uid), Number(old.gid));
    } catch {
      return false;
    }
  }
  await draft.chmod(Number(old.mode) & modeBits);
  return true;
}

async function permit(folder: OpenedFolder, name: string, mode: number, path: string): Promise<void> {
  const info = await existing(folder, name);
  if (!info) return;
  assertRegular(info, path);
  if ((Number(info.mode) & modeBits) === mode) return;
  await fs.chmod(folder.at(name), mode);
}

async function isFolderAt(path: string): Promise<boolean> {
  return fs.stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );
}

/** Removes a draft if possible, so that none stays among the user's files. */
async function discard(folder: OpenedFolder, draft: string): Promise<void> {
  await patiently(() => fs.unlink(folder.at(draft))).catch(() => undefined);
}

/**
 * Returns true for failures that mean a draft can't be created or renamed here, although the file itself may be
 * writable.
 */
function refusesDraft(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV', 'ENAMETOOLONG', 'EINVAL', 'ENOTSUP'].includes(
    systemCode(error) ?? '',
  );
}

function fingerprintOf(info: BigIntStats): Fingerprint {
  return { device: info.dev, node: info.ino, size: info.size, changedAt: info.mtimeNs };
}

function isSamePrint(a: Fingerprint, b: Fingerprint): boolean {
  return a.device === b.device && a.node === b.node && a.size === b.size && a.changedAt === b.changedAt;
}

function isSame(a: BigIntStats | undefined, b: BigIntStats | undefined): boolean {
  if (!a || !b) return a === b;
  return isSamePrint(fingerprintOf(a), fingerprintOf(b));
}
