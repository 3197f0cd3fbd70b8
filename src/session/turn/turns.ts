import * as l10n from '@vscode/l10n';
import {
  ConnectionClosedError,
  errorCodes,
  isAuthRequired,
  isRequestCancelled,
  ResponseError,
} from '../../acp/base/errors';
import type { SessionChannel } from '../../acp/shape/sessionChannel';
import type { SessionUpdate, StateUpdate } from '../../acp/shape/sessionUpdate';
import type { IDisposable } from '../../shared/disposable';
import { canStop, lateWorkOf } from '../../shared/lateWork';
import type { EntryId, MessageId } from '../../shared/ids';
import { modelName } from '../../shared/modelName';
import type { Prompt, Stopping } from '../../shared/transcript';
import type { TokenCounts } from '../../shared/turnUsage';
import {
  reduceCallsEnd,
  reduceCancel,
  reduceExitedCalls,
  reduceIdleEnd,
  outcomeOf,
  reduceTurnEnd,
  reasonOf,
  stopReasonWords,
  wasRejected,
  type EndedTurns,
  type TurnEnd,
  type TurnOutcome,
} from '../update/closeTurn';
import { Echo } from './echo';
import { FailureText } from './failureText';
import { promptEntryId, singleEntryId } from '../update/entryIds';
import { promptFailed, redactFailure } from '../failures';
import { Insertions, type Insertion } from './insertions';
import { noticeForSkipped } from './skippedNotice';
import { PromptQueue } from './promptQueue';
import { RequestTally } from './requestTally';
import { contentOf } from '../transcript/promptParts';
import type { Questions } from '../questions/questions';
import type { EndedTurn, RunningTurn, TurnEvents } from './runningTurn';
import { steer } from './steering';
import { costOf, summarizeTurn, withoutSummary } from './summarizeTurn';
import { StopWait, type Schedule } from './stopWait';
import { lastPrompt } from '../transcript/storedSession';
import { Unprompted } from './unprompted';
import { reduceSubagentsEnd } from '../update/reduceSubagent';
import { titleOf } from '../update/title';
import type { Speakers } from '../transcript/speakers';
import type { TranscriptStore } from '../transcript/transcriptStore';

/**
 * The turns of one session (https://agentclientprotocol.com/protocol/prompt-turn). At most one prompt is with the
 * agent; the others wait here, unless the agent adds prompts to a running turn by itself. A prompt sent before the session
 * is ready is shown immediately and sent when it is.
 */
export class Turns implements IDisposable {
  private readonly store: TranscriptStore;
  private readonly speakers: Speakers;
  private readonly questions: Questions;
  private readonly schedule: Schedule;
  private readonly events: TurnEvents;
  private channel: SessionChannel | undefined;
  private running: RunningTurn | undefined;
  /** Shown, but not sent yet. */
  private unsent: Prompt | undefined;
  private lastPrompt: Prompt | undefined;
  readonly queue: PromptQueue;
  private readonly unprompted: Unprompted;
  /** The prompts that the agent hasn't added to the conversation yet, if it says when it does. */
  private readonly insertions: Insertions;
  /** Whether the agent has last said that it is at work. */
  private isAgentBusy = false;
  /** After a login, nothing is sent until the user says so. */
  private isHeld = false;
  /** The agent refused the last prompt because it requires a login, and nothing was sent since. */
  private isRefused = false;
  private endedTurns: EndedTurns = { count: 0, last: undefined };
  /** The queued message that was shown but not sent when a replay started. */
  private requeuedId: string | undefined;

  constructor(
    store: TranscriptStore,
    speakers: Speakers,
    questions: Questions,
    options: { readonly schedule: Schedule; readonly events: TurnEvents },
  ) {
    this.store = store;
    this.speakers = speakers;
    this.questions = questions;
    this.schedule = options.schedule;
    this.events = options.events;
    this.lastPrompt = lastPrompt(store.transcript);
    this.queue = new PromptQueue(store);
    this.unprompted = new Unprompted(store, options.schedule);
    this.insertions = new Insertions(speakers.turns);
  }

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** The turns that have ended in this window. Nothing that was restored or replayed counts. */
  get ended(): EndedTurns {
    return this.endedTurns;
  }

  /** The entry of a shown message that the agent hasn't received. */
  get unsentEntry(): EntryId | undefined {
    return this.unsent === undefined ? undefined : promptEntryId(this.speakers.turns.current);
  }

  /** When the running turn started, in milliseconds since the epoch, and whether it is being stopped. */
  get activity(): { readonly since: number; readonly stop?: Stopping } | undefined {
    if (!this.running) return undefined;
    const { since, stop } = this.running;
    return stop ? { since, stop: stop.state } : { since };
  }

  /** Whether there is a message that the agent hasn't received, or refused because it requires a login. */
  get waits(): boolean {
    return this.unsent !== undefined || this.isRefused || !this.queue.isEmpty;
  }

  /** Holds all messages until the user says so; with `isRefused`, the last message will be sent again. */
  hold(isRefused: boolean): void {
    this.isHeld = true;
    this.isRefused ||= isRefused;
  }

  /** Sends the waiting messages, now or when the session is open. */
  release(): void {
    this.isHeld = false;
    this.flush();
  }

  send(prompt: Prompt): void {
    const { queue } = this;
    if (this.isHeld && this.channel && !this.running) {
      queue.add(prompt);
      this.release();
    } else if (this.running || this.unsent !== undefined || (!queue.isEmpty && !queue.isHeld && !this.channel)) {
      const id = queue.add(prompt);
      if (this.running) this.insert(this.running, id);
    } else if (!queue.isEmpty && !queue.isHeld) {
      // A failed turn held the queue, so this message goes behind the waiting ones.
      queue.add(prompt);
      this.sendNext();
    } else {
      this.show(prompt);
      if (this.channel) this.dispatch(this.channel, prompt);
      else this.unsent = prompt;
    }
  }

  /** Stops the running turn to send one of the waiting messages next. */
  sendNow(id: string): void {
    this.queue.move(id, 0);
    this.queue.release(id);
    this.isHeld = false;
    if (this.running) this.stop(this.running);
    else this.sendNext();
  }

  /** Holds the queue because the user stopped the turn it was waiting for. */
  holdQueue(): void {
    this.queue.hold();
  }

  /** Sends the messages that the user held, now or after the running turn. */
  resumeQueue(): void {
    this.queue.resume();
    if (!this.isHeld && this.unsent === undefined) this.sendNext();
  }

  /** Steers a waiting message into the running turn if the agent supports it; otherwise the message keeps waiting. */
  async steer(id: string): Promise<void> {
    const { store, queue, running, events } = this;
    if (!running || running.stop) return;
    if (running.channel.insertsPrompts) {
      this.insert(running, id);
      return;
    }
    await steer({ store, queue, running, events }, id, () => (this.running ? undefined : this.speakers));
    // The turn may have ended in the meantime.
    if (!this.isHeld) this.sendNext();
  }

  /** Sends the last message again, in front of the waiting ones. */
  sendAgain(): void {
    if (this.running) this.isHeld = false;
    // A message held only because of a login is sent from the queue.
    const isQueued = this.queue.has(this.requeuedId) || (this.isHeld && !this.isRefused && !this.queue.isEmpty);
    if (this.running || (this.unsent !== undefined && !this.isHeld)) return;
    if (this.unsent === undefined && !isQueued) {
      if (this.lastPrompt === undefined) return;
      this.unsent = this.lastPrompt;
      this.show(this.unsent);
    }
    this.release();
  }

  /** The session is open, so the waiting messages are sent. */
  ready(channel: SessionChannel): void {
    this.channel = channel;
    // The agent was at work already when the session was opened.
    if (this.isAgentBusy && !this.running && this.unsent === undefined) {
      this.beginUnprompted(channel);
      // Only the connection was cut off.
      this.store.apply(withoutSummary(this.store.transcript, this.speakers.turns.current));
    }
    this.flush();
  }

  /** Adds a notice about the earlier conversation in front of the message that waits for the agent. */
  noticeBeforeUnsent(title: string, description: string): void {
    const turn = this.speakers.turns.current;
    if (this.unsent === undefined) {
      this.store.appendNotice('info', title, turn, description);
      return;
    }
    const id = singleEntryId('notice', this.store.transcript.rev);
    const entry = { kind: 'notice', id, turn: turn - 1, severity: 'info', title, description } as const;
    this.store.apply([{ op: 'insert', entry, before: promptEntryId(turn) }]);
  }

  /**
   * The agent has disconnected. Unsent messages are kept. Returns the turn that this ended, which has no summary yet. If
   * the agent has failed, so has the turn.
   */
  disconnected(hasFailed: boolean): EndedTurn | undefined {
    this.channel = undefined;
    this.isAgentBusy = false;
    this.forgetOffers();
    const { running } = this;
    const ended = running && { running, outcome: this.end(running, { by: 'failure', isLost: !hasFailed }) };
    this.store.apply(reduceIdleEnd(this.store.transcript, this.speakers.turns.current, this.store.now()));
    this.unprompted.reset();
    this.store.work.end();
    return ended;
  }

  /** Adds the summary of a turn to its last entry, so call it when the transcript says why the turn ended. */
  summarize({ running, outcome }: EndedTurn): void {
    const { store } = this;
    store.apply(summarizeTurn(store.transcript, running, { at: store.now(), outcome, tokens: running.tally.usage }));
  }

  /** Counts a request to a model, by the agent or by a subagent. Those of a replay were counted before. */
  heardRequest(counts: TokenCounts | undefined, isOwn: boolean): void {
    if (counts) this.running?.tally.add(counts, isOwn);
  }

  /** Call before a replay empties the transcript: a shown but unsent message moves to the queue. */
  beforeReplay(): void {
    this.unprompted.reset();
    this.insertions.reset();
    this.store.work.end();
    const prompt = this.unsent;
    this.unsent = undefined;
    if (prompt === undefined) return;
    this.requeuedId = this.queue.addFirst(prompt);
    this.queue.release(this.requeuedId);
  }

  /** Stops the running turn for the user. Waiting messages must not start in its place. */
  cancel(): void {
    const { running } = this;
    if (running || this.unsent !== undefined) this.queue.hold();
    if (!running) {
      this.questions.cancelAll('turn'); // Questions that outlived their turn.
      if (!this.insertions.isEmpty) {
        this.queue.hold();
        this.channel?.cancel();
      }
      if (this.unsent === undefined) return;
      this.unsent = undefined;
      this.speakers.endTurn();
      this.store.appendNotice(
        'info',
        l10n.t('Stopped'),
        this.speakers.turns.current,
        l10n.t('The message wasn’t sent.'),
      );
      return;
    }
    this.stop(running);
  }

  private stop(running: RunningTurn): void {
    if (running.stop) return;
    running.stop = new StopWait(this.store.now(), this.schedule, () => this.showActivity());
    this.showActivity();
    running.channel.cancel();
    this.questions.refuses = true;
    this.questions.cancelAll('turn', (entry) => !this.store.work.isReported(entry));
    const staysOpen = (entry: EntryId) => this.store.work.isReported(entry);
    this.store.apply(reduceCancel(this.store.transcript, running.turn, this.store.now(), staysOpen));
    running.stop.start();
  }

  private showActivity(): void {
    this.store.showActivity(this.questions.count, this.activity);
  }

  /**
   * Stops what the agent does after a turn, as far as that doesn't stop a running turn as well. Subagents with a session
   * of their own are stopped there.
   */
  stopLateWork(): void {
    const { store, channel } = this;
    const { transcript, view } = store;
    const late = lateWorkOf(view).filter(
      (work) => work.kind !== 'command' && work.kind !== 'reported' && canStop(work, view),
    );
    const others = late.filter((work) => work.kind !== 'subagent' || !work.canCancel);
    if (!channel || others.length === 0) return;
    channel.cancel();
    this.questions.cancelAll('turn');
    const now = store.now();
    const ops = reduceCallsEnd(transcript, store.work.openCalls(transcript), now);
    for (const { kind, turn } of others) {
      if (kind === 'subagent') ops.push(...reduceSubagentsEnd(transcript, now, turn));
    }
    this.unprompted.stopped();
    store.apply(ops);
    store.appendNotice('info', l10n.t('Asked {0} to stop', view.agentName), this.speakers.turns.current);
  }

  /** Handles an update that was shown while no turn is running. */
  heardLate(update: SessionUpdate): void {
    if (this.running) return;
    const { transcript, work, now } = this.store;
    if (update.sessionUpdate === 'terminal_update' && update.exit && update.exit !== 'running') {
      this.store.apply(reduceExitedCalls(transcript, work.openCalls(transcript), now()));
    } else if (this.channel?.insertsPrompts) {
      // The agent says when it works.
    } else this.unprompted.heard(update, this.speakers.turns.current);
    this.unprompted.limitBackground();
  }

  /** Gives a cancelled turn more time, as the user asked. */
  keepWaiting(): void {
    this.running?.stop?.keepWaiting();
  }

  /** Returns the updates to show while the turn is running. */
  filter(update: SessionUpdate): readonly SessionUpdate[] {
    const { running } = this;
    const heard = running ? running.failure.filter(update) : [update];
    if (this.channel?.insertsPrompts) return heard.flatMap((one) => this.insertions.filter(one));
    const { echo } = running ?? {};
    return echo ? heard.flatMap((one) => echo.filter(one)) : heard;
  }

  dispose(): void {
    this.unprompted.dispose();
    this.running?.stop?.dispose();
    this.running = undefined;
    this.channel = undefined;
    this.unsent = undefined;
  }

  private flush(): void {
    if (this.isHeld || !this.channel || this.running) return;
    const prompt = this.unsent;
    this.unsent = undefined;
    if (prompt === undefined) this.sendNext();
    else this.dispatch(this.channel, prompt);
  }

  private sendNext(): void {
    if (!this.channel || this.running) return;
    const next = this.queue.take();
    if (!next) return;
    this.show(next);
    this.dispatch(this.channel, next);
  }

  private show(prompt: Prompt): void {
    this.speakers.beginTurn();
    const turn = this.speakers.turns.current;
    this.lastPrompt = prompt;
    const id = promptEntryId(turn);
    this.store.append({ kind: 'user_message', id, turn, content: contentOf(prompt), state: 'sent' });
    if (this.store.view.title === '') this.store.setView({ title: titleOf(prompt.text) });
  }

  private dispatch(channel: SessionChannel, prompt: Prompt): void {
    const isInserted = channel.insertsPrompts === true;
    const running = this.begin(channel, isInserted ? undefined : new Echo(prompt.text), !isInserted, false);
    const { turn } = running;
    this.isRefused = false;
    this.events.onSent();
    const insertion = isInserted ? this.insertions.add(prompt.text, () => (running.isStarted = true)) : undefined;
    channel.prompt(contentOf(prompt), noticeForSkipped(this.store, turn)).then(
      (messageId) => {
        if (insertion && messageId !== undefined && this.channel === channel) this.wasInserted(insertion, messageId);
      },
      (error: unknown) => {
        if (insertion && this.channel === channel) this.showHeld(this.insertions.refused(insertion));
        if (this.running === running) this.failed(running, error);
      },
    );
  }

  /** Begins a turn, for a prompt or because the agent works without one. */
  private begin(
    channel: SessionChannel,
    echo: Echo | undefined,
    isStarted: boolean,
    isUnprompted: boolean,
  ): RunningTurn {
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
    this.running = running;
    this.questions.refuses = false;
    this.unprompted.reset();
    this.store.work.begin();
    const open = this.questions.count > 0;
    this.store.setView({ activity: { state: open ? 'requires_action' : 'running', since: running.since } });
    return running;
  }

  private beginUnprompted(channel: SessionChannel): void {
    this.speakers.resumeTurn();
    this.begin(channel, undefined, true, true);
  }

  /** Gives a waiting message to an agent that adds it to the running turn, or to its next one, when it can. */
  private insert(running: RunningTurn, id: string): void {
    const { channel } = running;
    const { queue, insertions } = this;
    const prompt = queue.all.find((one) => one.id === id);
    if (!channel.insertsPrompts || running.stop || this.isHeld || !prompt || prompt.isOffered) return;
    queue.offer(id);
    const insertion = insertions.add(prompt.text, () => this.placeInserted(channel, id, prompt));
    channel.prompt(contentOf(prompt), noticeForSkipped(this.store, running.turn)).then(
      (messageId) => {
        if (messageId !== undefined && this.channel === channel) this.wasInserted(insertion, messageId);
      },
      (error: unknown) => {
        if (this.channel !== channel || error instanceof ConnectionClosedError) return;
        const isShown = !queue.has(id);
        this.showHeld(insertions.refused(insertion));
        if (isShown) this.notUsed(error);
        else this.notInserted(id, error);
      },
    );
  }

  private wasInserted(insertion: Insertion, messageId: MessageId): void {
    this.showHeld(this.insertions.answered(insertion, this.speakers.claimMessage(messageId)));
  }

  /** Shows a message in the place where the agent has added it: in the running turn, or at the start of another. */
  private placeInserted(channel: SessionChannel, id: string, prompt: Prompt): void {
    this.queue.inserted(id);
    const { running, store } = this;
    if (running) {
      this.lastPrompt = prompt;
      const entryId = singleEntryId('steered', store.transcript.rev);
      store.append({
        kind: 'user_message',
        id: entryId,
        turn: running.turn,
        content: contentOf(prompt),
        state: 'sent',
      });
      return;
    }
    this.show(prompt);
    this.begin(channel, undefined, true, false);
  }

  private notInserted(id: string, error: unknown): void {
    this.queue.withdraw(id);
    if (isAuthRequired(error)) {
      this.hold(false);
      this.events.onLoginRequired();
      return;
    }
    // A message that the user stopped together with its turn waits for them.
    if (!isRequestCancelled(error)) {
      const title = l10n.t('{0} couldn’t add the message to this turn; it stays queued', this.store.view.agentName);
      this.store.appendNotice('warning', title, this.speakers.turns.current);
    }
    if (!this.isHeld) this.sendNext();
  }

  /** A message that was shown because the agent began a turn wasn't what it began with. */
  private notUsed(error: unknown): void {
    const { agentName } = this.store.view;
    const turn = this.speakers.turns.current;
    if (isRequestCancelled(error)) {
      this.store.appendNotice('info', l10n.t('{0} didn’t receive your last message', agentName), turn);
      return;
    }
    this.store.appendFailure(
      redactFailure(promptFailed(agentName, error), (text) => this.channel?.redact(text) ?? text),
      turn,
    );
  }

  /** Nobody knows whether the agent that is gone has used the messages it had, so they wait for the user. */
  private forgetOffers(): void {
    this.insertions.reset();
    const offered = this.queue.all.filter(({ isOffered }) => isOffered);
    for (const { id } of offered) this.queue.withdraw(id);
    if (offered.length > 0) this.queue.hold();
  }

  private showHeld(updates: readonly SessionUpdate[]): void {
    for (const update of updates) this.speakers.show(update);
  }

  /** Handles what the agent says about its state. */
  agentSaid({ state, stopReason, usage, error, background }: StateUpdate): void {
    const { running, channel } = this;
    if (background) this.store.setBackground(background);
    this.isAgentBusy = state !== 'idle';
    if (this.isAgentBusy) {
      if (running) running.isStarted = true;
      // The agent begins with a message that it had, or by itself.
      else if (channel && !this.insertions.placeFirst()) this.beginUnprompted(channel);
      return;
    }
    // A snapshot of an idle agent, or one from before it began with the prompt.
    if (!running || !(running.isStarted || running.stop)) return;
    running.tally.answered(usage);
    if (stopReason === 'error' && !running.stop) {
      const { code, message, data } = error ?? { code: 0, message: '' };
      this.failed(running, new ResponseError(code, message, data));
    } else this.answered(running, stopReason ?? 'end_turn');
  }

  private answered(running: RunningTurn, answered: string): void {
    const { agentName } = this.store.view;
    if (answered === 'end_turn' && !running.stop && running.failure.isReported) {
      this.failed(running, new ResponseError(errorCodes.internal, running.failure.text));
      return;
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
    if (!this.isHeld) this.sendNext();
  }

  private failed(running: RunningTurn, error: unknown): void {
    // The exit of the process follows and explains more.
    if (error instanceof ConnectionClosedError) return;
    if (running.stop !== undefined || isRequestCancelled(error)) {
      this.answered(running, 'cancelled');
      return;
    }
    running.failure.dropIfIn(error);
    const outcome = this.end(running, { by: 'failure' });
    if (isAuthRequired(error)) {
      this.hold(true);
      this.events.onLoginRequired();
      return;
    }
    const failure = promptFailed(this.store.view.agentName, error);
    this.store.appendFailure(
      redactFailure(failure, (text) => running.channel.redact(text)),
      running.turn,
    );
    this.summarize({ running, outcome });
  }

  private end(running: RunningTurn, end: TurnEnd): TurnOutcome {
    this.running = undefined;
    const isRejected =
      end.by === 'stopReason' && end.stopReason === 'cancelled' && wasRejected(this.store.transcript, running.turn);
    const outcome = outcomeOf(end, running.stop !== undefined || isRejected);
    this.endedTurns = { count: this.endedTurns.count + 1, last: outcome };
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
    store.setView({ activity: open ? { state: 'requires_action', since: store.now() } : { state: 'idle' } });
    return outcome;
  }
}
