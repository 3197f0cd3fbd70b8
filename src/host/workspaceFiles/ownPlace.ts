import { lstat } from 'node:fs/promises';
import { dirname, join, parse, relative, sep } from 'node:path';
import { isInside, isMissing, fileKey, resolveTarget } from '../base/filePaths';
import { FileProblem } from './fileProblem';

/**
 * The real path of a file that is known by its name, without following the name itself. Rejects when a folder on the way has become
 * a link that leads out of all these folders: what was recorded under the name was another file. Links that a system has at its top,
 * such as `/tmp`, and those above a folder of the workspace belong to the name.
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

/** The first folder below `base`, on the way to `path`, that is a link. */
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
