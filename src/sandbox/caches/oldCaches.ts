import { lstat, mkdir, readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** After how long an agent's caches are removed if it hasn't been started, in milliseconds. They can be loaded again. */
const unusedFor = 60 * 24 * 60 * 60 * 1000;

/** Notes that an agent's caches are in use, and removes those of agents that haven't been started for 60 days. Never rejects. */
export async function useCaches(folder: string, agent: string, now: number): Promise<void> {
  try {
    const own = join(folder, agent);
    await mkdir(own, { recursive: true });
    const time = new Date(now);
    await utimes(own, time, time);
    for (const name of await readdir(folder)) {
      if (name !== agent) await removeOld(join(folder, name), now);
    }
  } catch {
    // They stay until the next start.
  }
}

async function removeOld(path: string, now: number): Promise<void> {
  const { mtimeMs } = await lstat(path);
  if (now - mtimeMs > unusedFor) await rm(path, { recursive: true, force: true });
}
