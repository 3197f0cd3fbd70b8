import * as l10n from '@vscode/l10n';
import { guardedPlace, type GuardedReason } from '../../shared/limits/guardedPlaces';
import { fileKey, isInside } from '../base/filePaths';

/** A folder under the name that the user gave it, and its real path. */
export interface NamedFolder {
  readonly path: string;
  readonly realPath: string;
}

/**
 * Returns why a place is guarded, by its name or its real path, relative to the outermost of these folders that
 * contains it.
 */
export function guardedReason(target: NamedFolder, folders: readonly NamedFolder[]): GuardedReason | undefined {
  const found = (path: string, roots: readonly string[]) => {
    const around = roots.filter((root) => isInside(fileKey(root), fileKey(path)));
    const [root = ''] = around.sort((a, b) => a.length - b.length);
    return guardedPlace(path, root)?.reason;
  };
  return (
    found(target.path, [...folders.map(({ path }) => path), ...folders.map(({ realPath }) => realPath)]) ??
    found(
      target.realPath,
      folders.map(({ realPath }) => realPath),
    )
  );
}

/** Explains why a guarded place needs the user's answer each time. */
export function guardedWords(reason: GuardedReason): string {
  switch (reason) {
    case 'editorSettings':
      return l10n.t('Editor settings and tasks can run programs and change what agents are allowed to do.');
    case 'gitHooks':
      return l10n.t('Git can run programs from this file the next time you use it.');
    case 'agentSettings':
      return l10n.t('This file can change what agents are allowed to do and which programs they run.');
    case 'startupFiles':
      return l10n.t('This file can run programs without asking you.');
    case 'automation':
      return l10n.t('This workflow can run on a server with the repository’s secrets.');
    case 'credentials':
      return l10n.t('This file can contain keys and tokens.');
  }
}
