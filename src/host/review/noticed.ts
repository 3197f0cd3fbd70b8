import { lstatSync, type Stats } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileBefore } from '../../baseline/baseline';

/** The clock of a file system may lag behind ours by this much (ms). */
export const clockSlackMs = 50;

/** Larger files are not kept in memory; bytes. */
const sizeLimit = 20_000_000;

/** When a file was last written, moved or given other permissions, in milliseconds since the epoch; undefined when it is gone. */
export async function lastWrite(path: string): Promise<number | undefined> {
  return lstat(path).then(writtenAt, () => undefined);
}

function writtenAt({ mtimeMs, ctimeMs }: Stats): number {
  return Math.max(mtimeMs, ctimeMs);
}

/** When something happened to a file; one that is gone went at that time or before. */
export interface ChangeTime {
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly isGone: boolean;
  /** Of what is there: another one when it has been written since, also within one tick of the file system's clock; moves leave it. */
  readonly stamp?: string;
}

/** When a file was written last; for one that is gone, when its folder was changed last. */
export async function changeTime(path: string): Promise<ChangeTime> {
  const info = await lstat(path).catch(() => undefined);
  return info ? timeOf(info) : { at: (await folderChange(dirname(path))) ?? 0, isGone: true };
}

/** The same at once, for what is told only just now; undefined when nothing is there. */
export function changeTimeNow(path: string): ChangeTime | undefined {
  try {
    return timeOf(lstatSync(path));
  } catch {
    return undefined;
  }
}

function timeOf(info: Stats): ChangeTime {
  return { at: writtenAt(info), isGone: false, stamp: [info.ino, info.size, info.mtimeMs, info.mode].join(' ') };
}

/**
 * What a file holds, provided that it has not been written since `since` (ms): what it held then. Undefined when it has, when
 * it is no ordinary file, or a very large one.
 */
export async function unchangedSince(path: string, since: number): Promise<FileBefore | undefined> {
  try {
    const info = await lstat(path);
    if (Math.max(info.mtimeMs, info.ctimeMs) >= since || !info.isFile() || info.size > sizeLimit) return undefined;
    const mode = info.mode & 0o7777;
    return { kind: 'file', bytes: await readFile(path), isExecutable: (mode & 0o111) !== 0, mode };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return undefined;
    // Had the file been there since, its deletion would have changed its folder.
    return ((await folderChange(dirname(path))) ?? since) < since ? { kind: 'absent' } : undefined;
  }
}

/** When a folder was changed last, or where it is gone, too, the next one above it. */
async function folderChange(folder: string): Promise<number | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const changedAt = await lastWrite(at);
    if (changedAt !== undefined || at === dirname(at)) return changedAt;
  }
}
