import { linesWithBreaks } from '../files/fileState';
import { applyLineEdits } from '../lines/minimalEdits';
import { editsOf, type LineChange } from './reportedChange';

/** A change as reported by the editor: a range of the previous text and its replacement. Lines and UTF-16 characters count from 0. */
export interface TypedChange {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
  readonly text: string;
}

/**
 * Converts a change to whole lines, so that nothing else needs to be compared. `lines` include their breaks. Returns undefined if the
 * change doesn't produce `result`, because the editor then reported on another text.
 */
export function typedChange(lines: readonly string[], change: TypedChange, result: string): LineChange | undefined {
  const { startLine, startCharacter, endLine, endCharacter, text } = change;
  const first = lines[startLine];
  const last = lines[endLine];
  if (first === undefined || last === undefined) return undefined;
  const newLines = linesWithBreaks(first.slice(0, startCharacter) + text + last.slice(endCharacter));
  // The element after a line's final break is the next line, which stays.
  if (endLine < lines.length - 1) newLines.pop();
  const lineChange = { startLine, endLine: endLine + 1, newLines };
  return applyLineEdits(lines, editsOf([lineChange])).join('') === result ? lineChange : undefined;
}
