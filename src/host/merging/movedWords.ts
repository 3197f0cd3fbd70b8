import * as l10n from '@vscode/l10n';
import type { NoticeText } from '../../session/session';
import type { CreatedWorktree } from '../../worktree/made/createWorktree';
import { worktreeName } from '../../worktree/made/worktreeList';
import type { MovableChanges, StayingFile, StayReason } from './movedChanges';

/** Maximum number of files that a notice lists. */
const listed = 10;

/** What became of a session that moved to a worktree. */
interface MovedSession {
  readonly created: Pick<CreatedWorktree, 'record' | 'notes'>;
  readonly changes: Pick<MovableChanges, 'staying'> & { readonly moved: readonly unknown[] };
  /** Whether the agent remembers the conversation. Undefined if its session couldn't be opened. */
  readonly remembers: boolean | undefined;
}

/** Says what moved to a worktree, what stays, and whether the agent remembers the conversation there. */
export function movedNotice(agentName: string, { created, changes, remembers }: MovedSession): NoticeText {
  const { record, notes } = created;
  const { moved, staying } = changes;
  const name = worktreeName(record);
  const stays = staying.slice(0, listed).map(stayingWords);
  if (staying.length > listed) stays.push(l10n.t('And {0} more.', staying.length - listed));
  const lines = [
    l10n.t('Branch {0}, in {1}. Your own edits stay here.', record.branch, record.path),
    ...(remembers === false
      ? [l10n.t('{0} couldn’t reopen the conversation there. It’s attached to your next message.', agentName)]
      : []),
    ...stays,
    ...notes,
  ];
  return {
    severity: remembers !== true || stays.length + notes.length > 0 ? 'warning' : 'info',
    title: titleOf(name, moved.length),
    description: lines.join('\n'),
  };
}

function titleOf(name: string, count: number): string {
  if (count === 0) return l10n.t('This session now works in the worktree “{0}”', name);
  return count === 1
    ? l10n.t('Moved the changes in 1 file to the worktree “{0}”', name)
    : l10n.t('Moved the changes in {0} files to the worktree “{1}”', count, name);
}

function stayingWords({ path, reason }: StayingFile): string {
  const words: Record<StayReason, string> = {
    edited: l10n.t('{0}: you or another agent also edited some of these changes, so those stay here.', path),
    unsaved: l10n.t('{0} has unsaved text, so its changes stay here.', path),
    outside: l10n.t('{0} isn’t in this repository, so its changes stay there.', path),
    ignored: l10n.t('{0} is ignored by Git, so its changes stay here.', path),
    unknown: l10n.t('{0}: an earlier version isn’t known, so its changes stay here.', path),
  };
  return words[reason];
}
