import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { workspacePath } from '../base/folders';
import { guardedReasonOf } from './presentFile';

/** Maximum number of files listed in a question. The others are counted. */
const namedFiles = 10;

/**
 * Returns the question to ask before changing files that control programs or agents' permissions. Resolves to undefined
 * if there are none. The user starts such a change, but may not know that it includes these files. `links` has where those of them lead that
 * become links.
 */
export async function guardedQuestion(
  uris: readonly string[],
  links: ReadonlyMap<string, vscode.Uri> = new Map(),
): Promise<string | undefined> {
  const names: string[] = [];
  for (const uri of uris) {
    const file = vscode.Uri.parse(uri);
    const end = links.get(uri);
    if ((await guardedReasonOf(file)) !== undefined) names.push(workspacePath(file));
    else if (end && (await guardedReasonOf(end)) !== undefined)
      names.push(l10n.t('{0} (a link to {1})', workspacePath(file), workspacePath(end)));
  }
  if (names.length === 0) return undefined;
  const shown = names.slice(0, namedFiles).join(', ');
  const rest = names.length - namedFiles;
  const all = rest > 0 ? l10n.t('{0} and {1} more', shown, rest) : shown;
  return names.length === 1
    ? l10n.t('Change {0}? This file can run programs or change what agents are allowed to do.', all)
    : l10n.t('Change {0}? These files can run programs or change what agents are allowed to do.', all);
}
