import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../process/isAlive';

const prefix = '.tmp-';
const dayMs = 86_400_000;

/** Returns a name for a folder in which this process prepares a version of an agent. */
export function draftName(): string {
  return `${prefix}${process.pid}-${randomUUID()}`;
}

export function isDraft(name: string): boolean {
  return name.startsWith(prefix);
}

/**
 * Returns true if a draft may still be in use: its process is running, or an earlier version of Parley created it
 * today.
 */
export async function isDraftNeeded(path: string, name: string): Promise<boolean> {
  const pid = /^\.tmp-(\d+)-[\da-f]{8}-[\da-f]{4}-/.exec(name)?.[1];
  const found = await stat(path).catch(() => undefined);
  if (!found) return false;
  const isFresh = Date.now() - found.mtimeMs < dayMs;
  // The process id may have been reused. No download takes that long.
  return isFresh && (pid === undefined || isAlive(Number(pid)));
}

/** Removes the installation drafts of killed windows below the folder of all agents. */
export async function removeLeftDrafts(root: string): Promise<void> {
  for (const agent of await readdir(root, { withFileTypes: true }).catch(() => [])) {
    if (!agent.isDirectory()) continue;
    const folder = join(root, agent.name);
    for (const name of (await readdir(folder).catch(() => [])).filter(isDraft)) {
      const path = join(folder, name);
      if (!(await isDraftNeeded(path, name))) await rm(path, { recursive: true, force: true, maxRetries: 3 });
    }
  }
}
