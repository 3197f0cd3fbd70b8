import { compact } from '../../shared/values/decodeValue';
import { DisposableStore, type IDisposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import { applyOps, type MutableTranscript, type TranscriptOp } from '../../shared/transcript/ops';
import type { EntryId, SessionId } from '../../shared/values/ids';
import type { Entry, LateWork, SessionView, Stopping, Transcript } from '../../shared/transcript/transcript';
import type { BackgroundWork, SessionUpdate } from '../../acp/shape/sessionUpdate';
import { singleEntryId } from '../update/entryIds';
import type { Failure } from '../failures';
import { markReported } from '../update/markReported';
import { ofSubagent } from '../update/ofSubagent';
import { appendEntry } from '../update/reduceMessage';
import { reduceUpdate } from '../update/reduceUpdate';
import { inputsOver } from './awaitedInput';
import { RunningWork } from './runningWork';

/** A session's transcript in the extension host, and the only class that changes it. */
export class TranscriptStore implements IDisposable {
  readonly now: () => number;
  /** What is running in the session. Its result is in the view. */
  readonly work = new RunningWork();
  private readonly held: MutableTranscript;
  private readonly disposables = new DisposableStore();
  private readonly applied = this.disposables.add(new Emitter<readonly TranscriptOp[]>());
  private readonly stateChanged = this.disposables.add(new Emitter<void>());
  /** Fires after ops were applied; `transcript.rev` already includes them. */
  readonly onDidApply = this.applied.event;
  /** Fires when activity, late work, connection, title, sandbox, or what the agent can do changed, or a goal came or went. */
  readonly onDidChangeState = this.stateChanged.event;

  constructor(transcript: MutableTranscript, now: () => number) {
    this.held = transcript;
    this.now = now;
  }

  get transcript(): Transcript {
    return this.held;
  }

  get view(): SessionView {
    return this.held.view;
  }

  apply(ops: readonly TranscriptOp[]): void {
    if (ops.length === 0) return;
    const before = this.held.view;
    const over = inputsOver(this.held.terminals, ops);
    applyOps(this.held, ops);
    const change = this.work.follow(this.held, ops, this.now());
    const more = change ? [...over, change] : over;
    applyOps(this.held, more);
    this.applied.fire(more.length > 0 ? [...ops, ...more] : ops);
    const after = this.held.view;
    const fields = ['activity', 'lateWork', 'connection', 'title', 'sandbox', 'canSetGoal', 'canAskAside'] as const;
    const isOther = fields.some((field) => after[field] !== before[field]) || hasGoal(after) !== hasGoal(before);
    if (isOther) this.stateChanged.fire();
  }

  setView(fields: Partial<SessionView>): void {
    this.apply([{ op: 'view', fields }]);
  }

  /**
   * Shows whether the session is waiting for the user or running; `running` is when the running turn started, and
   * whether it is being stopped.
   */
  showActivity(openQuestions: number, running: { readonly since: number; readonly stop?: Stopping } | undefined): void {
    const { activity } = this.view;
    const show = (next: SessionView['activity']) => this.setView({ activity: next });
    if (openQuestions === 0) show(running ? { state: 'running', ...running } : { state: 'idle' });
    else if (activity.state !== 'requires_action' || activity.stop !== running?.stop) {
      const since = activity.state === 'requires_action' ? activity.since : this.now();
      show({ state: 'requires_action', since, ...(running?.stop ? { stop: running.stop } : {}) });
    }
  }

  /** Shows what the agent does without a message, or that it does nothing. */
  setUnprompted(work: (LateWork & { readonly kind: 'agent' }) | undefined): void {
    this.work.setUnprompted(work);
    const change = this.work.current(this.held);
    if (change) this.apply([change]);
  }

  /** Shows what the agent lists as its background work. */
  setBackground(work: readonly BackgroundWork[]): void {
    this.work.report(work);
    const change = this.work.current(this.held);
    if (change) this.apply([change]);
  }

  /** A background command is no longer expected to run. */
  endBackground(entry: EntryId): void {
    this.work.endBackground(entry);
    const change = this.work.current(this.held);
    if (change) this.apply([change]);
  }

  /** The agent reports that a background command has ended, by the id of its shell. */
  private endShell(shell: string): void {
    this.work.endShells(this.held, [shell]);
    const change = this.work.current(this.held);
    if (change) this.apply([change]);
  }

  /** Shows an update of the main agent or of one of its subagents. */
  reduce(update: SessionUpdate, turn: number, subagent?: SessionId): void {
    const shown = subagent === undefined ? update : ofSubagent(this.held, update, subagent);
    if (!shown) return;
    const ops = reduceUpdate(this.held, shown, this.now(), turn, subagent);
    this.apply(this.work.isReplaying ? ops : markReported(this.held, ops));
    if (shown.sessionUpdate === 'notice' && shown.endsShell !== undefined) this.endShell(shown.endsShell);
  }

  append(entry: Entry): void {
    this.apply(appendEntry(this.held, entry, this.now()));
  }

  /** Adds an error card and returns it. */
  appendFailure(failure: Failure, turn: number): Entry {
    const entry: Entry = { kind: 'error', id: singleEntryId('error', this.held.rev), turn, ...failure };
    this.append(entry);
    return entry;
  }

  appendNotice(severity: 'info' | 'warning' | 'error', title: string, turn: number, description?: string): void {
    const id = singleEntryId('notice', this.held.rev);
    this.append({ kind: 'notice', id, turn, severity, title, ...compact({ description }) });
  }

  dispose(): void {
    this.disposables.dispose();
  }
}

function hasGoal({ goal = 'none' }: SessionView): boolean {
  return goal !== 'none';
}
