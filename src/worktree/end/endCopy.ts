import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { CopyPlace } from '../../git/copyPlaces';
import { forgetBorrowed } from '../copy/ownCopy';
import { assertOwnFolder, forgetFolder } from '../made/ownFolders';
import { WorktreeProblem } from '../repository/worktreeProblem';
import type { WorktreeRecord } from '../made/worktreeRecord';

/** Removes a copy with everything about it, if it is the folder that Parley made. Throws a `WorktreeProblem` if some of it is left. */
export async function removeCopy({ around, git }: CopyPlace, record: WorktreeRecord): Promise<void> {
  if (await lstat(record.path).catch(() => undefined)) await assertOwnFolder(git, record);
  // The note goes last, so that what is left can be removed later.
  await removeWhole(record.path);
  await forgetBorrowed(record.from, record.id);
  await removeWhole(around);
  await forgetFolder(record.id);
}

async function removeWhole(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove().catch(async () => {
      // An agent can take away its own rights in a folder.
      await openFolders(folder);
      await remove();
    });
  } catch {
    throw new WorktreeProblem(
      l10n.t('Some of {0} couldn’t be removed. Close the programs that use its files, then delete the folder.', folder),
    );
  }
}

async function openFolders(folder: string): Promise<void> {
  const stat = await lstat(folder).catch(() => undefined);
  if (!stat?.isDirectory()) return;
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await openFolders(join(folder, entry.name));
  }
}
