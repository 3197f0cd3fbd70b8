import * as l10n from '@vscode/l10n';
import type { SandboxMode } from './sandboxMode';

/** Returns the name of a mode: “Files and network”. */
export function sandboxName(mode: SandboxMode): string {
  switch (mode) {
    case 'off':
      return l10n.t('Off');
    case 'files':
      return l10n.t('Files');
    case 'filesAndNetwork':
      return l10n.t('Files and network');
    case 'ownCopy':
      return l10n.t('Own copy');
  }
}

/** Returns a mode in a line of other words: “Sandbox: files”. */
export function sandboxWords(mode: SandboxMode): string {
  switch (mode) {
    case 'off':
      return l10n.t('Sandbox: off');
    case 'files':
      return l10n.t('Sandbox: files');
    case 'filesAndNetwork':
      return l10n.t('Sandbox: files and network');
    case 'ownCopy':
      return l10n.t('Sandbox: own copy');
  }
}
