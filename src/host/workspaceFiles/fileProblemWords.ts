import * as l10n from '@vscode/l10n';
import { messageOf } from '../../shared/values/messageOf';
import { FileProblem } from './fileProblem';

/** Returns why a file couldn't be read or written, for the user. */
export function causeOf(error: unknown, platform: NodeJS.Platform = process.platform): string {
  if (error instanceof FileProblem) return problemWords(error);
  const { code, syscall } = error as Partial<NodeJS.ErrnoException>;
  switch (code) {
    case 'EBUSY':
      return l10n.t('Another program is using the file. Close it there and try again.');
    case 'EACCES':
    case 'EPERM':
      if (platform === 'win32' && syscall === 'symlink') {
        return l10n.t('Windows doesn’t let you create links. Turn on Developer Mode in its settings and try again.');
      }
      // Windows has the same error for both.
      if (platform === 'win32') {
        return l10n.t('The file is read-only, or another program is using it. Close it there and try again.');
      }
      return l10n.t('You don’t have permission to write there.');
    case 'NoPermissions':
      return l10n.t('You don’t have permission to write there.');
    case 'EROFS':
      return l10n.t('The disk is read-only.');
    case 'ENOSPC':
    case 'EDQUOT':
      return l10n.t('There’s no disk space left.');
    case 'EISDIR':
    case 'ENOTEMPTY':
      return l10n.t('A folder with that name already exists.');
    case 'ENOTDIR':
    case 'EEXIST':
      return l10n.t('One of its parent folders is now a file.');
    default:
      return messageOf(error);
  }
}

function problemWords({ kind, detail }: FileProblem): string {
  switch (kind) {
    case 'directory':
      return l10n.t('A folder with that name already exists.');
    case 'special':
      return l10n.t('A pipe or device has replaced the file.');
    case 'tooLarge':
      return l10n.t('The file is too large.');
    case 'moved':
      return l10n.t('A link has replaced the file. Remove the link and try again.');
    case 'changed':
      return l10n.t('Another program is changing the file. Try again.');
    case 'linkedAway':
      return l10n.t('{0} is a link that points outside the workspace. Remove the link and try again.', String(detail));
  }
}
