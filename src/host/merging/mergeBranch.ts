import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { fileKey, isInside } from '../base/filePaths';
import { mergeBranch } from '../../worktree/mergeBranch';
import { worktreeOf } from '../../worktree/worktreeOf';
import { warnUntrusted } from '../agents/trust';
import { askModal, showInformation, showWarning, withProgress } from '../ui/notifications';
import { targetRoot } from './bringChanges';

/** Merges the branch of a session's worktree into the current one, with Git. */
export async function mergeBranchHere(session: Session | undefined): Promise<void> {
  if (!vscode.workspace.isTrusted) return warnUntrusted();
  const worktree = session && worktreeOf(session.transcript.view.cwd);
  if (!worktree) {
    void showInformation(l10n.t('This session doesn’t work in a worktree that Parley made.'));
    return;
  }
  const root = await targetRoot(worktree);
  const unsaved = vscode.workspace.textDocuments.find(
    ({ isDirty, uri }) => isDirty && uri.scheme === 'file' && isInside(fileKey(root), fileKey(uri.fsPath)),
  );
  if (unsaved) {
    void showWarning(l10n.t('{0} has unsaved changes, which Git doesn’t see. Save it first.', unsaved.fileName));
    return;
  }
  const { branch } = worktree.record;
  const merge = l10n.t('Merge Branch');
  const question = l10n.t('Merge “{0}” into the current branch?', branch);
  const detail = l10n.t('Git commits the merge in {0}. Uncommitted changes of the worktree aren’t merged.', root);
  if ((await askModal(question, { detail, items: [merge] })) !== merge) return;
  const merged = await withProgress(
    { location: vscode.ProgressLocation.Notification, title: l10n.t('Merging “{0}”', branch) },
    () => mergeBranch(worktree, root),
  );
  if (merged.kind === 'current') {
    void showInformation(l10n.t('The current branch already has all commits of “{0}”.', branch));
  } else if (merged.kind === 'merged') void showInformation(l10n.t('Merged “{0}”.', branch));
  else {
    const open = l10n.t('Open Source Control');
    const words = l10n.t(
      'Git merged “{0}” with conflicts. Resolve them in Source Control, or abort the merge there.',
      branch,
    );
    if ((await showWarning(words, open)) !== open) return;
    const [first] = merged.paths;
    await vscode.commands.executeCommand('workbench.view.scm');
    if (first !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(join(root, first)));
  }
}
