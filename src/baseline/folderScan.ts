import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** So many entries of a folder are looked at: what tools make may be hundreds of thousands. */
const scanned = 5000;

/**
 * When anything in a folder was changed last, in milliseconds since the epoch: what lies near the top is looked at first, and of a very
 * large folder only that. Undefined when there is no such folder.
 */
export async function newestChange(folder: string, limit = scanned): Promise<number | undefined> {
  const top = await changedAt(folder);
  if (!top?.isFolder) return undefined;
  let newest = top.at;
  let left = limit;
  const waiting = [folder];
  for (let next = waiting.shift(); next !== undefined && left > 0; next = waiting.shift()) {
    const names = (await readdir(next).catch(() => [])).slice(0, left);
    left -= names.length;
    const here = next;
    const found = await Promise.all(names.map((name) => changedAt(join(here, name))));
    for (const [index, one] of found.entries()) {
      if (!one) continue;
      newest = Math.max(newest, one.at);
      if (one.isFolder) waiting.push(join(here, names[index] ?? ''));
    }
  }
  return newest;
}

/** Whether a path was changed at `since` (ms) or later, or is gone. */
export async function isChangedSince(path: string, since: number): Promise<boolean> {
  const found = await changedAt(path);
  return found === undefined || found.at >= since;
}

/** Whether a folder is there and was made at `since` (ms) or later; false where the file system does not know. */
export async function isFolderMadeSince(path: string, since: number): Promise<boolean> {
  const info = await lstat(path).catch(() => undefined);
  return info?.isDirectory() === true && info.birthtimeMs > 0 && info.birthtimeMs >= since;
}

/** The empty folders among these and below them, within so many folders. */
export async function emptyFolders(folders: readonly string[], limit = 300): Promise<string[]> {
  const found: string[] = [];
  const waiting = [...folders];
  let left = limit;
  for (let next = waiting.shift(); next !== undefined && left > 0; next = waiting.shift()) {
    left--;
    const entries = await readdir(next, { withFileTypes: true }).catch(() => undefined);
    if (!entries) continue;
    if (entries.length === 0) found.push(next);
    // A repository of its own is no part of this folder.
    if (entries.some(({ name }) => name === '.git')) continue;
    for (const entry of entries) if (entry.isDirectory()) waiting.push(join(next, entry.name));
  }
  return found;
}

/** Folders below these, at most two levels down and within so many folders, that are repositories. */
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

async function changedAt(path: string): Promise<{ at: number; isFolder: boolean } | undefined> {
  const info = await lstat(path).catch(() => undefined);
  return info && { at: Math.max(info.mtimeMs, info.ctimeMs), isFolder: info.isDirectory() };
}
