import * as l10n from '@vscode/l10n';
import type { ThoughtEntry, ToolCallEntry, ToolKind } from '../../../src/shared/transcript/transcript';

type Kind = 'read' | 'edit' | 'execute' | 'search' | 'fetch' | 'think' | 'other';

const kinds: Readonly<Record<ToolKind, Kind>> = {
  read: 'read',
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
  search: 'search',
  execute: 'execute',
  think: 'think',
  fetch: 'fetch',
  switch_mode: 'other',
  other: 'other',
};

/** Returns a summary of tool calls and thoughts: "12 steps: 5 reads, 3 edits, 4 commands". */
export function stepWords(entries: readonly (ToolCallEntry | ThoughtEntry)[]): string {
  const counts = new Map<Kind, number>();
  for (const entry of entries) {
    const kind = entry.kind === 'tool_call' ? kinds[entry.toolKind] : 'think';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const order: readonly Kind[] = ['read', 'search', 'edit', 'execute', 'fetch', 'think', 'other'];
  const parts = order.flatMap((kind) => {
    const count = counts.get(kind) ?? 0;
    return count === 0 ? [] : [words(kind, count)];
  });
  const all = entries.length === 1 ? l10n.t('1 step') : l10n.t('{0} steps', entries.length);
  return `${all}: ${parts.join(', ')}`;
}

function words(kind: Kind, count: number): string {
  switch (kind) {
    case 'read':
      return count === 1 ? l10n.t('1 read') : l10n.t('{0} reads', count);
    case 'search':
      return count === 1 ? l10n.t('1 search') : l10n.t('{0} searches', count);
    case 'edit':
      return count === 1 ? l10n.t('1 edit') : l10n.t('{0} edits', count);
    case 'execute':
      return count === 1 ? l10n.t('1 command') : l10n.t('{0} commands', count);
    case 'fetch':
      return count === 1 ? l10n.t('1 web request') : l10n.t('{0} web requests', count);
    case 'think':
      return count === 1 ? l10n.t('1 thought') : l10n.t('{0} thoughts', count);
    case 'other':
      return count === 1 ? l10n.t('1 other call') : l10n.t('{0} other calls', count);
  }
}
