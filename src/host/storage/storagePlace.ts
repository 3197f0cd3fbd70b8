import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** What windows without a folder kept beside what all windows share, before they had a place of their own. */
const before = ['sessions', 'review', 'checkpoints', 'restores', 'contents', 'origins.json'];

/**
 * The folder for what belongs to a window's workspace. Windows without one share a place of their own in the global storage, where what
 * they kept in earlier versions is moved to.
 */
export function storagePlace(workspace: string | undefined, global: string): string {
  if (workspace !== undefined) return workspace;
  const place = join(global, 'noFolder');
  if (existsSync(place)) return place;
  for (const name of before) {
    const from = join(global, name);
    if (!existsSync(from)) continue;
    try {
      mkdirSync(place, { recursive: true });
      renameSync(from, join(place, name));
    } catch {
      // Another window moves it just now, or nothing can be written: it stays where it is.
    }
  }
  return place;
}
