import type { TextDocumentContentChangeEvent } from 'vscode';
import { typedChange } from '../../review/typedChange';

/** A change of a document by its lines, which is quick; as `typedChange` takes it. */
export function keystroke(lines: readonly string[], change: TextDocumentContentChangeEvent, result: string) {
  const { start, end } = change.range;
  const place = { startLine: start.line, startCharacter: start.character };
  return typedChange(lines, { ...place, endLine: end.line, endCharacter: end.character, text: change.text }, result);
}
