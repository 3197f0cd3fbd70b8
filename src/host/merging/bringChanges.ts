import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { compact } from '../../shared/values/decodeValue';
import type { BroughtFile } from '../../worktree/bring/broughtBase';
import { worktreeChanges, type WorktreeChange } from '../../worktree/bring/worktreeChanges';
import { worktreeName } from '../../worktree/made/worktreeList';
import type { FolderWorktree } from '../../worktree/made/worktreeOf';
import type { FileVersion } from '../../worktree/repository/mergeFiles';
import { WorktreeProblem } from '../../worktree/repository/worktreeProblem';
import type { Checkpoints } from '../checkpoints/checkpoints';
import { changeFile, changeFiles } from '../fileChanges/changeFiles';
import { ChangeRefused, type FileChange, type NextFile } from '../fileChanges/fileChange';
import type { Review } from '../review/review';
import { askModal } from '../ui/notifications';
import { causeOf } from '../workspaceFiles/fileProblemWords';
import { guardedQuestion } from '../workspaceFiles/guardedQuestion';
import { documentOf } from '../workspaceFiles/openDocument';
import { presentFile, refOf } from '../workspaceFiles/presentFile';
import { conflictOf, placesOf, planBringing, refsOf, writesOf, writtenBy, type Planned } from './bringPlan';
import { targetRoot } from './bringTarget';
import { broughtNotice } from './bringWords';
import type { BringConflict, BringRequest, BroughtChanges, SkippedFile } from './broughtChanges';
import type { MergeEditors } from './mergeEditors';

export interface BringServices {
  readonly review: Pick<Review, 'applying' | 'disk' | 'log'>;
  /** Stores files as they are, so that the user can undo what is written next. */
  readonly checkpoints: Pick<Checkpoints, 'backUp'>;
  readonly mergeEditors: Pick<MergeEditors, 'show'>;
  /** Notes that an agent merges these versions of the user's files with its own. */
  readonly handed: (request: BringRequest, files: readonly BroughtFile[]) => Promise<void>;
}

interface BringChange extends FileChange {
  readonly plan: Planned;
}

/**
 * Brings an agent's changes from a worktree into the workspace. Each file is merged with the user's, also with text that isn't saved, and
 * what is written waits for review as the session's change. What conflicts is left as the user has it.
 */
export class ChangeBringer {
  private readonly services: BringServices;

  constructor(services: BringServices) {
    this.services = services;
  }

  /** Throws a `WorktreeProblem` before anything is written. */
  async bring(request: BringRequest): Promise<BroughtChanges> {
    const { session, worktree } = request;
    const root = await targetRoot(worktree);
    const found = await worktreeChanges(worktree, request.base);
    const plan = await planBringing(request, root, found.changes);
    const skipped = [...(request.files ? [] : found.skipped), ...plan.skipped];
    for (const change of plan.same) this.decide(request, { change, merged: { kind: 'same' } });
    const conflicts = plan.merges.flatMap(conflictOf);
    const writes = writesOf(plan.merges);
    const uris = refsOf(writes);
    const nothing = { written: [], conflicts, skipped, snapshot: found.snapshot };
    const links = writes.flatMap(({ uri, leadsTo }) =>
      leadsTo === undefined ? [] : [[uri.toString(), vscode.Uri.file(join(root, leadsTo))] as const],
    );
    const guarded = await guardedQuestion([...uris.keys()], new Map(links));
    const bringThem = l10n.t('Bring Changes');
    if (guarded !== undefined && (await askModal(guarded, { items: [bringThem] })) === undefined) {
      return { ...nothing, isCancelled: true };
    }
    if (writes.length === 0) return nothing;
    const backup = await this.services.checkpoints
      .backUp(session, worktreeName(worktree.record), uris)
      .catch((error: unknown) => {
        throw new WorktreeProblem(
          l10n.t(
            'Your files couldn’t be backed up, so nothing was changed. Fix this and try again: {0}',
            causeOf(error),
          ),
        );
      });
    const outcome = await changeFiles(
      writes.map((plan) => this.changeOf(session, plan)),
      { stops: false, onDone: ({ plan }) => this.decide(request, plan) },
    );
    const missed = (change: BringChange, reason: SkippedFile['reason']) =>
      void skipped.push({ ...placesOf(change.plan.change), reason });
    for (const { change, refused } of outcome.left) {
      missed(change, refused.reason === 'notebook' ? 'notebook' : { cause: refusedWords(change.uri, refused) });
    }
    for (const { change, cause } of outcome.failed) missed(change, { cause });
    const written = outcome.done.flatMap(({ uri, then }) => (then ? [uri, then.uri] : [uri]));
    const result = { ...nothing, written };
    await backup.finish(broughtNotice(worktreeName(worktree.record), result));
    return result;
  }

  /** What has come here whole is reviewed here, and no longer in the worktree. */
  private decide({ worktree, files }: BringRequest, { change, merged }: Pick<Planned, 'change' | 'merged'>): void {
    const isPart = files?.some(({ path, hunks }) => path === change.path && hunks !== undefined) === true;
    if (isPart || merged.kind === 'conflict') return;
    this.keepThere(worktree, change);
  }

  private keepThere({ record }: FolderWorktree, { path, from }: Pick<WorktreeChange, 'path' | 'from'>): void {
    const { log } = this.services.review;
    for (const one of from === undefined ? [path] : [path, from]) {
      const uri = vscode.Uri.file(join(record.path, one)).toString();
      if (log.pending.includes(uri)) log.keep(uri, 'all');
    }
  }

  /** Has the agent merge these versions of the user's files with its own, from now on. */
  async handOver(request: BringRequest, files: readonly BroughtFile[]): Promise<void> {
    if (files.length > 0) await this.services.handed(request, files);
  }

  /** Lets the user resolve a conflict of lines in the editor. Rejects if the file has changed since. */
  async resolveInEditor(request: BringRequest, conflict: BringConflict): Promise<void> {
    const { bytes, isUnsaved } = await presentFile(vscode.Uri.parse(conflict.uri));
    if (!bytes || !conflict.present || !Buffer.from(bytes).equals(conflict.present)) throw justChanged();
    // The merge editor would save the user's text.
    const { checkpoints, mergeEditors } = this.services;
    if (isUnsaved || !(await mergeEditors.show(request, conflict, checkpoints))) {
      await this.showMarkers(request.session, conflict);
    }
  }

  /**
   * Shows a conflict's markers in the editor as text that isn't saved. It's a change to review, and the editor can undo it. Rejects if the
   * file has changed since.
   */
  private async showMarkers(session: Session, { uri: name, marked, present }: BringConflict): Promise<void> {
    if (!marked) return;
    const uri = vscode.Uri.parse(name);
    await this.change(session, {
      uri: name,
      expected: present ? { ref: refOf(present, undefined) } : { ref: { kind: 'absent' } },
      next: { kind: 'unsaved', bytes: marked },
    });
    await vscode.window.showTextDocument(await documentOf(uri), { preview: false });
  }

  /** Writes the agent's version of a file over the user's, which is stored first. */
  async takeTheirs({ session, worktree }: BringRequest, { uri: name, path, from, theirs, present }: BringConflict) {
    const uri = vscode.Uri.parse(name);
    const ours = await presentFile(uri);
    const isSame = ours.bytes && present ? Buffer.from(ours.bytes).equals(present) : !ours.bytes && !present;
    if (!isSame) throw justChanged();
    const title = worktreeName(worktree.record);
    const ref = theirs.kind === 'file' ? refOf(theirs.bytes, undefined) : theirs;
    const backup = await this.services.checkpoints.backUp(session, title, new Map([[name, ref]]));
    const next = this.nextOf(theirs, 'replaced');
    await this.change(session, { uri: name, expected: ours, next });
    this.keepThere(worktree, { path, ...compact({ from }) });
    await backup.finish({ severity: 'info', title: l10n.t('Took {0} from “{1}”', path, title) });
  }

  /** Makes one change. Rejects with the reason if the file was left as it was. */
  private async change(session: Session, change: Omit<FileChange, 'record'>): Promise<void> {
    try {
      await changeFile({ ...change, record: this.recordOf(session, change.uri) });
    } catch (error) {
      throw error instanceof ChangeRefused ? new Error(refusedWords(change.uri, error)) : error;
    }
  }

  /** What a plan writes. A file that moves leaves its old place only once it's at the new one. */
  private changeOf(session: Session, plan: Planned): BringChange {
    const { ours, from } = plan;
    const uri = plan.uri.toString();
    const { removed } = this.services.review.disk;
    const old = from && {
      uri: from.uri.toString(),
      expected: from.ours,
      next: { kind: 'absent', removed, tidy: this.tidy } as const,
      record: this.recordOf(session, from.uri.toString()),
    };
    const next = this.nextOf(writtenBy(plan), 'edited');
    return { plan, uri, expected: ours, next, record: this.recordOf(session, uri), ...compact({ then: old }) };
  }

  private nextOf(version: FileVersion, unsaved: 'edited' | 'replaced'): NextFile {
    if (version.kind === 'link') return version;
    if (version.kind === 'absent') return { ...version, tidy: this.tidy };
    const { bytes, isExecutable } = version;
    return { kind: 'file', bytes: () => Promise.resolve(bytes), unsaved, permissions: { isExecutable } };
  }

  private readonly tidy = (path: string) => this.services.review.disk.tidyAbove(path);

  /** What is written waits for review as the session's change. */
  private recordOf(session: Session, uri: string): FileChange['record'] {
    return ({ check, apply }) =>
      this.services.review.applying(session, vscode.Uri.parse(uri), async () => {
        await check();
        await apply();
      });
  }
}

function justChanged(): Error {
  return new Error(l10n.t('The file has just changed. Bring the changes again.'));
}

/** Says why a file was left as the user has it. */
function refusedWords(uri: string, { reason, detail }: ChangeRefused): string {
  const { path } = vscode.Uri.parse(uri);
  if (reason === 'notebook') {
    return l10n.t('The notebook {0} has unsaved changes. Save or revert them first.', basename(path));
  }
  return reason === 'editor'
    ? l10n.t('The editor couldn’t change {0}. Bring the changes again.', detail)
    : justChanged().message;
}
