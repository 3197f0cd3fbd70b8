import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NesPosition } from '../../acp/decode/nesMessages';
import type { AwaySuggestion } from '../../nes/placement';
import { showHiddenOnOneLine, shortenMiddle } from '../../shared/text/visibleText';

const longestName = 60;

/** Returns a text from outside on one line of limited length, with hidden characters spelled out. */
export function shownText(text: string, most: number): string {
  // Spelled out, a text is longer, and a very long one takes time.
  const short = text.length > 10 * most ? shortenMiddle(text, most) : text;
  return shortenMiddle(showHiddenOnOneLine(short), most);
}

/** Returns where a change of a suggestion is, for the status bar and the hint at the cursor. `here` is the active document. */
export function placeWords(suggestion: AwaySuggestion, { line }: NesPosition, here: string | undefined): string {
  const path = vscode.workspace.asRelativePath(vscode.Uri.parse(suggestion.uri));
  const where = suggestion.uri === here ? undefined : shownText(path, longestName);
  if (suggestion.kind === 'rename') {
    const name = shownText(suggestion.newName, longestName);
    return where === undefined
      ? l10n.t('Next edit: rename to {0}, line {1}', name, line + 1)
      : l10n.t('Next edit: rename to {0}, {1}:{2}', name, where, line + 1);
  }
  return where === undefined ? l10n.t('Next edit: line {0}', line + 1) : l10n.t('Next edit: {0}:{1}', where, line + 1);
}
