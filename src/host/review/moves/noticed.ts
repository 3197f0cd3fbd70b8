import { lstatSync, type Stats } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileBefore } from '../../../baseline/baseline';

/** Maximum lag of the file system's clock behind the system's clock, in milliseconds. */
export const clockSlackMs = 50;

/** Larger files aren't kept in memory. In bytes. */
const sizeLimit = 20_000_000;

/**
 * Returns when a file was last written, moved, or given other permissions, in milliseconds since the epoch. Resolves to
 * undefined if the file no longer exists.
 */
export async function lastWrite(path: string): Promise<number | undefined> {
  return lstat(path).then(writtenAt, () => undefined);
}

function writtenAt({ mtimeMs, ctimeMs }: Stats): number {
  return Math.max(mtimeMs, ctimeMs);
}

/** When a file last changed. For a deleted file, the latest time it can have been deleted. */
export interface ChangeTime {
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly isGone: boolean;
  /**
   * Identifies the current version of an existing file. Changes with each write, also within one tick of the file
   * system's clock. Moves preserve it.
   */
  readonly stamp?: string;
  /** All permission bits of an existing file. */
  readonly mode?: number;
}

/** Returns when a file was last written. For a deleted file, returns when its folder last changed. */
export async function changeTime(path: string): Promise<ChangeTime> {
  const info = await lstat(path).catch(() => undefined);
  return info ? timeOf(info) : { at: (await folderChange(dirname(path))) ?? 0, isGone: true };
}

/** The synchronous version, for a change that was reported just now. Returns undefined if the file doesn't exist. */
export function changeTimeNow(path: string): ChangeTime | undefined {
  try {
    return timeOf(lstatSync(path));
  } catch {
    return undefined;
  }
}

function timeOf(info: Stats): ChangeTime {
  const stamp = [info.ino, info.size, info.mtimeMs, info.mode].join(' ');
  return { at: writtenAt(info), isGone: false, stamp, mode: info.mode & 0o7777 };
}

/**
 * Returns a file's content if the file hasn't been written since `since`, in milliseconds. Resolves to undefined if it
 * has, if it isn't a regular file, or if it's very large.
 */
export async function unchangedSince(path: string, since: number): Promise<FileBefore | undefined> {
  try {
    const info = await lstat(path);
    if (Math.max(info.mtimeMs, info.ctimeMs) >= since || !info.isFile() || info.size > sizeLimit) return undefined;
    const mode = info.mode & 0o7777;
    return { kind: 'file', bytes: await readFile(path), isExecutable: (mode & 0o111) !== 0, mode };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return undefined;
    // If the file had been there since then, its deletion would have changed the folder.
    return ((await folderChange(dirname(path))) ?? since) < since ? { kind: 'absent' } : undefined;
  }
}

/**
 * Returns whether a folder doesn't exist and nothing has been removed there since a time, in milliseconds: then no file in it has been there
 * since then.
 */
export async function isMissingSince(folder: string, since: number): Promise<boolean> {
  if ((await lastWrite(folder)) !== undefined) return false;
  return ((await folderChange(dirname(folder))) ?? since) < since - clockSlackMs;
}

/** Returns when a folder last changed. If it no longer exists, uses the closest existing parent. */
async function folderChange(folder: string): Promise<number | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const changedAt = await lastWrite(at);
    if (changedAt !== undefined || at === dirname(at)) return changedAt;
  }
}
