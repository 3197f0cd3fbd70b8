import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { isAtWork } from '../../shared/transcript/lateWork';
import { noteBrought, type BroughtFile } from '../../worktree/bring/broughtBase';
import { worktreeOf, type FolderWorktree } from '../../worktree/made/worktreeOf';
import { worktreeName } from '../../worktree/made/worktreeList';
import { warnUntrusted } from '../agents/trust';
import { askModal, showInformation, showWarning, withProgress } from '../ui/notifications';
import type { ChangeBringer } from './bringChanges';
import { unbrought, type BringRequest, type BroughtChanges } from './broughtChanges';
import { decideConflicts } from './conflicts';

/** Brings what a session changed in its worktree into the workspace, and lets the user decide about conflicts. */
export async function bringChangesHere(bringer: ChangeBringer, session: Session | undefined): Promise<void> {
  if (!vscode.workspace.isTrusted) return warnUntrusted();
  const worktree = session && workingTree(session);
  if (!worktree) return;
  const { record } = worktree;
  const request = { session, worktree, ...(record.brought === undefined ? {} : { base: record.brought }) };
  const brought = await bring(bringer, request);
  if (!isNothing(brought)) return settle(bringer, request, brought);
  if (record.brought === undefined) {
    const name = worktreeName(record);
    void showInformation(
      worktree.isCopy
        ? l10n.t('The agent’s own copy of “{0}” has no changes.', name)
        : l10n.t('“{0}” has no changes.', name),
    );
    return;
  }
  const again = l10n.t('Bring Again');
  const question = l10n.t('There are no new changes in “{0}”. Bring the earlier ones again?', worktreeName(record));
  if ((await askModal(question, { items: [again] })) !== again) return;
  const all = { session, worktree };
  await settle(bringer, all, await bring(bringer, all));
}

/** Returns the worktree that a session works in, and tells the user why its changes can't be brought if there is none. */
function workingTree(session: Session): FolderWorktree | undefined {
  const { cwd, agentName } = session.transcript.view;
  const worktree = worktreeOf(cwd);
  if (!worktree) {
    void showInformation(l10n.t('This session doesn’t work in a worktree or a copy that Parley made.'));
    return undefined;
  }
  if (!isAtWork(session.transcript.view)) return worktree;
  void showWarning(l10n.t('{0} is still working. Wait until its turn ends, or stop it.', agentName));
  return undefined;
}

function bring(bringer: ChangeBringer, request: BringRequest): Thenable<BroughtChanges> {
  return withProgress({ location: vscode.ProgressLocation.Notification, title: l10n.t('Bringing changes') }, () =>
    bringer.bring(request),
  );
}

function isNothing({ written, conflicts, skipped, isCancelled }: BroughtChanges): boolean {
  return written.length + conflicts.length + skipped.length === 0 && !isCancelled;
}

async function settle(bringer: ChangeBringer, request: BringRequest, brought: BroughtChanges): Promise<void> {
  const { conflicts, snapshot, isCancelled } = brought;
  if (isCancelled) return;
  const note = async (files: readonly BroughtFile[]) => {
    await noteBrought(request.worktree, snapshot, { files, unbrought: unbrought(request, brought) });
  };
  if (conflicts.length > 0) return decideConflicts(bringer, request, brought, { canAsk: true, note });
  await note([]);
}
