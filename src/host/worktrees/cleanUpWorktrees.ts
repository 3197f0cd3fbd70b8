import { existsSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import { messageOf } from '../../shared/values/messageOf';
import { removeWorktree, saveWorktree } from '../../worktree/end/endWorktree';
import { openRepository } from '../../worktree/repository/repository';
import { isRemembered } from '../../worktree/made/ownFolders';
import { isInWorktree, worktreeOf } from '../../worktree/made/worktreeOf';
import { ownCopies, ownWorktrees, sizeOf, worktreeName } from '../../worktree/made/worktreeList';
import { lossOf, savedLossOf, type WorktreeLoss } from '../../worktree/end/worktreeLoss';
import type { WorktreeRecord } from '../../worktree/made/worktreeRecord';
import { warnUntrusted } from '../agents/trust';
import { fileKey, isInside } from '../base/filePaths';
import { fileRoots } from '../base/folders';
import { askModal, showError, showInformation, withProgress } from '../ui/notifications';
import { pickMany } from '../ui/quickInput';
import { ageWords, branchLossWords, folderLossWords, keptWords, sizeWords } from './lossWords';

/** How long sizes are added up before the list is shown, in milliseconds. */
const sizeMs = 3000;

/** A worktree that can be removed. */
interface Candidate {
  readonly common: string;
  readonly record: WorktreeRecord;
  readonly loss: WorktreeLoss;
  /** Absent if only the branch is left. */
  readonly size?: string;
}

type CandidateItem = vscode.QuickPickItem & { readonly candidate: Candidate };

/** Lists the worktrees that Parley made for this workspace, and removes those that the user selects. */
export async function cleanUpWorktrees({ pool }: { readonly pool: AgentPool }): Promise<void> {
  if (!vscode.workspace.isTrusted) return warnUntrusted();
  try {
    const candidates = await withProgress(
      { location: vscode.ProgressLocation.Notification, title: l10n.t('Finding worktrees') },
      () => findCandidates(pool),
    );
    if (candidates.length === 0) {
      void showInformation(l10n.t('Parley has no worktrees here that no open session uses.'));
      return;
    }
    const items = candidates.map((candidate) => itemOf(candidate, Date.now()));
    const picked = await pickMany(items, {
      title: l10n.t('Clean up worktrees'),
      placeHolder: l10n.t('Select worktrees to remove'),
      matchOnDescription: true,
    });
    if (!picked || picked.length === 0) return;
    await remove(picked.map((item) => item.candidate));
  } catch (error) {
    void showError(messageOf(error));
  }
}

/** The shared git folders of the workspace's repositories, and of those that open sessions work in. */
async function repositories(pool: AgentPool): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const root of fileRoots()) {
    // A folder without a repository has no worktrees.
    const repository = await openRepository(root).catch(() => undefined);
    if (repository) found.add(repository.common);
  }
  for (const { transcript } of pool.sessions) {
    const worktree = worktreeOf(transcript.view.cwd);
    if (worktree) found.add(worktree.common);
  }
  // Of other windows, only the copies of folders that no longer exist are nobody's.
  for (const { common, record } of await ownCopies()) {
    const isHere = fileRoots().some((root) => isInside(fileKey(record.from), fileKey(root)));
    if (isHere || !existsSync(record.from)) found.add(common);
  }
  return found;
}

async function findCandidates(pool: AgentPool): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  const signal = AbortSignal.timeout(sizeMs);
  for (const common of await repositories(pool)) {
    for (const { record, listed } of await ownWorktrees(common)) {
      const isUsed = pool.sessions.some(({ transcript }) => isInWorktree({ record }, transcript.view.cwd));
      const isOpen = fileRoots().some((root) => isInWorktree({ record }, root));
      if (isUsed || isOpen || !isRemembered(common, record)) continue;
      if (!listed) {
        found.push({ common, record, loss: await savedLossOf(common, record) });
        continue;
      }
      const [loss, bytes] = await Promise.all([lossOf({ record, listed }), sizeOf(record.path, signal)]);
      const size = signal.aborted ? l10n.t('over {0}', sizeWords(bytes)) : sizeWords(bytes);
      found.push({ common, record, loss, size });
    }
  }
  return found;
}

function itemOf(candidate: Candidate, now: number): CandidateItem {
  const { record, loss, size } = candidate;
  const words = [...folderLossWords(loss), ...branchLossWords(loss)];
  return {
    label: worktreeName(record),
    description: [
      loss.isCopy ? l10n.t('own copy') : record.branch,
      ageWords(now - record.createdAt),
      size ?? l10n.t('saved on its branch'),
    ].join(' · '),
    detail: words.length > 0 ? words.join(' · ') : l10n.t('Nothing would be lost.'),
    candidate,
  };
}

async function remove(candidates: readonly Candidate[]): Promise<void> {
  const keep = l10n.t('Remove and Keep Branches');
  const all = l10n.t('Remove with Branches');
  const save = l10n.t('Commit and Remove');
  const hasUncommitted = candidates.some(({ loss }) => loss.uncommitted.length > 0);
  const detail = candidates.map(({ common, record, loss }) => {
    const ofFolder = folderLossWords(loss);
    const ofBranch = branchLossWords(loss);
    const lines = [
      ...ofFolder.map((line) => l10n.t('With the folder: {0}', line)),
      ...ofBranch.map((line) => l10n.t('With the branch: {0}', line)),
    ];
    const words = lines.length > 0 ? lines : [l10n.t('Nothing would be lost.')];
    return [worktreeName(record), ...words, ...keptWords(common, record)].join('\n');
  });
  const question =
    candidates.length === 1
      ? l10n.t('Remove the worktree “{0}”?', worktreeName(candidates[0]?.record ?? { path: '' }))
      : l10n.t('Remove {0} worktrees?', candidates.length);
  const answer = await askModal(question, {
    detail: detail.join('\n\n'),
    items: hasUncommitted ? [save, keep, all] : [keep, all],
  });
  if (answer === undefined) return;
  const problems: string[] = [];
  const notes: string[] = [];
  let kept = 0;
  for (const { common, record, loss, size } of candidates) {
    try {
      if (answer === save && size !== undefined && !loss.isCopy) {
        notes.push(...keptWords(common, await saveWorktree(common, record, savedMessage(record), loss)));
      } else if (answer === save && loss.isCopy) {
        notes.push(l10n.t('The own copy of “{0}” was kept. Bring its changes here first.', worktreeName(record)));
        kept++;
      } else await removeWorktree(common, record, loss, answer === all);
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  const removed = candidates.length - problems.length - kept;
  const done = removed === 1 ? l10n.t('Removed 1 worktree.') : l10n.t('Removed {0} worktrees.', removed);
  if (problems.length > 0) void showError([...problems, ...notes].join(' '));
  else void showInformation([done, ...notes].join(' '));
}

/** The message of the commit that has what wasn't committed. */
export function savedMessage({ branch }: Pick<WorktreeRecord, 'branch'>): string {
  return `Save the worktree of ${branch}`;
}
