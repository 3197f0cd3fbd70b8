import {
  ConnectionClosedError,
  errorCodes,
  isAuthRequired,
  isRequestCancelled,
  ResponseError,
} from '../../acp/base/errors';
import type { SessionChannel } from '../../acp/shape/sessionChannel';
import type { SessionUpdate } from '../../acp/shape/sessionUpdate';
import type { IDisposable } from '../../shared/values/disposable';
import type { EntryId } from '../../shared/values/ids';
import { modelName, nameOfModel } from '../../shared/transcript/modelName';
import type { SessionView, Stopping } from '../../shared/transcript/transcript';
import type { TokenCounts } from '../../shared/amounts/turnUsage';
import { redactFailure } from '../failures';
import { turnFailure } from './limitFailure';
import type { Questions } from '../questions/questions';
import type { Speakers } from '../transcript/speakers';
import type { TranscriptStore } from '../transcript/transcriptStore';
import {
  outcomeOf,
  reasonOf,
  reduceCancel,
  reduceExitedCalls,
  reduceIdleEnd,
  reduceTurnEnd,
  stopReasonWords,
  wasRejected,
  type EndedTurns,
  type TurnEnd,
  type TurnOutcome,
} from '../update/closeTurn';
import { promptEntryId } from '../update/entryIds';
import type { Echo } from './echo';
import { FailureText, saidAsError, withBeginning } from './failureText';
import { ReportedTotals } from './reportedTotals';
import { RequestTally } from './requestTally';
import type { EndedTurn, RunningTurn } from './runningTurn';
import { StopWait, type Schedule } from './stopWait';
import { costOf, summarizeTurn } from './summarizeTurn';
import { Unprompted } from './unprompted';

/** How a turn ended, as far as it matters to the messages that wait behind it. */
export type TurnEnding = 'answered' | 'failed' | 'loginRequired';

/** How a turn begins. */
interface TurnStart {
  readonly echo?: Echo | undefined;
  readonly isStarted: boolean;
  readonly isUnprompted?: boolean;
}

/** The running turn of a session, from beginning to end, and what its agent does between turns. */
export class CurrentTurn implements IDisposable {
  private readonly store: TranscriptStore;
  private readonly speakers: Speakers;
  private readonly questions: Questions;
  private readonly schedule: Schedule;
  private readonly unprompted: Unprompted;
  private readonly totals = new ReportedTotals();
  private openChannel: SessionChannel | undefined;
  private runningTurn: RunningTurn | undefined;
  private endedTurns: EndedTurns = { count: 0, last: undefined };

  constructor(store: TranscriptStore, speakers: Speakers, questions: Questions, schedule: Schedule) {
    this.store = store;
    this.speakers = speakers;
    this.questions = questions;
    this.schedule = schedule;
    this.unprompted = new Unprompted(store, schedule);
  }

  /** The agent's channel; undefined while it is disconnected. */
  get channel(): SessionChannel | undefined {
    return this.openChannel;
  }

  get running(): RunningTurn | undefined {
    return this.runningTurn;
  }

  /** The turns that have ended in this window. Nothing that was restored or replayed counts. */
  get ended(): EndedTurns {
    return this.endedTurns;
  }

  /** When the running turn started, in milliseconds since the epoch, and whether it is being stopped. */
  get activity(): { readonly since: number; readonly stop?: Stopping } | undefined {
    if (!this.runningTurn) return undefined;
    const { since, stop } = this.runningTurn;
    return stop ? { since, stop: stop.state } : { since };
  }

  connected(channel: SessionChannel): void {
    this.openChannel = channel;
    this.totals.restart();
  }

  begin(channel: SessionChannel, { echo, isStarted, isUnprompted = false }: TurnStart): RunningTurn {
    const running: RunningTurn = {
      turn: this.speakers.turns.current,
      channel,
      since: this.store.now(),
      model: modelName(this.store.view),
      cost: costOf(this.store.view),
      tally: new RequestTally(modelName(this.store.view)),
      echo,
      failure: new FailureText(),
      isStarted,
      isUnprompted,
      stop: undefined,
    };
    this.runningTurn = running;
    this.questions.refuses = false;
    this.unprompted.reset();
    this.store.work.begin();
    const open = this.questions.count > 0;
    const suggested = { ...(this.store.view.suggestions ? { suggestions: [] } : {}), ...noRetry(this.store.view) };
    this.store.setView({
      activity: { state: open ? 'requires_action' : 'running', since: running.since },
      ...suggested,
    });
    return running;
  }

  /** The agent works without a message, in the newest turn. */
  beginUnprompted(channel: SessionChannel): void {
    this.speakers.resumeTurn();
    this.begin(channel, { isStarted: true, isUnprompted: true });
  }

  /** Stops the running turn. */
  stop(): void {
    const { runningTurn: running } = this;
    if (!running || running.stop) return;
    running.stop = new StopWait(this.store.now(), this.schedule, () => this.showActivity());
    this.showActivity();
    running.channel.cancel();
    this.questions.refuses = true;
    this.questions.cancelAll('turn', (entry) => !this.store.work.isReported(entry));
    const staysOpen = (entry: EntryId) => this.store.work.isReported(entry);
    this.store.apply(reduceCancel(this.store.transcript, running.turn, this.store.now(), staysOpen));
    running.stop.start();
  }

  /** Gives a cancelled turn more time, as the user asked. */
  keepWaiting(): void {
    this.runningTurn?.stop?.keepWaiting();
  }

  /** Counts a request to a model, by the agent or by a subagent. Those of a replay were counted before. */
  heardRequest(counts: TokenCounts | undefined, isOwn: boolean): void {
    if (counts) this.runningTurn?.tally.add(counts, isOwn);
  }

  /** The agent says which model answers, which the selection may leave open. */
  heardModel(id: string): void {
    const { runningTurn: running } = this;
    if (running) running.model = nameOfModel(this.store.view, id);
  }

  /** Handles an update that was shown while no turn is running. */
  heardLate(update: SessionUpdate): void {
    if (this.runningTurn) return;
    const { transcript, work, now } = this.store;
    if (update.sessionUpdate === 'terminal_update' && update.exit && update.exit !== 'running') {
      this.store.apply(reduceExitedCalls(transcript, work.openCalls(transcript), now()));
    } else if (this.openChannel?.insertsPrompts) {
      // The agent says when it works.
    } else this.unprompted.heard(update, this.speakers.turns.current);
    this.unprompted.limitBackground();
  }

  /** The user stopped what the agent does without a turn. */
  stoppedLate(): void {
    this.unprompted.stopped();
  }

  /** The agent has ended a turn with this reason. */
  answered(running: RunningTurn, answered: string): TurnEnding {
    const { agentName } = this.store.view;
    if (answered === 'end_turn' && !running.stop && running.failure.isReported) {
      if (running.failure.isCutOff) {
        running.failure.release();
        return this.answered(running, 'max_tokens');
      }
      return this.failed(running, new ResponseError(errorCodes.internal, running.failure.text));
    }
    const stopReason = reasonOf(answered, running.stop !== undefined);
    const outcome = this.end(running, { by: 'stopReason', stopReason });
    if (stopReason === 'refusal') {
      const id = promptEntryId(running.turn);
      this.store.apply([{ op: 'patch', id, kind: 'user_message', fields: { state: 'refused' } }]);
    }
    const byUser = running.stop !== undefined;
    const isSilent =
      !byUser && !running.isUnprompted && this.store.transcript.order.at(-1) === promptEntryId(running.turn);
    const isRejected = wasRejected(this.store.transcript, running.turn);
    const words = stopReasonWords(agentName, stopReason, { byUser, isSilent, isRejected });
    if (words) this.store.appendNotice(words.severity, words.title, running.turn, words.description);
    this.summarize({ running, outcome });
    return 'answered';
  }

  /** A turn has failed, or its prompt was refused. */
  failed(running: RunningTurn, error: unknown): TurnEnding {
    // The exit of the process follows and explains more.
    if (error instanceof ConnectionClosedError) return 'failed';
    if (running.stop !== undefined || isRequestCancelled(error)) return this.answered(running, 'cancelled');
    running.failure.dropIfIn(error);
    const outcome = this.end(running, { by: 'failure' });
    if (isAuthRequired(error)) return 'loginRequired';
    const said = saidAsError(this.store.transcript, running.turn, error);
    if (said !== undefined) this.store.apply([{ op: 'truncate', from: said }]);
    const failure = withBeginning(
      turnFailure(this.store.view, error, this.store.now()),
      this.store.transcript,
      running.turn,
    );
    this.store.appendFailure(
      redactFailure(failure, (text) => running.channel.redact(text)),
      running.turn,
    );
    this.summarize({ running, outcome });
    return 'failed';
  }

  /**
   * The agent has disconnected. Returns the turn that this ended, which has no summary yet. If the agent has failed, so
   * has the turn.
   */
  disconnected(hasFailed: boolean): EndedTurn | undefined {
    this.openChannel = undefined;
    const { runningTurn: running } = this;
    const ended = running && { running, outcome: this.end(running, { by: 'failure', isLost: !hasFailed }) };
    this.store.apply(reduceIdleEnd(this.store.transcript, this.speakers.turns.current, this.store.now()));
    this.nothingRuns();
    return ended;
  }

  /** Nothing that the agent did without a turn continues: it has disconnected, or a replay begins. */
  nothingRuns(): void {
    this.unprompted.reset();
    this.store.work.end();
  }

  /** Adds the summary of a turn to its last entry, so call it when the transcript says why the turn ended. */
  summarize({ running, outcome }: EndedTurn): void {
    const { store } = this;
    const { usage, isReported } = running.tally;
    const { agentId, spent } = store.view;
    const tokens = usage && isReported ? this.totals.turnOf(usage, agentId, spent) : usage;
    store.apply(summarizeTurn(store.transcript, running, { at: store.now(), outcome, tokens }));
  }

  dispose(): void {
    this.unprompted.dispose();
    this.runningTurn?.stop?.dispose();
    this.runningTurn = undefined;
    this.openChannel = undefined;
  }

  private showActivity(): void {
    this.store.showActivity(this.questions.count, this.activity);
  }

  private end(running: RunningTurn, end: TurnEnd): TurnOutcome {
    this.runningTurn = undefined;
    const byUser = running.stop !== undefined;
    const isRejected = end.by === 'stopReason' && wasRejected(this.store.transcript, running.turn);
    const isCancelled = end.by === 'stopReason' && end.stopReason === 'cancelled';
    const outcome = outcomeOf(end, byUser || (isRejected && isCancelled));
    this.endedTurns = { count: this.endedTurns.count + 1, last: outcome, isRejected: isRejected && !byUser };
    const { store } = this;
    for (const update of [...(running.echo?.release() ?? []), ...running.failure.release()]) {
      store.reduce(update, running.turn);
    }
    running.stop?.dispose();
    const staysOpen = (entry: EntryId) =>
      this.questions.isOpenIn(entry) || (end.by !== 'failure' && store.work.isReported(entry));
    store.apply(reduceTurnEnd(store.transcript, running.turn, end, staysOpen, store.now()));
    this.questions.refuses = false;
    this.speakers.endTurn();
    this.unprompted.limitBackground();
    const open = this.questions.count > 0;
    const activity = open ? ({ state: 'requires_action', since: store.now() } as const) : ({ state: 'idle' } as const);
    store.setView({ activity, ...noRetry(store.view) });
    return outcome;
  }
}

function noRetry({ retry }: SessionView): Partial<SessionView> {
  return retry ? { retry: '' } : {};
}
