import * as l10n from '@vscode/l10n';
import { assertNever } from '../../../src/shared/values/assert';
import type { BlockedPlace } from '../../../src/shared/transcript/transcript';
import { showHiddenOnOneLine } from '../../../src/shared/text/visibleText';

/** Settings and hooks of a repository, which no sandbox lets be changed: as for `git remote add` and `git push -u`. */
const isOfGit = /[\\/]\.git[\\/](?:.*[\\/])?(?:config(?:\.worktree)?|hooks)(?:$|[\\/])/;

/** Returns what a sandbox blocked, and what helps, if there is something. */
export function blockedWords({ kind, path }: BlockedPlace): readonly string[] {
  const shown = showHiddenOnOneLine(path);
  switch (kind) {
    case 'write': {
      const words = l10n.t('The sandbox blocked writing to {0}', shown);
      return isOfGit.test(path) ? [words, l10n.t('Run it in the editor’s terminal instead')] : [words];
    }
    case 'read':
      return [l10n.t('The sandbox hides {0}', shown)];
    case 'socket':
      return [
        shown === ''
          ? l10n.t('The sandbox blocks Unix sockets')
          : l10n.t('The sandbox blocks Unix sockets, such as {0}', shown),
        l10n.t('Run it in the editor’s terminal, or use a port of 127.0.0.1'),
      ];
    case 'name':
      return [
        shown === ''
          ? l10n.t('Programs in the sandbox can’t look up hosts')
          : l10n.t('Programs in the sandbox can’t look up hosts, such as {0}', shown),
        l10n.t('Use a program that supports HTTPS_PROXY'),
      ];
    case 'key':
      return [
        l10n.t('The sandbox hides your SSH keys and ssh-agent'),
        l10n.t('Run it in the editor’s terminal, or use an https address'),
      ];
    case 'login':
      return [l10n.t('The sandbox hides your login for {0}', shown), l10n.t('Run it in the editor’s terminal instead')];
    default:
      return assertNever(kind);
  }
}
