import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Checkpoint } from '../../review/checkpoints';
import { isSameRef, type FileRef } from '../../review/fileRef';
import { restoredReview } from '../../review/restoredFile';
import type { TrackedFileData } from '../../review/trackedFileData';
import type { Session } from '../../session/session';
import type { EntryId, SessionKey } from '../../shared/ids';
import type { RestorePreview } from '../../shared/review';
import type { UserMessageEntry } from '../../shared/transcript';
import type { CheckpointRecorder } from './checkpointRecorder';
import type { PresentFile } from './presentFile';
import { planNow, previewOf, type PresentPlan } from './restorePlan';
import { causeOf, restoredNotice, undoneNotice } from './restoreWords';
import { stopTurn } from './stopTurn';
import { isUnsavedNotebook } from './writeBack';
import { writeSteps, type WriteServices, type WriteStep } from './writeSteps';

/** So many restores can be undone. */
const maxUndos = 20;

/** What came of a restore: it is over, or there is something that the user must see first and nothing was written. */
export type RestoreAnswer =
  | { readonly kind: 'over'; readonly sentence: string; readonly isDone: boolean }
  | { readonly kind: 'look'; readonly preview: RestorePreview };

interface RestoredFile {
  readonly restored: FileRef;
  readonly before: FileRef;
  readonly mode: number | undefined;
  readonly review: TrackedFileData | undefined;
}

/** How to take a restore back. */
interface Undo {
  readonly session: SessionKey;
  readonly files: Map<string, RestoredFile>;
  readonly removed: readonly Checkpoint[];
}

/** Brings files back to before a user's message, and takes that back again. One at a time. */
export class Restorer {
  private readonly recorder: CheckpointRecorder;
  private readonly services: WriteServices;
  private readonly settled: (session: SessionKey) => Promise<void>;
  /** What the user was shown last, by session and message. */
  private readonly shown = new Map<string, PresentPlan>();
  private readonly undos = new Map<string, Undo>();
  private tail: Promise<unknown> = Promise.resolve();

  /** `settled` resolves when all that a session's turns have changed is told. */
  constructor(recorder: CheckpointRecorder, services: WriteServices, settled: (session: SessionKey) => Promise<void>) {
    this.recorder = recorder;
    this.services = services;
    this.settled = settled;
  }

  /** Hashes of the contents that an undo needs. */
  get hashes(): string[] {
    const files = [...this.undos.values()].flatMap((undo) => [...undo.files.values()]);
    return files.flatMap(({ before }) => (before.kind === 'stored' ? [before.hash] : []));
  }

  /** What a restore would do now. */
  preview(session: Session, message: UserMessageEntry): Promise<RestorePreview> {
    return this.serially(() => this.look(session, message));
  }

  /** Restores; `overwrite` are the URIs of shown conflicts that are to go back as well. Stops the running turn first. */
  restore(session: Session, message: UserMessageEntry, overwrite: ReadonlySet<string>): Promise<RestoreAnswer> {
    return this.serially(() => this.carryOut(session, message, overwrite));
  }

  /** Takes the restore back that a notice tells of; the notice says what came of it. Answers the sentence. */
  undo(session: Session, notice: EntryId): Promise<string | undefined> {
    return this.serially(() => this.takeBack(session, notice));
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
      const title = l10n.t('No file went back, because {0} does not stop', agentName);
      session.addNotice({ severity: 'error', title });
      return { kind: 'over', sentence: title, isDone: false };
    }
    const shown = this.shown.get(nameOf(session, message.id));
    const plan = await this.plan(session, message);
    // Asked only now: what the last turn changed may have been found out in between.
    const hasFiles = this.recorder.of(session.key).some(({ turn }) => turn >= message.turn);
    if (!hasFiles) return { kind: 'over', sentence: '', isDone: true };
    const isSeen = ({ uri, conflict }: { uri: string; conflict?: string }) =>
      conflict === undefined ||
      (shown?.steps.some((step) => step.uri === uri && step.conflict) && isSame(uri, shown, plan));
    if (!plan.steps.every(isSeen)) return { kind: 'look', preview: await this.look(session, message) };
    const chosen = plan.steps.filter(({ uri, conflict }) => conflict === undefined || overwrite.has(uri));
    const notebooks = chosen.filter(({ uri }) => isUnsavedNotebook(vscode.Uri.parse(uri)));
    const asked = plan.steps.filter((step) => !chosen.includes(step));
    const steps = chosen.filter((step) => !notebooks.includes(step));
    try {
      await this.store(steps.map(({ uri }) => plan.present.get(uri)));
    } catch (error) {
      const title = l10n.t('No file went back, because what they hold now could not be kept');
      session.addNotice({ severity: 'error', title, description: causeOf(error) });
      return { kind: 'over', sentence: title, isDone: false };
    }
    this.shown.delete(nameOf(session, message.id));
    return this.write(
      session,
      message,
      plan,
      steps,
      [...asked, ...notebooks].map(({ uri }) => uri),
    );
  }

  private async write(
    session: Session,
    message: UserMessageEntry,
    plan: PresentPlan,
    steps: PresentPlan['steps'],
    left: readonly string[],
  ): Promise<RestoreAnswer> {
    const { log } = this.services;
    const files = new Map(
      steps.map(({ uri, ref }): [string, RestoredFile] => {
        const { ref: before, mode } = plan.present.get(uri) ?? absent;
        return [uri, { restored: ref, before, mode, review: log.file(uri)?.snapshot }];
      }),
    );
    const outcome = await writeSteps(
      this.services,
      steps.map((step): WriteStep => ({
        step,
        expected: files.get(step.uri)?.before ?? absent.ref,
        review: (state) => {
          const present = log.file(step.uri)?.snapshot;
          const earlier = this.recorder.reviewBefore(session.key, message.turn, step.uri);
          return present && earlier && restoredReview(present, earlier, state);
        },
      })),
    );
    const done = new Set(outcome.done);
    for (const uri of files.keys()) if (!done.has(uri)) files.delete(uri);
    const removed = this.recorder.takeOut(session.key, message.turn, new Set([...done, ...plan.right]));
    const notice = restoredNotice(message, { ...outcome, left: [...outcome.left, ...left] });
    const id = session.addNotice(notice);
    if (done.size > 0) this.remember(session, id, { session: session.key, files, removed });
    return { kind: 'over', sentence: notice.title, isDone: outcome.failed === undefined };
  }

  private async takeBack(session: Session, notice: EntryId): Promise<string | undefined> {
    const undo = this.undos.get(nameOf(session, notice));
    if (!undo) return this.tooLate(session, notice);
    const steps = [...undo.files].map(([uri, file]): WriteStep => {
      const action = file.before.kind === 'absent' ? 'delete' : 'write';
      const { restored: expected, mode, review } = file;
      return { step: { uri, action, ref: file.before }, expected, mode, review: () => review };
    });
    const outcome = await writeSteps(this.services, steps);
    const done = new Set(outcome.done);
    const right = undo.removed.flatMap(({ files }) => [...files.keys()]).filter((uri) => !undo.files.has(uri));
    this.recorder.putBack(session.key, undo.removed, new Set([...done, ...right]));
    for (const uri of [...done, ...outcome.left]) undo.files.delete(uri);
    if (undo.files.size === 0) this.undos.delete(nameOf(session, notice));
    const text = undoneNotice(outcome);
    session.changeNotice(notice, text);
    return text.title;
  }

  /** Only the last restores can be undone; an older one's button goes when it is tried. */
  private tooLate(session: Session, notice: EntryId): string | undefined {
    const entry = session.transcript.entries.get(notice);
    if (entry?.kind !== 'notice' || entry.restore !== 'undoable') return undefined;
    const { severity, title } = entry;
    const description = l10n.t('This cannot be undone any more.');
    session.changeNotice(notice, { severity, title, description, restore: 'over' });
    return description;
  }

  private remember(session: Session, notice: EntryId, undo: Undo): void {
    this.undos.set(nameOf(session, notice), undo);
    const [oldest] = this.undos.keys();
    if (this.undos.size > maxUndos && oldest !== undefined) this.undos.delete(oldest);
  }

  private async store(files: readonly (PresentFile | undefined)[]): Promise<void> {
    for (const file of files) if (file?.bytes) await this.services.contents.put(file.bytes);
  }

  private serially<T>(work: () => Promise<T>): Promise<T> {
    const next = this.tail.then(work);
    this.tail = next.catch(() => undefined);
    return next;
  }
}

const absent = { ref: { kind: 'absent' }, mode: undefined } as const;

function nameOf(session: Session, entry: EntryId): string {
  return `${session.key} ${entry}`;
}

/** Whether the user was shown this very content. */
function isSame(uri: string, shown: PresentPlan, now: PresentPlan): boolean {
  return isSameRef(shown.present.get(uri)?.ref ?? absent.ref, now.present.get(uri)?.ref ?? absent.ref);
}
