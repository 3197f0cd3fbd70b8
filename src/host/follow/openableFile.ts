import { lstat } from 'node:fs/promises';
import { basename } from 'node:path';
import { hasStrangeName, isForeignShare } from '../../disk/paths';
import { isSecretFile } from '../../shared/limits/secretFile';
import { fileKey, isInside, resolveTarget, type FileTarget } from '../base/filePaths';
import { guardedReason, type NamedFolder } from '../workspaceFiles/guarded';

/**
 * Resolves to the file of a path if it may be opened without the user: an existing file in one of these folders, links
 * followed, that isn't guarded and has no secrets.
 */
export async function openableFile(
  path: string,
  cwd: string,
  folders: readonly NamedFolder[],
): Promise<FileTarget | undefined> {
  if (hasStrangeName(path) || isForeignShare(path, cwd)) return undefined;
  const target = await resolveTarget(path);
  const around = folders.filter(({ realPath }) => isInside(fileKey(realPath), target.key));
  if (around.length === 0 || guardedReason(target, folders) !== undefined) return undefined;
  // Folders of secrets are guarded, so only the name counts.
  if ([target.path, target.realPath].some((one) => isSecretFile(basename(one)))) return undefined;
  const found = await lstat(target.realPath).catch(() => undefined);
  return found?.isFile() === true ? target : undefined;
}
