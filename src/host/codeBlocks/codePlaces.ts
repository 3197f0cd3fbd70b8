import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, normalize } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Session } from '../../session/session';
import { isPathLike } from '../../shared/text/pathMentions';
import { fileKey, isInside, resolveNamed, type FileTarget } from '../base/filePaths';
import { isForeignShare } from '../../disk/paths';
import { rootsBeside, workspaceRoots } from '../base/folders';
import { sessionFolders } from '../files/documents';
import { askModal } from '../ui/notifications';
import { guardedReason, guardedWords } from '../workspaceFiles/guarded';

/** Returns the folders that relative paths of a session start from. */
export function foldersOf({ transcript }: Session): readonly string[] {
  const { cwd, additionalDirectories } = transcript.view;
  return [...new Set([cwd, ...(additionalDirectories ?? rootsBeside(cwd, workspaceRoots()))])].filter(
    (folder) => folder !== '',
  );
}

/** Returns the absolute paths that a path from an agent may mean, or none if it may not be looked up. */
export function meanings(session: Session, path: string): readonly string[] {
  if (!isPathLike(path)) return [];
  if (/^~[\\/]/.test(path)) return [join(homedir(), path.slice(2))];
  if (isAbsolute(path)) return [normalize(path)];
  return foldersOf(session).map((folder) => join(folder, path));
}

/** Resolves to the first of the paths that is a file of a session's folders or an absolute one. */
export async function existing(session: Session, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    for (const candidate of meanings(session, path)) {
      if (isForeignShare(candidate, session.transcript.view.cwd)) continue;
      const info = await stat(candidate).catch(() => undefined);
      if (info?.isFile() === true) return candidate;
    }
  }
  return undefined;
}

/**
 * Asks before a file is written that is outside the session's folders, or that can run programs or control agents.
 * Resolves to its place, or undefined if the user doesn't want it.
 */
export async function allowedTarget(session: Session, path: string): Promise<FileTarget | undefined> {
  const { cwd, additionalDirectories } = session.transcript.view;
  const target = await resolveNamed(path, cwd);
  const folders = await sessionFolders(cwd, additionalDirectories && [...additionalDirectories]);
  const guarded = guardedReason(target, folders);
  const isOutside = !folders.some(({ realPath }) => isInside(fileKey(realPath), target.key));
  if (guarded === undefined && !isOutside) return target;
  const write = l10n.t('Write File');
  const question =
    guarded === undefined
      ? l10n.t('Write a file outside this session’s folders?')
      : l10n.t('Write a file that needs your attention?');
  const place = fileKey(target.path) === target.key ? target.path : `${target.path} → ${target.realPath}`;
  const detail = [place, guarded === undefined ? '' : guardedWords(guarded)].filter((line) => line !== '').join('\n\n');
  return (await askModal(question, { detail, items: [write] })) === write ? target : undefined;
}
