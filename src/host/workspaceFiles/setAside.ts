import { lstat, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asideName } from '../../baseline/baseline';
import { isMissing } from '../base/filePaths';
import { OpenedFolder } from './openedFolder';

/** Moves the repository's folder, or the file that leads to it, into a folder beside it. Resolves to its name there; undefined if it's gone. */
export async function setAside(top: string): Promise<string | undefined> {
  return inside(top, async (at, asideAt) => {
    // Git shows nothing of it in a repository around.
    await writeFile(asideAt('.gitignore'), '*\n', { flag: 'wx' }).catch(() => undefined);
    const taken = new Set(await readdir(asideAt('')));
    let number = 1;
    while (taken.has(`${number}`)) number += 1;
    await rename(at('.git'), asideAt(`${number}`));
    return `${number}`;
  });
}

/** Puts back what was set aside under this name. Rejects if there is another repository by now. */
export async function putBack(top: string, name: string): Promise<void> {
  await inside(top, async (at, asideAt) => {
    // A rename would replace a file.
    if (await lstat(at('.git')).catch(() => undefined)) throw new Error('There is a repository');
    await rename(asideAt(name), at('.git'));
  });
}

/** Works in a folder and in the one for what is set aside. Neither can become another one meanwhile. Resolves to undefined if something is gone. */
async function inside<T>(
  top: string,
  work: (at: (name: string) => string, asideAt: (name: string) => string) => Promise<T>,
): Promise<T | undefined> {
  const folder = await OpenedFolder.open(top);
  if (!folder) return undefined;
  try {
    const aside = await OpenedFolder.make(join(top, asideName));
    try {
      const done = await work(
        (name) => folder.at(name),
        (name) => aside.at(name),
      );
      await aside.check();
      return done;
    } finally {
      await aside.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  } finally {
    await folder.close();
  }
}
