import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { fileKey, isInside } from '../base/filePaths';
import { mergeBranch, type BranchRest } from '../../worktree/bring/mergeBranch';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import { warnUntrusted } from '../agents/trust';
import { askModal, showInformation, showWarning, withProgress } from '../ui/notifications';
import type { ProgramQuestions } from '../git/programQuestions';
import { listWords } from '../worktrees/lossWords';
import { targetRoot } from './bringTarget';

/** Merges the branch of a session's worktree into the current one, with Git. */
export async function mergeBranchHere(
  session: Session | undefined,
  programs: Pick<ProgramQuestions, 'ask' | 'hooksOf'>,
): Promise<void> {
  if (!vscode.workspace.isTrusted) return warnUntrusted();
  const worktree = session && worktreeOf(session.transcript.view.cwd);
  if (!worktree) {
    void showInformation(l10n.t('This session doesn’t work in a worktree that Parley made.'));
    return;
  }
  if (worktree.isCopy) {
    const words = l10n.t(
      'This session works in its own copy. Fetch its branch first: “Parley: Fetch Branch of Own Copy…”.',
    );
    void showInformation(words);
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
  const hooks = await programs.hooksOf(root, ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-merge']);
  const where = l10n.t('Git commits the merge in {0}. Uncommitted changes of the worktree aren’t merged.', root);
  const detail = [where, hooks].filter((one) => one !== undefined).join(' ');
  if ((await askModal(question, { detail, items: [merge] })) !== merge) return;
  const started = await programs.ask(root, { without: l10n.t('Merge Without Them') });
  if (started === undefined) return;
  const merged = await withProgress(
    { location: vscode.ProgressLocation.Notification, title: l10n.t('Merging “{0}”', branch) },
    () => mergeBranch(worktree, root, started === 'own' ? started : undefined),
  );
  if (merged.kind === 'current' || merged.kind === 'merged') {
    const done =
      merged.kind === 'merged'
        ? l10n.t('Merged “{0}”.', branch)
        : l10n.t('The current branch already has all commits of “{0}”.', branch);
    const notes = restWords(merged.rest);
    if (merged.kind === 'merged' && merged.conflicts.length > 0) {
      notes.push(
        l10n.t(
          'Your uncommitted changes conflict with it: {0}. Resolve them in Source Control. They’re also in Git’s stash.',
          listWords(merged.conflicts),
        ),
      );
    }
    if (notes.length > 0) void showWarning([done, ...notes].join(' '));
    else void showInformation(done);
    return;
  }
  const open = l10n.t('Open Source Control');
  const words =
    merged.kind === 'conflict'
      ? l10n.t('Git merged “{0}” with conflicts. Resolve them in Source Control, or abort the merge there.', branch)
      : uncommittedWords(branch, merged.words);
  if ((await showWarning(words, open)) !== open) return;
  const [first] = merged.kind === 'conflict' ? merged.paths : [];
  await vscode.commands.executeCommand('workbench.view.scm');
  if (first !== undefined) await vscode.window.showTextDocument(vscode.Uri.file(join(root, first)));
}

/** Says that a merge is there, but isn't committed, and how to go on or back. */
function uncommittedWords(branch: string, reported: string): string {
  return [
    l10n.t('Git merged the files of “{0}”, but didn’t commit the merge.', branch),
    ...(reported === '' ? [] : [l10n.t('Git reported: {0}', reported)]),
    l10n.t('Commit it in Source Control, or run “git merge --abort” to undo it.'),
  ].join(' ');
}

/** Says what of a worktree can't be merged with its branch. */
function restWords({ files, commits }: BranchRest): string[] {
  const lines: string[] = [];
  const next = l10n.t('Commit there first, or use “Parley: Bring Changes Here”.');
  if (files.length === 1) {
    lines.push(l10n.t('1 file of the worktree isn’t committed: {0}. {1}', listWords(files), next));
  } else if (files.length > 1) {
    lines.push(l10n.t('{0} files of the worktree aren’t committed: {1}. {2}', files.length, listWords(files), next));
  }
  if (commits > 0) {
    lines.push(
      l10n.t('The worktree has another commit checked out, which its branch doesn’t have. Give it a branch there.'),
    );
  }
  return lines;
}
