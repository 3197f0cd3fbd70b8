import type { FileState } from './fileState';

/** A change reported by a tool call: `oldText` became `newText`. Each is the whole file or a part of it. */
export interface ReportedDiff {
  /** Absent for a file that the tool call created. */
  readonly oldText?: string;
  readonly newText: string;
}

/**
 * Reconstructs a file's content before the reported changes from its current text. `newText` is replaced by `oldText` if it is the whole
 * text or occurs in it exactly once. Returns undefined if this isn't possible, because a guess could be wrong. Line breaks count only if
 * the file has several kinds.
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
