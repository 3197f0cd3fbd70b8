import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize } from 'node:path';

/** Returns the absolute paths of what the user allows in every sandbox. `~` is the home folder. */
export function allowedPlaces(written: readonly string[], home: string): string[] {
  return written
    .map((path) => (/^~(?=$|[\\/])/.test(path) ? join(home, path.slice(1)) : path))
    .filter(isAbsolute)
    .map((path) => normalize(path).replace(/(?<=.)\/$/, ''));
}

/**
 * Returns what can be allowed so that a path can be changed: the path itself, and its folder. What doesn't exist can't be
 * allowed, and the home folder or one around it would be most of the machine.
 */
export function allowablePlaces(path: string, home: string, exists: (path: string) => boolean = existsSync): string[] {
  const folder = dirname(path);
  const isTooMuch = folder === '/' || home === folder || home.startsWith(`${folder}/`);
  return [path, ...(isTooMuch ? [] : [folder])].filter(exists);
}
