import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { Session } from '../../session/session';
import { isAtWork } from '../../shared/transcript/lateWork';
import { assertRemovable, removeWorktree } from '../../worktree/end/endWorktree';
import { ownWorktrees, worktreeName } from '../../worktree/made/worktreeList';
import { lossOf } from '../../worktree/end/worktreeLoss';
import { isInWorktree, worktreeOf } from '../../worktree/made/worktreeOf';
import { goneProblem } from '../../worktree/repository/worktreeProblem';
import { warnUntrusted } from '../agents/trust';
import { fileRoots } from '../base/folders';
import { askModal, showInformation, showWarning } from '../ui/notifications';
import { branchLossWords, folderLossWords } from './lossWords';

/**
 * Removes a session's worktree with all that isn't elsewhere, after the user has seen what would be lost. The session is closed. Rejects with
 * a `WorktreeProblem` if the worktree can't be removed.
 */
export async function discardWorktree(pool: Pick<AgentPool, 'sessions'>, session: Session | undefined): Promise<void> {
  if (!vscode.workspace.isTrusted) return warnUntrusted();
  const worktree = session && worktreeOf(session.transcript.view.cwd);
  if (!worktree) {
    void showInformation(l10n.t('This session doesn’t work in a worktree that Parley made.'));
    return;
  }
  const { record, common, isCopy } = worktree;
  const name = worktreeName(record);
  const isBusy = () => isAtWork(session.transcript.view);
  const { agentName } = session.transcript.view;
  const working = l10n.t('{0} is still working. Wait until its turn ends, or stop it.', agentName);
  if (isBusy()) return void showWarning(working);
  const others = pool.sessions.some((one) => one !== session && isInWorktree(worktree, one.transcript.view.cwd));
  if (others)
    return void showWarning(
      isCopy
        ? l10n.t('Another session works in this copy, too. Close it first.')
        : l10n.t('Another session works in this worktree, too. Close it first.'),
    );
  if (fileRoots().some((root) => isInWorktree(worktree, root))) {
    return void showWarning(l10n.t('This window has the worktree open. Discard it from another window.'));
  }
  const listed = (await ownWorktrees(common)).find((one) => one.record.id === record.id)?.listed;
  if (!listed) throw goneProblem(record);
  await assertRemovable(common, record, listed);
  const loss = await lossOf({ record, listed });
  const lost = [...folderLossWords(loss), ...branchLossWords(loss)];
  const discard = l10n.t('Discard');
  const detail = [
    ...(lost.length > 0 ? [l10n.t('These would be lost:'), ...lost] : [l10n.t('Nothing would be lost.')]),
    '',
    l10n.t('The session is closed. Its conversation stays in the list of sessions.'),
  ];
  const question = isCopy
    ? l10n.t('Discard the agent’s own copy of “{0}”?', name)
    : l10n.t('Discard the worktree “{0}” and its branch {1}?', name, record.branch);
  if ((await askModal(question, { detail: detail.join('\n'), items: [discard] })) !== discard) return;
  // The user may have sent a message in the meantime.
  if (isBusy()) return void showWarning(working);
  session.close();
  await removeWorktree(common, record, loss, true);
  void showInformation(
    isCopy ? l10n.t('Discarded the copy of “{0}”.', name) : l10n.t('Discarded the worktree “{0}”.', name),
  );
}
