import type { TextDocumentContentChangeEvent } from 'vscode';
import { typedChange } from '../../../review/hunks/typedChange';

/** Returns a document change by lines, in the form that `typedChange` accepts. Doesn't read the whole text. */
export function keystroke(lines: readonly string[], change: TextDocumentContentChangeEvent, result: string) {
  const { start, end } = change.range;
  const place = { startLine: start.line, startCharacter: start.character };
  return typedChange(lines, { ...place, endLine: end.line, endCharacter: end.character, text: change.text }, result);
}
