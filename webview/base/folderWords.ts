import * as l10n from '@vscode/l10n';
import type { SessionFolder } from '../../src/shared/pages/messages';

/** Returns where a session works: “harbor · retry-uploads”, or with the host of a remote agent. Empty if unknown. */
export function folderWords(folder: SessionFolder | undefined): string {
  if (!folder) return '';
  const { name, branch, host, isCopy } = folder;
  return [name, isCopy ? l10n.t('Own copy') : '', branch, host].filter(Boolean).join(' · ');
}
