import * as l10n from '@vscode/l10n';
import { stripVTControlCharacters } from 'node:util';

/** Explains why npm failed, from what it printed: the cause and what the user can do. */
export function npmFailure(name: string, pinned: string, output: string): string {
  const text = stripVTControlCharacters(output);
  const lines = text.split('\n').flatMap((line) => /^npm (?:error|ERR!) ?(.*)$/.exec(line.trim())?.[1] ?? []);
  const code = lines.flatMap((line) => /^code (\S+)$/.exec(line)?.[1] ?? [])[0] ?? '';
  const failed = l10n.t('Couldn’t install {0}.', name);
  const nothing = l10n.t('Nothing was installed.');
  return [failed, cause(code, pinned, lines), nothing].join(' ');
}

function cause(code: string, pinned: string, lines: readonly string[]): string {
  if (
    /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|EIDLETIMEOUT)$/.test(
      code,
    )
  ) {
    return l10n.t('npm couldn’t reach its registry ({0}). Check your connection or proxy and try again.', code);
  }
  if (code === 'E404' || code === 'ETARGET') {
    return l10n.t('npm doesn’t have {0}. Open the list again when you’re online.', pinned);
  }
  if (code === 'EINTEGRITY') {
    return l10n.t(
      'A download doesn’t match its checksum. Try again, and contact the agent’s developer if it persists.',
    );
  }
  if (code === 'ENOSPC') return l10n.t('The disk is full. Free some space and try again.');
  if (code === 'E401' || code === 'E403' || code === 'ENEEDAUTH') {
    return l10n.t('npm’s registry denied access. Check the registry and token in your .npmrc.');
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return l10n.t('npm couldn’t write its files ({0}). Check the permissions of your npm cache.', code);
  }
  if (code === 'EBADPLATFORM') return l10n.t('The package doesn’t support this system.');
  const last = lines.find((line) => line !== '' && !/^(code|errno|syscall|path|A complete log)\b/.test(line));
  return last === undefined ? l10n.t('npm reported no reason.') : l10n.t('npm reports: {0}.', last.replace(/\.$/, ''));
}
