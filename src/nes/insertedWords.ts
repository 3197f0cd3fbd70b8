import * as l10n from '@vscode/l10n';

/** Stands for a line break, which the editor can't draw inside a line. */
const breakSign = '↵';

/**
 * Returns an inserted text on one line, with signs for the line breaks around it. The editor draws only one line, so the
 * others are counted.
 */
export function insertedWords(text: string): string {
  if (!text.includes('\n')) return text;
  const [first, ...others] = text.split('\n').filter((line) => line.trim() !== '');
  if (first === undefined) return breakSign.repeat(Math.min(3, text.split('\n').length - 1));
  const words = wordsOf(first.trim(), others.length);
  return [/^\s*\n/.test(text) ? breakSign : '', words, /\n\s*$/.test(text) ? breakSign : '']
    .filter((part) => part !== '')
    .join(' ');
}

function wordsOf(first: string, others: number): string {
  if (others === 0) return first;
  return others === 1 ? l10n.t('{0} (1 more line)', first) : l10n.t('{0} ({1} more lines)', first, others);
}
