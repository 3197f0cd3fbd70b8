import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { guardedPlace } from '../../shared/limits/guardedPlaces';
import { isBelow } from '../../shared/limits/isBelow';

/** Returns the absolute paths of what the user allows in every sandbox. `~` is the home folder. */
export function allowedPlaces(written: readonly string[], home: string): string[] {
  return written
    .map((path) => (/^~(?=$|[\\/])/.test(path) ? join(home, path.slice(1)) : path))
    .filter(isAbsolute)
    .map((path) => normalize(path).replace(/(?<=.)\/$/, ''));
}

/** Folders of the home folder in which every program keeps something: each would be most of what there is. */
const shared = [
  ...['.config', '.cache', '.local', '.local/bin', '.local/share', '.local/state', 'bin', 'Library'],
  ...['Library/Application Support', 'Library/Caches', 'Documents', 'Desktop', 'Downloads'],
];

/**
 * Returns whether the user is offered to allow a path: nothing that is most of the machine or of the home folder, and
 * nothing from which programs start by themselves.
 */
export function isOffered(path: string, home: string): boolean {
  const isMostOfIt =
    dirname(path) === path ||
    dirname(dirname(path)) === dirname(path) ||
    isBelow(home, [path]) ||
    shared.some((name) => join(home, name) === path);
  return !isMostOfIt && guardedPlace(path) === undefined && !isBelow(path, systemFolders);
}

/** Where programs of the system and its settings are. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc', '/boot', '/System', '/Library'];

/**
 * Returns what can be allowed so that a path can be changed: the path itself, and its folder. What doesn't exist can't be
 * allowed.
 */
export function allowablePlaces(path: string, home: string, exists: (path: string) => boolean = existsSync): string[] {
  return [path, dirname(path)].filter((place) => isOffered(place, home) && exists(place));
}
