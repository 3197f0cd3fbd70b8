import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { expandHome } from './launch';

/**
 * Resolves a path that the user entered to an absolute folder: `~` is `home`, and relative paths start from `base`.
 * Rejects if it isn't a folder.
 */
export async function resolveFolder(path: string, base: string, home: string): Promise<string> {
  const folder = resolve(base, expandHome(path, home));
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return folder;
  throw new Error(
    found
      ? l10n.t('Couldn’t start a session: {0} isn’t a folder. Choose another folder.', folder)
      : l10n.t('Couldn’t start a session: folder {0} doesn’t exist. Create it or choose another folder.', folder),
  );
}
