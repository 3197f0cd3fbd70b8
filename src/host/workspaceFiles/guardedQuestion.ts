import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { guardedReasonOf } from './presentFile';

/** So many files are named in a question; the others are counted. */
const namedFiles = 10;

/**
 * What to ask before files change that decide on what runs or on what agents may do; undefined when there are none among these.
 * Such a change is the user's own act, and yet they may not know that these files are in it.
 */
export async function guardedQuestion(uris: readonly string[]): Promise<string | undefined> {
  const names: string[] = [];
  for (const uri of uris) {
    const file = vscode.Uri.parse(uri);
    if ((await guardedReasonOf(file)) !== undefined) names.push(vscode.workspace.asRelativePath(file));
  }
  if (names.length === 0) return undefined;
  const shown = names.slice(0, namedFiles).join(', ');
  const rest = names.length - namedFiles;
  const all = rest > 0 ? l10n.t('{0} and {1} more', shown, rest) : shown;
  return names.length === 1
    ? l10n.t('Change {0}? This file can run programs or change what agents are allowed to do.', all)
    : l10n.t('Change {0}? These files can run programs or change what agents are allowed to do.', all);
}
