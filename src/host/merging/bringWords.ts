import * as l10n from '@vscode/l10n';
import type { NoticeText } from '../../session/session';
import type { ConflictKind } from '../../worktree/repository/mergeFiles';
import { broughtTitle } from '../checkpoints/restoreWords';
import type { BringConflict, BroughtChanges, SkippedFile } from './broughtChanges';

/** Maximum number of files that a notice lists. */
const listed = 10;

/** Says what was brought from a worktree, what conflicts, and what was skipped. */
export function broughtNotice(name: string, { written, conflicts, skipped }: BroughtChanges): NoticeText {
  const lines = [...conflicts.map(conflictWords), ...skipped.map(skippedWords)];
  const shown = lines.slice(0, listed);
  if (lines.length > listed) shown.push(l10n.t('And {0} more.', lines.length - listed));
  return {
    severity: lines.length > 0 ? 'warning' : 'info',
    title: broughtTitle(name, written.length),
    ...(shown.length > 0 ? { description: shown.join('\n') } : {}),
  };
}

/** Says what is in the way of a file's changes. */
export function conflictWords({ path, conflict }: Pick<BringConflict, 'path' | 'conflict'>): string {
  const words: Record<ConflictKind, string> = {
    lines: l10n.t('{0}: you and the agent changed the same lines. Yours are unchanged.', path),
    binary: l10n.t('{0}: you and the agent changed this binary file. Yours is unchanged.', path),
    deletedHere: l10n.t('{0}: you deleted what the agent changed.', path),
    deletedThere: l10n.t('{0}: the agent deleted what you changed. Yours is unchanged.', path),
    place: l10n.t('{0}: something else is in its place here. Move it away and try again.', path),
  };
  return words[conflict];
}

function skippedWords({ path, reason }: SkippedFile): string {
  if (typeof reason !== 'string')
    return l10n.t('{0} couldn’t be written. Fix this and try again: {1}', path, reason.cause);
  const words: Record<typeof reason, string> = {
    repository: l10n.t('{0} is a repository of its own. Commit there, and clone or move it yourself.', path),
    submodule: l10n.t('{0} is a submodule. Update it with Git.', path),
    name: l10n.t('{0} has a name that can’t be used here. Rename it there.', path),
    unreadable: l10n.t('{0} couldn’t be read. Check who can read it.', path),
    outside: l10n.t('{0} is a link that leads out of the repository. Create it yourself if you need it.', path),
    notebook: l10n.t('{0} is open as a notebook with unsaved changes. Save it first.', path),
  };
  return words[reason];
}
