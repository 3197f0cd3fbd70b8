import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '../../process/isAlive';
import { isDraft, isDraftNeeded } from './drafts';

/** Beside the versions of an agent: a file per version and window that runs it. */
const notes = '.used';

/** Notes that this process starts an agent from its folder, so that no window removes it. */
export function noteUse(folder: string): void {
  const place = join(dirname(folder), notes);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, `${basename(folder)}@${process.pid}`), '');
}

/**
 * Removes the versions of an agent that nobody needs: neither `current` nor in use in a window that is open. `isUsedHere` tells
 * whether sessions of this window run the agent. Resolves to whether some are left.
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
    else await rm(path, { recursive: true, force: true });
  }
  if (current === undefined && !isLeft) await rm(folder, { recursive: true, force: true });
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
