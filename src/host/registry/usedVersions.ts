import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '../../process/isAlive';
import { isDraft, isDraftNeeded } from './drafts';

/** A folder beside an agent's versions, with a file per version and window that runs it. */
const notes = '.used';

/** Records that this process starts an agent from its folder, so that no window removes the folder. */
export function noteUse(folder: string): void {
  const place = join(dirname(folder), notes);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, `${basename(folder)}@${process.pid}`), '');
}

/**
 * Removes an agent's unused versions: neither `current` nor in use in an open window. `isUsedHere` returns true if
 * sessions of this window run the agent. Resolves to true if some old versions are left.
 */
export async function removeOldVersions(
  folder: string,
  current: string | undefined,
  isUsedHere: boolean,
): Promise<boolean> {
  const used = await versionsInUse(join(folder, notes), isUsedHere);
  let isLeft = false;
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (name === notes || path === current) continue;
    // Another window may be downloading.
    const isNeeded = isDraft(name) ? await isDraftNeeded(path, name) : used.has(name);
    if (isNeeded) isLeft = true;
    else await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
  if (current === undefined && !isLeft) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  return isLeft;
}

async function versionsInUse(place: string, isUsedHere: boolean): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const name of await readdir(place).catch(() => [])) {
    const at = name.lastIndexOf('@');
    const pid = Number(name.slice(at + 1));
    if (pid === process.pid ? isUsedHere : isAlive(pid)) used.add(name.slice(0, at));
    else await rm(join(place, name), { force: true });
  }
  return used;
}
