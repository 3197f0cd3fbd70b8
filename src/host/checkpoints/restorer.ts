import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import { withoutFiles } from '../../review/checkpoints/checkpointList';
import { isSameRef, type FileRef } from '../../review/files/fileRef';
import { restoredReview } from '../../review/checkpoints/restoredFile';
import { undoRefs, type RestoredFile, type RestoreUndo } from '../../review/checkpoints/restoreUndo';
import { startData, type TrackedFileData } from '../../review/log/trackedFileData';
import { restoreEntryId } from '../../session/update/entryIds';
import type { NoticeText, Session } from '../../session/session';
import type { EntryId, SessionKey } from '../../shared/values/ids';
import type { RestorePreview } from '../../shared/changes/review';
import type { UserMessageEntry } from '../../shared/transcript/transcript';
import { presentState } from '../workspaceFiles/presentState';
import type { JsonFiles } from '../storage/jsonFiles';
import type { CheckpointRecorder } from './checkpointRecorder';
import { planNow, previewOf, type PresentPlan } from './restorePlan';
import { UndoRecords } from '../fileChanges/undoRecords';
import { askModal } from '../ui/notifications';
import { guardedQuestion } from '../workspaceFiles/guardedQuestion';
import { guardedReasonOf, presentFile, refOf } from '../workspaceFiles/presentFile';
import { causeOf } from '../workspaceFiles/fileProblemWords';
import { againUndoable, firstWords, restoredNotice, undoneNotice } from './restoreWords';
import { backUp } from '../fileChanges/backUp';
import { readReview } from '../fileChanges/storedReview';
import { stopTurn } from './stopTurn';
import { over, UndoOffers } from './undoOffers';
import { undoSteps } from './undoSteps';
import { isUnsavedNotebook } from '../workspaceFiles/workspaceFile';
import { writeSteps, type WriteServices, type WriteStep } from './writeSteps';

/** The result of a restore: finished, or stopped before any write because the user must see something first. */
export type RestoreAnswer =
  | { readonly kind: 'over'; readonly sentence: string; readonly isDone: boolean }
  | { readonly kind: 'look'; readonly preview: RestorePreview };

/** Files that were stored before Parley writes them. */
export interface BackedUp {
  /** Adds the notice about what was written. It offers to undo that, if anything has changed. */
  finish(notice: NoticeText): Promise<void>;
}

/** A merge in the editor that an earlier window began. */
export interface OpenMerge {
  readonly uri: string;
  /** The worktree's name. */
  readonly name: string;
  /** The agent's version of the file. */
  readonly theirs: Uint8Array;
  /** The user's file, and its review, from before the merge. */
  readonly before: Uint8Array;
  readonly review?: TrackedFileData;
  readonly backup: BackedUp;
}

/** The services that a restorer uses. */
export interface RestorerParts {
  readonly recorder: CheckpointRecorder;
  readonly services: WriteServices;
  /** Where the undos of restores are stored. */
  readonly undos: JsonFiles;
  /** Resolves once all changes by a session's turns are recorded. */
  readonly settled: (session: SessionKey) => Promise<void>;
  /** The open sessions. */
  readonly sessions: () => readonly Session[];
  /** Goes on with a merge, and returns whether its editor is still open. */
  readonly mergeAgain?: (session: Session, merge: OpenMerge) => boolean;
}

interface PreparedRestore {
  readonly steps: readonly WriteStep[];
  readonly undo: RestoreUndo;
}

/** Restores files to the state before a user's message, and undoes restores. Runs one operation at a time. */
export class Restorer {
  private readonly recorder: CheckpointRecorder;
  private readonly services: WriteServices;
  private readonly mergeAgain: NonNullable<RestorerParts['mergeAgain']>;
  private readonly settled: (session: SessionKey) => Promise<void>;
  /** The plans last shown to the user, by session and message. */
  private readonly shown = new Map<string, PresentPlan>();
  private readonly undos: UndoRecords;
  private readonly offers: UndoOffers;
  private tail: Promise<unknown> = Promise.resolve();

  constructor({ recorder, services, undos, settled, sessions, mergeAgain = () => false }: RestorerParts) {
    this.recorder = recorder;
    this.services = services;
    this.undos = new UndoRecords(undos);
    this.offers = new UndoOffers(this.undos, sessions);
    this.settled = settled;
    this.mergeAgain = mergeAgain;
  }

  /** Resolves to the hashes of the contents that undos need. */
  async hashes(): Promise<readonly string[]> {
    return (await this.undos.all()).flatMap(undoRefs).map(({ hash }) => hash);
  }

  /** Returns the effect of a restore now. */
  preview(session: Session, message: UserMessageEntry): Promise<RestorePreview> {
    return this.serially(() => this.look(session, message));
  }

  /** Restores files. `overwrite` lists the URIs of shown conflicts to restore as well. Stops the running turn first. */
  restore(session: Session, message: UserMessageEntry, overwrite: ReadonlySet<string>): Promise<RestoreAnswer> {
    return this.serially(() => this.carryOut(session, message, overwrite));
  }

  /** Undoes the restore of a notice and updates the notice. Resolves to its new text. */
  undo(session: Session, notice: EntryId): Promise<string | undefined> {
    return this.serially(() => this.takeBack(session, notice));
  }

  /** Removes the undos of a deleted session. */
  forget(session: SessionKey): Promise<void> {
    return this.undos.forget(session);
  }

  /**
   * Offers undo for the restores of a reopened session, including interrupted ones. Otherwise, the chat shows that they
   * can no longer be undone.
   */
  resume(session: Session): Promise<void> {
    return this.serially(() => this.offers.resume(session, (undo) => this.isMergedAgain(session, undo)));
  }

  /**
   * Stores files before Parley writes them for the user. `writes` are their future states. `merging` is the agent's version of a file that
   * the user merges in the editor. `finish` adds the notice about what was
   * written, which offers to undo it. Rejects if they can't be stored.
   */
  async backUp(
    session: Session,
    name: string,
    writes: ReadonlyMap<string, FileRef>,
    merging?: Uint8Array,
  ): Promise<BackedUp> {
    const theirs = merging && refOf(merging, undefined);
    if (merging) await this.services.contents.save(merging);
    const files = new Map<string, RestoredFile>();
    for (const [uri, restored] of writes) {
      const record = await backUp(this.services, uri, restored);
      files.set(uri, { ...record, ...compact({ merging: theirs?.kind === 'stored' ? theirs : undefined }) });
    }
    const undo: RestoreUndo = {
      session: session.key,
      notice: restoreEntryId(randomUUID()),
      name,
      isBrought: true,
      madeAt: Date.now(),
      isOpen: true,
      files,
      removed: [],
    };
    if (files.size > 0) await this.undos.save(undo);
    return this.backed(session, undo);
  }

  private backed(session: Session, undo: RestoreUndo): BackedUp {
    return { finish: (notice) => this.serially(() => this.finish(session, undo, notice)) };
  }

  /** Resolves to whether the user merges the file of an undo in an editor that was open before this window. */
  private async isMergedAgain(session: Session, undo: RestoreUndo): Promise<boolean> {
    const [entry] = undo.files;
    if (!undo.isOpen || !entry) return false;
    const [uri, { before: ref, merging, review }] = entry;
    const { contents } = this.services;
    const theirs = merging && (await contents.get(merging.hash));
    const before = ref.kind === 'stored' ? await contents.get(ref.hash) : undefined;
    if (!theirs || !before) return false;
    const known = await readReview(contents, review);
    const merge = {
      uri,
      name: undo.name,
      theirs,
      before,
      backup: this.backed(session, undo),
      ...compact({ review: known }),
    };
    return this.mergeAgain(session, merge);
  }

  private async finish(session: Session, undo: RestoreUndo, notice: NoticeText): Promise<void> {
    const files = new Map<string, RestoredFile>();
    for (const [uri, file] of undo.files) {
      const now = await presentFile(vscode.Uri.parse(uri)).catch(() => undefined);
      const { before, review } = file;
      if (now && !isSameRef(now.ref, before)) files.set(uri, { restored: now.ref, before, ...compact({ review }) });
    }
    const offer = files.size > 0 ? ({ restore: 'undoable', isBrought: true } as const) : {};
    session.addNotice({ ...notice, ...offer }, undo.notice);
    await this.offers.settle({ ...undo, isOpen: false, files });
  }

  private async look(session: Session, message: UserMessageEntry): Promise<RestorePreview> {
    const plan = await this.plan(session, message);
    this.shown.set(nameOf(session, message.id), plan);
    return previewOf(plan, message.id, session.transcript.view.cwd, this.services.contents);
  }

  private async plan(session: Session, message: UserMessageEntry): Promise<PresentPlan> {
    await this.settled(session.key);
    await this.recorder.idle();
    return planNow(this.recorder.of(session.key), message.turn, this.services.contents);
  }

  private async carryOut(
    session: Session,
    message: UserMessageEntry,
    overwrite: ReadonlySet<string>,
  ): Promise<RestoreAnswer> {
    if (!(await stopTurn(session))) {
      const { agentName } = session.transcript.view;
      const title = l10n.t('Nothing was restored: {0} didn’t stop', agentName);
      session.addNotice({ severity: 'error', title });
      return { kind: 'over', sentence: title, isDone: false };
    }
    const shown = this.shown.get(nameOf(session, message.id));
    const plan = await this.plan(session, message);
    // Check only now, because the last turn's changes may have been detected in the meantime.
    const hasFiles = this.recorder.of(session.key).some(({ turn }) => turn >= message.turn);
    if (!hasFiles) return { kind: 'over', sentence: '', isDone: true };
    const guarded = new Set<string>();
    for (const { uri } of plan.steps) {
      if ((await guardedReasonOf(vscode.Uri.parse(uri))) !== undefined) guarded.add(uri);
    }
    const isSeen = ({ uri, conflict }: { uri: string; conflict?: string }) =>
      (conflict === undefined && !guarded.has(uri)) ||
      (shown?.steps.some((step) => step.uri === uri && (step.conflict ?? conflict === undefined)) &&
        isSame(uri, shown, plan));
    if (!plan.steps.every(isSeen)) return { kind: 'look', preview: await this.look(session, message) };
    const chosen = plan.steps.filter(({ uri, conflict }) => conflict === undefined || overwrite.has(uri));
    const notebooks = chosen.filter(({ uri }) => isUnsavedNotebook(vscode.Uri.parse(uri)));
    const asked = plan.steps.filter((step) => !chosen.includes(step));
    const steps = chosen.filter((step) => !notebooks.includes(step));
    let prepared: PreparedRestore;
    try {
      prepared = await this.prepare(session, message, plan, steps);
    } catch (error) {
      const title = l10n.t('Nothing was restored: the current files couldn’t be backed up');
      session.addNotice({ severity: 'error', title, description: causeOf(error) });
      return { kind: 'over', sentence: title, isDone: false };
    }
    this.shown.delete(nameOf(session, message.id));
    const left = [...asked, ...notebooks].map(({ uri }) => uri);
    return this.write(session, message, prepared, { right: plan.right, left });
  }

  /** Stores everything the undo needs before any write, in case the window exits in between. */
  private async prepare(
    session: Session,
    message: UserMessageEntry,
    plan: PresentPlan,
    chosen: PresentPlan['steps'],
  ): Promise<PreparedRestore> {
    const files = new Map<string, RestoredFile>();
    const steps: WriteStep[] = [];
    for (const step of chosen) {
      const { uri, ref: restored } = step;
      const record = await backUp(this.services, uri, restored, plan.present.get(uri) ?? absent);
      files.set(uri, record);
      steps.push({ step, expected: record.before, review: await this.reviewThen(session, message, uri) });
    }
    const uris = new Set([...files.keys(), ...plan.right]);
    const { removed } = withoutFiles(this.recorder.of(session.key), message.turn, uris);
    const undo: RestoreUndo = {
      session: session.key,
      notice: restoreEntryId(randomUUID()),
      name: firstWords(message),
      madeAt: Date.now(),
      isOpen: true,
      files,
      removed,
    };
    if (files.size > 0) await this.undos.save(undo);
    return { steps, undo };
  }

  private async write(
    session: Session,
    message: UserMessageEntry,
    { steps, undo }: PreparedRestore,
    { right, left }: { readonly right: readonly string[]; readonly left: readonly string[] },
  ): Promise<RestoreAnswer> {
    const outcome = await writeSteps(this.services, steps);
    const done = new Set(outcome.done);
    this.forgetAbsent(session, message, right, new Set([...done, ...right]));
    const removed = this.recorder.takeOut(session.key, message.turn, new Set([...done, ...right]));
    const files = new Map([...undo.files].filter(([uri]) => done.has(uri)));
    const notice = restoredNotice(undo.name, { ...outcome, left: [...outcome.left, ...left] });
    session.addNotice(notice, undo.notice);
    if (undo.files.size > 0) await this.offers.settle({ ...undo, isOpen: false, files, removed });
    return { kind: 'over', sentence: notice.title, isDone: outcome.failed === undefined };
  }

  /**
   * Stops the review of files that didn't exist before the message and don't exist now, such as the old names of a file that was renamed
   * several times. Where a renamed file comes from must be restored, too, because its last kept version is nowhere else.
   */
  private forgetAbsent(
    { key }: Session,
    { turn }: UserMessageEntry,
    right: readonly string[],
    restored: ReadonlySet<string>,
  ): void {
    const { log } = this.services;
    for (const uri of right) {
      const file = log.file(uri);
      const rename = file?.traitChanges.find((change) => change.kind === 'rename');
      if (file?.current.kind !== 'absent' || this.recorder.reviewBefore(key, turn, uri)) continue;
      if (rename ? restored.has(rename.from) : file.base.kind === 'absent') log.forget(uri);
    }
  }

  /** Returns the review state that a file will have after the restore. */
  private async reviewThen(session: Session, { turn }: UserMessageEntry, uri: string): Promise<WriteStep['review']> {
    const { contents, log } = this.services;
    const ref = this.recorder.reviewBefore(session.key, turn, uri);
    const earlier = await readReview(contents, ref);
    // The stored review is missing, so the log records the restore as the user's change.
    if (ref && !earlier) return () => undefined;
    // A file unknown to the log has no pending changes, so its current content counts as kept.
    const now = earlier && startData(await presentState(vscode.Uri.parse(uri)), earlier.isWhole, false);
    return (state) => {
      const present = log.file(uri)?.snapshot ?? now;
      return present && restoredReview(present, earlier, state);
    };
  }

  private async takeBack(session: Session, notice: EntryId): Promise<string | undefined> {
    const undo = await this.undos.get(session.key, notice);
    if (!undo) return over(session, notice);
    const { contents, log } = this.services;
    const merged = await this.keepMerged(undo);
    const { steps, right } = await undoSteps(undo, contents, log, merged);
    const guarded = await guardedQuestion(steps.map(({ step }) => step.uri));
    if (guarded !== undefined && (await askModal(guarded, { items: [l10n.t('Undo Restore')] })) === undefined) return;
    const outcome = await writeSteps(this.services, steps);
    const done = new Set([...right, ...outcome.done]);
    const others = undo.removed.flatMap(({ files }) => [...files.keys()]).filter((uri) => !undo.files.has(uri));
    this.recorder.putBack(session.key, undo.removed, new Set([...done, ...others]));
    const rest = [...undo.files].filter(([uri]) => !done.has(uri) && !outcome.left.includes(uri));
    const back = [...merged].filter(([uri]) => outcome.done.includes(uri));
    const undone = undoneNotice({ ...outcome, done: [...done] }, undo.isBrought);
    const text = back.length > 0 ? againUndoable(undone) : undone;
    session.changeNotice(notice, text);
    await this.offers.settle({ ...undo, isOpen: undo.isOpen && rest.length > 0, files: new Map([...rest, ...back]) });
    return text.title;
  }

  /**
   * Stores what the user made of a file that was being merged when the window closed. It has lines of the user and of the agent, so it isn't
   * known what the merge wrote. Resolves to what undoes the undo.
   */
  private async keepMerged({ isOpen, files }: RestoreUndo): Promise<ReadonlyMap<string, RestoredFile>> {
    const kept = new Map<string, RestoredFile>();
    for (const [uri, { before: restored, merging }] of isOpen ? files : []) {
      const present = await presentFile(vscode.Uri.parse(uri));
      if (!merging || !present.bytes || isSameRef(present.ref, restored)) continue;
      kept.set(uri, await backUp(this.services, uri, restored, present));
    }
    return kept;
  }

  private serially<T>(work: () => Promise<T>): Promise<T> {
    const next = this.tail.then(work);
    this.tail = next.catch(() => undefined);
    return next;
  }
}

const absent = { ref: { kind: 'absent' }, bytes: undefined } as const;

function nameOf(session: Session, entry: EntryId): string {
  return `${session.key} ${entry}`;
}

/** Returns true if the user was shown exactly this content. */
function isSame(uri: string, shown: PresentPlan, now: PresentPlan): boolean {
  return isSameRef(shown.present.get(uri)?.ref ?? absent.ref, now.present.get(uri)?.ref ?? absent.ref);
}
