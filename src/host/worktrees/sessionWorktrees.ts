import { existsSync } from 'node:fs';
import * as l10n from '@vscode/l10n';
import type { AgentPool } from '../../agent/pool/agentPool';
import { messageOf } from '../../shared/values/messageOf';
import type { SessionKey } from '../../shared/values/ids';
import { assertRemovable, removeWorktree, restoreWorktree, saveWorktree } from '../../worktree/end/endWorktree';
import { openRepository } from '../../worktree/repository/repository';
import type { SessionStore } from '../sessions/stored/sessionStore';
import { isInWorktree, worktreeOf, type FolderWorktree } from '../../worktree/made/worktreeOf';
import { ownWorktrees, worktreeName } from '../../worktree/made/worktreeList';
import { lossOf, type WorktreeLoss } from '../../worktree/end/worktreeLoss';
import { readRecords } from '../../worktree/made/worktreeRecord';
import { fileRoots } from '../base/folders';
import { askModal, showError, showInformation, showWarning } from '../ui/notifications';
import type { WorktreeEnd } from '../sessions/end/worktreeEnd';
import { savedMessage } from './cleanUpWorktrees';
import { branchLossWords, folderLossWords, keptWords } from './lossWords';

/** What happens to the worktrees of sessions that are deleted, archived, or opened again. */
export class SessionWorktrees {
  private readonly pool: AgentPool;
  private readonly sessions: Pick<SessionStore, 'stored'>;

  constructor(pool: AgentPool, sessions: Pick<SessionStore, 'stored'>) {
    this.pool = pool;
    this.sessions = sessions;
  }

  /**
   * Asks what to do with the worktrees of sessions before they end, and says what would be lost. Resolves to what `end` does after they
   * have ended, or to undefined if the user cancels.
   */
  async beforeEnd(
    ending: readonly SessionKey[],
    end: 'delete' | 'archive',
  ): Promise<readonly WorktreeEnd[] | undefined> {
    const found = new Map<string, FolderWorktree>();
    for (const key of ending) {
      const cwd = this.cwdOf(key);
      const worktree = cwd === undefined ? undefined : worktreeOf(cwd);
      if (worktree && !this.isUsedBesides(worktree, ending)) found.set(worktree.record.path, worktree);
    }
    const ends: WorktreeEnd[] = [];
    for (const worktree of found.values()) {
      const one = await this.ask(worktree, end);
      if (!one) return undefined;
      if (one !== 'keep') ends.push(one);
    }
    return ends;
  }

  /** Removes the worktrees of sessions that have ended, as the user answered, unless another session works there. Never rejects. */
  async end(ends: readonly WorktreeEnd[], ended: readonly SessionKey[]): Promise<void> {
    for (const one of ends) await this.endOne(one, ended).catch((error: unknown) => void showError(messageOf(error)));
  }

  /** Brings back the worktree that a session worked in, if it was saved. Rejects with a `WorktreeProblem`. */
  async bringBack(cwd: string): Promise<void> {
    if (existsSync(cwd)) return;
    for (const root of fileRoots()) {
      const repository = await openRepository(root).catch(() => undefined);
      if (!repository) continue;
      const records = await readRecords(repository.common);
      const record = records.find((one) => one.saved !== undefined && isInWorktree({ record: one }, cwd));
      if (!record) continue;
      const { notes } = await restoreWorktree(repository.common, record);
      const words = l10n.t('Brought back the worktree “{0}”.', worktreeName(record));
      if (notes.length > 0) void showWarning([words, ...notes].join(' '));
      else void showInformation(words);
      return;
    }
  }

  private cwdOf(key: SessionKey): string | undefined {
    const open = this.pool.sessions.find((session) => session.key === key);
    return open?.transcript.view.cwd ?? this.sessions.stored.find((listing) => listing.key === key)?.cwd;
  }

  /** Returns true if another session works in a worktree, too, also a stored one, or if this window has it open. */
  private isUsedBesides(worktree: FolderWorktree, ending: readonly SessionKey[]): boolean {
    const open = this.pool.sessions.map(({ key, transcript }) => ({ key, cwd: transcript.view.cwd }));
    const stored = this.sessions.stored.filter(({ isArchived }) => !isArchived);
    const isUsed = [...open, ...stored].some(({ key, cwd }) => !ending.includes(key) && isInWorktree(worktree, cwd));
    return isUsed || fileRoots().some((root) => isInWorktree(worktree, root));
  }

  private async endOne({ common, id, how, agreed }: WorktreeEnd, ended: readonly SessionKey[]): Promise<void> {
    const own = (await ownWorktrees(common)).find(({ record }) => record.id === id);
    // It may have been removed in another way since.
    if (!own?.listed) return;
    const { record } = own;
    if (this.isUsedBesides({ record, common }, ended)) return;
    if (how === 'remove') {
      await removeWorktree(common, record, agreed, true);
      return;
    }
    const [words] = keptWords(common, await saveWorktree(common, record, savedMessage(record), agreed));
    if (words !== undefined) void showInformation(words);
  }

  /** Resolves to what to do, or to undefined if the user cancels. */
  private async ask(
    { record, common, isCopy }: FolderWorktree,
    end: 'delete' | 'archive',
  ): Promise<WorktreeEnd | 'keep' | undefined> {
    const listed = (await ownWorktrees(common)).find((one) => one.record.id === record.id)?.listed;
    if (!listed) return 'keep';
    const loss = await lossOf({ record, listed });
    const refusal = await assertRemovable(common, record, listed).then(() => undefined, messageOf);
    if (refusal !== undefined) {
      void showWarning(refusal);
      return 'keep';
    }
    const keep = l10n.t('Keep Worktree');
    const save = l10n.t('Commit and Remove');
    const all = l10n.t('Remove with Branch');
    const name = worktreeName(record);
    const question =
      end === 'delete'
        ? l10n.t('What should happen to the worktree “{0}” of the deleted session?', name)
        : l10n.t('What should happen to the worktree “{0}” of the archived session?', name);
    const lost = [...folderLossWords(loss), ...branchLossWords(loss)];
    if (isCopy) return this.askAboutCopy({ record, common }, loss, lost, end);
    const detail = [
      lost.length > 0
        ? l10n.t('Without the worktree and its branch, these would be lost:')
        : l10n.t('Nothing would be lost.'),
      ...lost,
      '',
      l10n.t(
        '“{0}” commits everything on the branch {1} and removes the folder. Ignored files are lost.',
        save,
        record.branch,
      ),
    ];
    const answer = await askModal(question, { detail: detail.join('\n'), items: [keep, save, all] });
    if (answer === undefined) return undefined;
    if (answer === keep) return 'keep';
    return { common, id: record.id, how: answer === save ? 'save' : 'remove', agreed: loss };
  }

  private async askAboutCopy(
    { record, common }: FolderWorktree,
    loss: WorktreeLoss,
    lost: readonly string[],
    end: 'delete' | 'archive',
  ): Promise<WorktreeEnd | 'keep' | undefined> {
    const keep = l10n.t('Keep Copy');
    const remove = l10n.t('Remove Copy');
    const name = worktreeName(record);
    const question =
      end === 'delete'
        ? l10n.t('What should happen to the own copy of “{0}” of the deleted session?', name)
        : l10n.t('What should happen to the own copy of “{0}” of the archived session?', name);
    const detail =
      lost.length > 0
        ? [l10n.t('Without the copy, these would be lost:'), ...lost]
        : [l10n.t('Nothing would be lost.')];
    const answer = await askModal(question, { detail: detail.join('\n'), items: [keep, remove] });
    if (answer === undefined) return undefined;
    return answer === remove ? { common, id: record.id, how: 'remove', agreed: loss } : 'keep';
  }
}
