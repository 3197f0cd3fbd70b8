import { realpath } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FileRef } from '../../review/files/fileRef';
import type { Session } from '../../session/session';
import { compact } from '../../shared/values/decodeValue';
import type { BroughtFile } from '../../worktree/bring/broughtBase';
import { hasCommit, snapshot } from '../../worktree/made/createWorktree';
import {
  changedHunks,
  mergeVersions,
  withHunks,
  type FileVersion,
  type Merged,
  type SideNames,
} from '../../worktree/repository/mergeFiles';
import { renamedBetween, worktreeChanges, type WorktreeChange } from '../../worktree/bring/worktreeChanges';
import { listWorktrees, worktreeName } from '../../worktree/made/worktreeList';
import type { FolderWorktree } from '../../worktree/made/worktreeOf';
import { WorktreeProblem } from '../../worktree/repository/worktreeProblem';
import { fileRoots } from '../base/folders';
import { fileKey, isInside } from '../base/filePaths';
import type { BackedUp } from '../checkpoints/restorer';
import { changeFile, changeFiles } from '../fileChanges/changeFiles';
import { ChangeRefused, type FileChange, type NextFile } from '../fileChanges/fileChange';
import type { Review } from '../review/review';
import { askModal } from '../ui/notifications';
import { diskFiles } from '../workspaceFiles/diskFile';
import { causeOf } from '../workspaceFiles/fileProblemWords';
import { guardedQuestion } from '../workspaceFiles/guardedQuestion';
import { documentOf } from '../workspaceFiles/openDocument';
import { placeOf, presentFile, refOf, type PresentFile } from '../workspaceFiles/presentFile';
import { isUnsavedNotebook } from '../workspaceFiles/workspaceFile';
import type { BringConflict, BringRequest, BroughtChanges, ChosenFile, SkippedFile } from './broughtChanges';
import { broughtNotice } from './bringWords';
import { linkEnd } from './linkEnd';
import { versionAt } from './presentVersion';

export interface BringServices {
  readonly review: Pick<Review, 'applying' | 'disk' | 'log'>;
  /** Stores files as they are, so that the user can undo what is written next. Rejects if they can't be stored. */
  readonly backUp: (
    session: Session,
    name: string,
    writes: ReadonlyMap<string, FileRef>,
    merging?: Uint8Array,
  ) => Promise<BackedUp>;
  /** Notes that an agent merges these versions of the user's files with its own. */
  readonly handed: (request: BringRequest, files: readonly BroughtFile[]) => Promise<void>;
  /** Opens a conflict in the merge editor. See `MergeEditors.show`. */
  readonly showMerge: (
    request: BringRequest,
    conflict: BringConflict,
    backUp: BringServices['backUp'],
  ) => Promise<boolean>;
}

/** A file's merge, before anything is written. */
interface Planned {
  readonly change: WorktreeChange;
  readonly uri: vscode.Uri;
  readonly ours: PresentFile;
  readonly merged: Merged;
  /** The old place of a file that moves. */
  readonly from?: { readonly uri: vscode.Uri; readonly ours: PresentFile };
  /** Where a link leads, below the root. */
  readonly leadsTo?: string;
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
    const skipped: SkippedFile[] = [...(request.files ? [] : found.skipped)];
    const plans: Planned[] = [];
    const changes = chosenOf(found.changes, request.files);
    const moved = new MovedHere(worktree, root, request.base ?? worktree.record.base);
    for (const change of changes) {
      try {
        const plan = await planOf(root, change, moved, sideNames(worktree));
        if (plan === 'outside' || plan === 'notebook') skipped.push({ ...placesOf(change), reason: plan });
        else if (plan) plans.push(plan);
        else this.decide(request, { change, merged: { kind: 'same' } });
      } catch (error) {
        if (error instanceof WorktreeProblem) throw error;
        skipped.push({ ...placesOf(change), reason: { cause: causeOf(error) } });
      }
    }
    const conflicts = plans.flatMap(conflictOf);
    const writes = plans.filter(({ merged, from }) => versionOf(merged) !== undefined || from !== undefined);
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
    const backup = await this.services.backUp(session, worktreeName(worktree.record), uris).catch((error: unknown) => {
      throw new WorktreeProblem(
        l10n.t('Your files couldn’t be backed up, so nothing was changed. Fix this and try again: {0}', causeOf(error)),
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
    if (isUnsaved || !(await this.services.showMerge(request, conflict, this.services.backUp))) {
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
    const backup = await this.services.backUp(session, title, new Map([[name, ref]]));
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

function placesOf({ path, from }: WorktreeChange): Pick<SkippedFile, 'path' | 'from'> {
  return { path, ...compact({ from }) };
}

/** The names of both sides in conflict markers. */
function sideNames({ record }: Pick<FolderWorktree, 'record'>): SideNames {
  return { ours: 'workspace', theirs: record.branch };
}

/**
 * Resolves to the root of the working tree that changes are brought to: the one that the worktree was made from, or another one of the
 * repository that is open here.
 */
export async function targetRoot({ record, common, isCopy }: FolderWorktree): Promise<string> {
  // Parley's own repository about a copy has no other working tree.
  const listed = (await listWorktrees(isCopy ? record.from : common))
    .map(({ path }) => path)
    .filter((path) => path !== record.path);
  // A folder without a repository is listed nowhere.
  if (isCopy && !listed.includes(record.from)) listed.push(record.from);
  const roots = await Promise.all(fileRoots().map((root) => realpath(root).catch(() => root)));
  const isOpen = (tree: string) =>
    roots.some((root) => isInside(fileKey(tree), fileKey(root)) || isInside(fileKey(root), fileKey(tree)));
  const open = listed.filter(isOpen).sort((a, b) => b.length - a.length);
  const target = open.find((tree) => tree === record.from) ?? open[0];
  if (target !== undefined) return target;
  throw new WorktreeProblem(l10n.t('No folder of this repository is open here. Open {0} and try again.', record.from));
}

function chosenOf(
  changes: readonly WorktreeChange[],
  files: readonly ChosenFile[] | undefined,
): readonly WorktreeChange[] {
  if (!files) return changes;
  return files.flatMap(({ path, hunks }) => {
    const change = changes.find((one) => one.path === path);
    if (!change) return [];
    const { base, theirs } = change;
    if (!hunks || theirs.kind !== 'file') return [change];
    const before = base.kind === 'file' ? base.bytes : new Uint8Array();
    if (hunks.size === changedHunks(before, theirs.bytes).length) return [change];
    const bytes = withHunks(before, theirs.bytes, hunks);
    return [{ ...change, theirs: { ...theirs, bytes } }];
  });
}

/** Where the user has moved files since the worktree was made. Found out only if a file is missing. */
class MovedHere {
  private readonly worktree: FolderWorktree;
  private readonly root: string;
  private readonly base: string;
  private found: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(worktree: FolderWorktree, root: string, base: string) {
    this.worktree = worktree;
    this.root = root;
    this.base = base;
  }

  async of(path: string): Promise<string | undefined> {
    this.found ??= this.find();
    return (await this.found).get(path);
  }

  private async find(): Promise<ReadonlyMap<string, string>> {
    const { record, isCopy } = this.worktree;
    // Without a repository, nothing says where a file has gone.
    if (isCopy && !(await hasCommit(this.root))) return new Map();
    const now = await snapshot(this.root);
    // Only Parley's own repository has what a copy started from. It borrows the user's objects.
    return renamedBetween(isCopy ? record.path : this.root, this.base, now);
  }
}

/** Plans a file's merge. Undefined if there is nothing to do. */
async function planOf(
  root: string,
  change: WorktreeChange,
  moved: MovedHere,
  names: SideNames,
): Promise<Planned | 'outside' | 'notebook' | undefined> {
  const { path, base, theirs } = change;
  const leadsTo = theirs.kind === 'link' ? await linkEnd(root, path, theirs.target) : undefined;
  if (theirs.kind === 'link' && leadsTo === undefined) return 'outside';
  const old = change.from;
  const at = async (place: string) => {
    const uri = await uriOf(root, place);
    return { uri, ours: await presentFile(uri), isTaken: await isTaken(uri) };
  };
  let target = await at(path);
  const isRename = old !== undefined && target.ours.ref.kind === 'absent';
  let source = old !== undefined && isRename ? await at(old) : undefined;
  if (source?.ours.ref.kind === 'absent') source = undefined;
  const isMissing = target.ours.ref.kind === 'absent' && !source && base.kind !== 'absent';
  if (isMissing && theirs.kind !== 'absent') {
    const place = await moved.of(old ?? path);
    if (place !== undefined) target = await at(place);
  }
  if ([target, source].some((one) => one && isUnsavedNotebook(one.uri))) return 'notebook';
  const { uri, ours, isTaken: isOther } = target;
  const version = versionAt(source?.ours ?? ours, base.kind === 'file' && base.isExecutable);
  const merged: Merged = isOther
    ? { kind: 'conflict', conflict: 'place' }
    : await mergeVersions({ base, theirs, ours: version }, names);
  if (source) {
    const { uri: from } = source;
    // A conflict is for the user's own file, which then stays where it is.
    if (merged.kind === 'conflict') return { change, uri: from, ours: source.ours, merged };
    return { change, uri, ours, merged, from: { uri: from, ours: source.ours }, ...compact({ leadsTo }) };
  }
  if (merged.kind === 'same') return undefined;
  // Unsaved text has nothing to be compared with on disk.
  const isLost = ours.isUnsaved && merged.kind === 'merged' && merged.version.kind !== 'file';
  if (isLost) return { change, uri, ours, merged: { kind: 'conflict', conflict: 'deletedThere' } };
  return { change, uri, ours, merged, ...compact({ leadsTo }) };
}

/** The URI of a file as this window names it. */
async function uriOf(root: string, path: string): Promise<vscode.Uri> {
  const place = join(root, path);
  for (const folder of fileRoots()) {
    const real = await realpath(folder).catch(() => folder);
    if (isInside(fileKey(real), fileKey(place))) return vscode.Uri.file(join(folder, relative(real, place)));
  }
  return vscode.Uri.file(place);
}

/** Returns whether there is something at a path that is neither a file nor a link. */
async function isTaken(uri: vscode.Uri): Promise<boolean> {
  const { kind } = await diskFiles.look(await placeOf(uri));
  return kind === 'directory' || kind === 'special';
}

/** What to write. */
function versionOf(merged: Merged): FileVersion | undefined {
  if (merged.kind === 'same') return undefined;
  return merged.kind === 'merged' ? merged.version : merged.partly;
}

/** What a plan writes. A file that is only renamed has the user's content. */
function writtenBy({ ours, merged, from }: Pick<Planned, 'ours' | 'merged' | 'from'>): FileVersion {
  return versionOf(merged) ?? versionAt(from?.ours ?? ours, false);
}

/** What the files will be after the plans, by URI. */
function refsOf(plans: readonly Planned[]): ReadonlyMap<string, FileRef> {
  const refs = new Map<string, FileRef>();
  for (const plan of plans) {
    const version = writtenBy(plan);
    refs.set(plan.uri.toString(), version.kind === 'file' ? refOf(version.bytes, undefined) : version);
    if (plan.from) refs.set(plan.from.uri.toString(), { kind: 'absent' });
  }
  return refs;
}

function conflictOf({ change, uri, ours, merged }: Planned): BringConflict[] {
  if (merged.kind !== 'conflict') return [];
  const present = merged.partly?.kind === 'file' ? merged.partly.bytes : ours.bytes;
  const { conflict, marked } = merged;
  const { base, theirs } = change;
  const more = { ...(present ? { present } : {}), ...(marked ? { marked } : {}) };
  return [{ uri: uri.toString(), ...placesOf(change), conflict, base, theirs, ...more }];
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
