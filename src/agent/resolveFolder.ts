import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { expandHome } from './launch';

/** The folder that somebody means by a path, absolute: `~` is `home`, and a relative one begins in `base`. Rejects for what is no folder. */
export async function resolveFolder(path: string, base: string, home: string): Promise<string> {
  const folder = resolve(base, expandHome(path, home));
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return folder;
  throw new Error(
    found
      ? l10n.t('{0} is not a folder, so no session can work in it. Name another folder.', folder)
      : l10n.t('The folder {0} does not exist, so no session can work in it. Make it, or name another one.', folder),
  );
}
