import { linesWithBreaks } from './fileState';
import { applyLineEdits } from './minimalEdits';
import { editsOf, type LineChange } from './reportedChange';

/** What an editor says of one change: a range of the text before it, lines and UTF-16 characters from 0, and what took its place. */
export interface TypedChange {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
  readonly text: string;
}

/**
 * The same change by whole lines, so that nothing else needs to be compared; undefined when it does not make `result` of these
 * lines, which have their breaks: the editor then spoke of another text.
 */
export function typedChange(lines: readonly string[], change: TypedChange, result: string): LineChange | undefined {
  const { startLine, startCharacter, endLine, endCharacter, text } = change;
  const first = lines[startLine];
  const last = lines[endLine];
  if (first === undefined || last === undefined) return undefined;
  const newLines = linesWithBreaks(first.slice(0, startCharacter) + text + last.slice(endCharacter));
  // What follows the break of a line is the next one, which stays.
  if (endLine < lines.length - 1) newLines.pop();
  const told = { startLine, endLine: endLine + 1, newLines };
  return applyLineEdits(lines, editsOf([told])).join('') === result ? told : undefined;
}
