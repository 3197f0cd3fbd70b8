import type { FileState } from './fileState';

/** A change as a tool call shows it: `oldText` became `newText`, each the whole file or a part of it. */
export interface ReportedDiff {
  /** Not there for a file that the tool call created. */
  readonly oldText?: string;
  readonly newText: string;
}

/**
 * What a file held before the told changes, worked out backwards from its present text. A `newText` that is the whole text
 * is replaced by its `oldText`, and one that stands in the text exactly once, too. Undefined when that leads nowhere: nothing
 * is guessed. Line breaks count only where the file has several kinds.
 */
export function reportedBase(present: string, diffs: readonly ReportedDiff[]): FileState | undefined {
  if (diffs.length === 0) return undefined;
  const isMixed = /\r(?!\n)|(?<!\r)\n/.test(present) && present.includes('\r');
  const isCrlf = !isMixed && present.includes('\r\n');
  const plain = (text: string) => (isMixed ? text : text.replaceAll('\r\n', '\n'));
  let text: string | undefined = plain(present);
  for (const { oldText, newText } of diffs.toReversed()) {
    if (text === undefined) return undefined;
    const after = plain(newText);
    const before = oldText === undefined ? undefined : plain(oldText);
    if (text === after) text = before;
    else if (before !== undefined && occursOnce(text, after)) text = text.replace(after, () => before);
    else return undefined;
  }
  if (text === undefined) return { kind: 'absent' };
  return { kind: 'text', text: isCrlf ? text.replaceAll('\n', '\r\n') : text };
}

function occursOnce(text: string, part: string): boolean {
  if (part === '') return false;
  const first = text.indexOf(part);
  return first >= 0 && !text.includes(part, first + 1);
}
