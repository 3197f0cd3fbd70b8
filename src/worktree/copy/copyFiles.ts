import { constants, copyFile, lstat, mkdir, readlink, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isLossy } from '../../disk/lossyNames';
import { wayBelow } from '../../disk/paths';

/** How many files are copied at a time. */
const lanes = 16;

/**
 * Copies files into an empty folder as they are, by sharing their blocks where the disk can. Never follows a link. Resolves to the paths that
 * can't be copied; those that are gone don't count.
 */
export async function copyPlainFiles(from: string, to: string, paths: readonly string[]): Promise<readonly string[]> {
  const skipped: string[] = [];
  /** Whether a folder is where its path says, by its path. */
  const folders = new Map<string, Promise<boolean>>();
  const isPlain = (folder: string) => {
    let known = folders.get(folder);
    known ??= realpath(join(from, folder)).then(
      (real) => real === from || wayBelow(from, real) === folder,
      () => false,
    );
    folders.set(folder, known);
    return known;
  };
  const copyOne = async (path: string) => {
    const source = join(from, path);
    const folder = dirname(path);
    // A file in a folder that is a link by now is gone: git lists the link.
    if (folder !== '.' && !(await isPlain(folder))) return;
    const stat = await lstat(source).catch(() => undefined);
    if (stat === undefined || stat.isDirectory()) return;
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true });
    if (stat.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (stat.isFile()) await copyFile(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    else skipped.push(path);
  };
  const waiting = [...paths].reverse();
  const lane = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (isLossy(path)) skipped.push(path);
      else await copyOne(path);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return skipped.sort();
}
