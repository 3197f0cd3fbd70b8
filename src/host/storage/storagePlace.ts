import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that windows without a folder used in the shared storage before they had their own place. */
const before = ['sessions', 'review', 'checkpoints', 'restores', 'contents', 'origins.json'];

/**
 * Returns the storage folder of a window's workspace. Windows without one share a folder in the global storage. Records
 * from earlier versions are moved there.
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
      // Another window is moving the folder, or the disk isn't writable. It stays where it is.
    }
  }
  return place;
}
