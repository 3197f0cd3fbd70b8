import { lstat, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileBefore } from '../../baseline/baseline';

/** Larger files are not kept in memory; bytes. */
const sizeLimit = 20_000_000;

/** When a file was last written, moved or given other permissions, in milliseconds since the epoch; undefined when it is gone. */
export async function lastWrite(path: string): Promise<number | undefined> {
  return lstat(path).then(
    ({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs),
    () => undefined,
  );
}

/**
 * What a file holds, provided that it has not been written since `since` (ms): what it held then. Undefined when it has, when
 * it is no ordinary file, or a very large one.
 */
export async function unchangedSince(path: string, since: number): Promise<FileBefore | undefined> {
  try {
    const info = await lstat(path);
    if (Math.max(info.mtimeMs, info.ctimeMs) >= since || !info.isFile() || info.size > sizeLimit) return undefined;
    return { kind: 'file', bytes: await readFile(path), isExecutable: (info.mode & 0o111) !== 0 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return undefined;
    return (await wasFolderUntouched(dirname(path), since)) ? { kind: 'absent' } : undefined;
  }
}

/** Had the file been there since, its deletion would have changed its folder. */
async function wasFolderUntouched(folder: string, since: number): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const changedAt = await lastWrite(at);
    if (changedAt !== undefined) return changedAt < since;
    if (at === dirname(at)) return false;
  }
}
