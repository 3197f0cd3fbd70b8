import * as l10n from '@vscode/l10n';
import type { PermissionOption } from '../../../src/shared/transcript/transcript';
import { showHiddenOnOneLine } from '../../../src/shared/text/visibleText';

/** The name of an option. An agent may leave it empty, and a number alone would say nothing. */
export function optionName({ name, kind }: PermissionOption): string {
  // Codex asks nothing then. Parley's own button beside it does.
  const plain =
    kind === 'reject_once' ? name.replace(/(?<=\S), and tell [^,]{1,60} what to do differently\.?$/i, '') : name;
  if (plain.trim() !== '') return showHiddenOnOneLine(plain);
  switch (kind) {
    case 'allow_once':
      return l10n.t('Allow');
    case 'allow_always':
      return l10n.t('Always allow');
    case 'reject_once':
      return l10n.t('Reject');
    case 'reject_always':
      return l10n.t('Always reject');
    case 'unknown':
      return l10n.t('Unnamed option');
  }
}
