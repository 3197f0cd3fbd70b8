import { lstat } from 'node:fs/promises';
import { dirname, join, parse, relative, sep } from 'node:path';
import { isInside, isMissing, fileKey, resolveTarget } from '../base/filePaths';
import { FileProblem } from './fileProblem';

/**
 * Returns the real path of a file recorded by name, without following a link in the last name. Rejects if a parent
 * folder is now a link that leads out of all these folders, because the recorded file was another one. Follows system
 * links such as `/tmp`, and links above a workspace folder.
 */
export async function ownPlace(path: string, folders: readonly string[]): Promise<string> {
  const parent = dirname(path);
  const real = (await resolveTarget(parent)).realPath;
  const around = folders.find((folder) => isInside(fileKey(folder), fileKey(path)));
  const { root } = parse(parent);
  const top = parent.slice(root.length).split(sep)[0] ?? '';
  const link = await firstLink(around ?? join(root, top), parent);
  if (link !== undefined) {
    const realFolders = await Promise.all(folders.map(async (folder) => (await resolveTarget(folder)).realPath));
    if (!realFolders.some((folder) => isInside(fileKey(folder), fileKey(real)))) {
      throw new FileProblem('linkedAway', path, link);
    }
  }
  return join(real, path.slice(parent.endsWith(sep) ? parent.length : parent.length + 1));
}

/** Returns the first folder between `base` and `path` that is a link. */
async function firstLink(base: string, path: string): Promise<string | undefined> {
  let place = base;
  for (const name of relative(base, path).split(sep)) {
    if (name === '') continue;
    place = join(place, name);
    try {
      if ((await lstat(place)).isSymbolicLink()) return place;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
  return undefined;
}
