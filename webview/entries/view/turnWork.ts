import * as l10n from '@vscode/l10n';
import { changedPaths } from '../../../src/shared/transcript/fileChange';
import { diffLines } from '../../../src/shared/diff/lineDiff';
import type { TurnFiles } from '../../../src/shared/pages/messages';
import type { ToolCallEntry, Transcript } from '../../../src/shared/transcript/transcript';

/** The texts of a turn's diffs are compared up to this size together, in characters. */
const maxCompared = 300_000;

/** What a turn did, as its tool calls and the checkpoints report it. */
export interface TurnWork {
  /** The paths of changed files. There can be more of them than these. */
  readonly files: readonly string[];
  readonly fileCount: number;
  /** Absent if the changes can't be counted. */
  readonly lines?: { readonly added: number; readonly removed: number };
  readonly commands: number;
}

/** Sums up the completed tool calls of a turn. `recorded` are its changed files if the tool calls don't show all. */
export function turnWork({ order, entries }: Transcript, turn: number, recorded?: TurnFiles): TurnWork {
  const calls = order.flatMap((id) => {
    const entry = entries.get(id);
    return entry?.kind === 'tool_call' && entry.turn === turn && entry.status === 'completed' ? [entry] : [];
  });
  const files = new Set(calls.flatMap(({ content }) => content.flatMap(changedPaths)));
  const commands = calls.filter(isCommand).length;
  if (recorded) return { files: [...recorded.paths, ...files], fileCount: recorded.count, commands };
  const lines = linesOf(calls);
  return { files: [...files], fileCount: files.size, ...(lines ? { lines } : {}), commands };
}

function isCommand({ toolKind }: ToolCallEntry): boolean {
  return toolKind === 'execute';
}

/** Counts the lines that the diffs of calls add and remove. Undefined if they can't be counted. */
export function linesOf(calls: readonly ToolCallEntry[]): TurnWork['lines'] {
  const items = calls.flatMap(({ content }) => content);
  if (items.some(({ type }) => type === 'change')) return undefined;
  const diffs = items.flatMap((item) => (item.type === 'diff' ? [item] : []));
  const size = diffs.reduce((sum, { oldText = '', newText }) => sum + oldText.length + newText.length, 0);
  if (diffs.length === 0 || size > maxCompared) return undefined;
  let [added, removed] = [0, 0];
  for (const { oldText = '', newText } of diffs) {
    const [before, after] = [linesIn(oldText), linesIn(newText)];
    for (const hunk of diffLines(before, after)) {
      added += hunk.newEnd - hunk.newStart;
      removed += hunk.oldEnd - hunk.oldStart;
    }
  }
  return { added, removed };
}

function linesIn(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Says how many files a turn changed. */
export function changedWords(count: number): string {
  return count === 1 ? l10n.t('Changed 1 file') : l10n.t('Changed {0} files', count);
}

/** Says how many commands a turn ran. */
export function ranWords(count: number): string {
  return count === 1 ? l10n.t('Ran 1 command') : l10n.t('Ran {0} commands', count);
}
