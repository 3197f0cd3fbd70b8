import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lossyStat } from '../disk/lossyNames';

/** Maximum number of entries to scan. Generated folders may have hundreds of thousands. */
const scanned = 5000;

/**
 * Resolves to the latest change in a folder, in milliseconds since the epoch, or undefined if there is no such folder. Scans from the top,
 * so of a very large folder only the upper levels count. `except` are folders in it that don't count, and nor does that they came.
 */
export async function newestChange(
  folder: string,
  except: readonly string[] = [],
  limit = scanned,
): Promise<number | undefined> {
  const top = await changedAt(folder);
  if (!top?.isFolder) return undefined;
  const without = new Set(except);
  const around = new Set(except.map((path) => dirname(path)));
  const newestOf = (path: string, one: { readonly at: number }) => (around.has(path) ? -Infinity : one.at);
  if (without.has(folder)) return -Infinity;
  let newest = newestOf(folder, top);
  let left = limit;
  const waiting = [folder];
  for (let next = waiting.shift(); next !== undefined && left > 0; next = waiting.shift()) {
    const names = (await readdir(next).catch(() => [])).slice(0, left);
    left -= names.length;
    const here = next;
    const found = await Promise.all(names.map((name) => changedAt(join(here, name))));
    for (const [index, one] of found.entries()) {
      const path = join(here, names[index] ?? '');
      if (!one || without.has(path)) continue;
      newest = Math.max(newest, newestOf(path, one));
      if (one.isFolder) waiting.push(path);
    }
  }
  return newest;
}

/** Resolves to whether a path changed at or after `since` (in milliseconds), or no longer exists. */
export async function isChangedSince(path: string, since: number): Promise<boolean> {
  const found = await changedAt(path);
  return found === undefined || found.at >= since;
}

/**
 * Resolves to whether a folder exists and was created at or after `since` (in milliseconds). False if the file system doesn't record
 * creation times.
 */
export async function isFolderCreatedSince(path: string, since: number, look: typeof lstat = lstat): Promise<boolean> {
  const info = await look(path).catch(() => undefined);
  return info?.isDirectory() === true && info.birthtimeMs >= since && (await hasCreationTimes(path, info, look));
}

/**
 * Resolves to whether creation times are recorded. Otherwise, they are 0, or the time of the last change, as on some network drives: then
 * no folder from here upwards has another one.
 */
async function hasCreationTimes(path: string, info: Stats, look: typeof lstat): Promise<boolean> {
  if (info.birthtimeMs === 0) return false;
  if (info.birthtimeMs !== info.mtimeMs && info.birthtimeMs !== info.ctimeMs) return true;
  const parent = dirname(path);
  const above = parent === path ? undefined : await look(parent).catch(() => undefined);
  return above !== undefined && above.dev === info.dev && hasCreationTimes(parent, above, look);
}

/** Resolves to the empty folders among these folders and inside them. Scans at most `limit` folders. */
export async function emptyFolders(folders: readonly string[], limit = 300): Promise<string[]> {
  const found: string[] = [];
  const waiting = [...folders];
  let left = limit;
  for (let next = waiting.shift(); next !== undefined && left > 0; next = waiting.shift()) {
    left--;
    const entries = await readdir(next, { withFileTypes: true }).catch(() => undefined);
    if (!entries) continue;
    if (entries.length === 0) found.push(next);
    // A nested repository doesn't belong to this folder.
    if (entries.some(({ name }) => name === '.git')) continue;
    for (const entry of entries) if (entry.isDirectory()) waiting.push(join(next, entry.name));
  }
  return found;
}

/** Resolves to the repositories inside these folders, at most two levels down. Scans at most `limit` folders. */
export async function repositoriesIn(folders: readonly string[], limit = 200): Promise<string[]> {
  const found: string[] = [];
  const waiting = folders.map((path) => ({ path, depth: 0 }));
  let left = limit;
  for (let next = waiting.shift(); next !== undefined && left > 0; next = waiting.shift()) {
    left--;
    const { path, depth } = next;
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    if (entries.some(({ name }) => name === '.git')) {
      found.push(path);
      continue;
    }
    if (depth === 2) continue;
    for (const entry of entries) {
      if (entry.isDirectory() && entry.name !== 'node_modules')
        waiting.push({ path: join(path, entry.name), depth: depth + 1 });
    }
  }
  return found;
}

/**
 * Resolves to all files in a folder. Undefined if there is none, if it has more than `limit` files and folders, or if a repository or one of
 * the folders in `except` is in it.
 */
export async function filesIn(
  folder: string,
  limit: number,
  except: ReadonlySet<string>,
): Promise<string[] | undefined> {
  const files: string[] = [];
  const waiting = [folder];
  let left = limit;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => undefined);
    left -= entries?.length ?? 0;
    if (!entries || left < 0) return undefined;
    for (const entry of entries) {
      if (entry.name === '.git' || except.has(entry.name)) return undefined;
      (entry.isDirectory() ? waiting : files).push(join(next, entry.name));
    }
  }
  return files;
}

async function changedAt(path: string): Promise<{ at: number; isFolder: boolean } | undefined> {
  const info = await lossyStat(path);
  return info && { at: Math.max(info.mtimeMs, info.ctimeMs), isFolder: info.isDirectory() };
}
