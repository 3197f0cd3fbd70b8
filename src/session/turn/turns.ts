import * as l10n from '@vscode/l10n';
import { ResponseError } from '../../acp/base/errors';
import type { SessionChannel } from '../../acp/shape/sessionChannel';
import type { SessionUpdate, StateUpdate } from '../../acp/shape/sessionUpdate';
import type { IDisposable } from '../../shared/values/disposable';
import type { BudgetUse } from '../../shared/amounts/budget';
import { goalOfMessage } from '../../shared/transcript/goal';
import type { Prompt, Transcript } from '../../shared/transcript/transcript';
import { AgentNotes } from './agentNotes';
import { BudgetGate } from './budgetGate';
import { CurrentTurn, type TurnEnding } from './currentTurn';
import { Echo } from './echo';
import { InsertedPrompts } from './insertedPrompts';
import { noticeForSkipped } from './skippedNotice';
import { PromptQueue } from './promptQueue';
import { contentOf } from '../transcript/promptParts';
import type { Questions } from '../questions/questions';
import type { EndedTurn, RunningTurn, TurnEvents } from './runningTurn';
import { ShownPrompts } from './shownPrompts';
import { showSteered, steer } from './steering';
import { withoutSummary } from './summarizeTurn';
import type { Schedule } from './stopWait';
import type { Speakers } from '../transcript/speakers';
import type { TranscriptStore } from '../transcript/transcriptStore';

/**
 * The user's messages on their way to the agent of one session (https://agentclientprotocol.com/protocol/prompt-turn).
 * At most one prompt is with the agent; the others wait here, unless the agent adds prompts to a running turn by itself.
 * A prompt sent before the session is ready is shown immediately and sent when it is.
 */
export class Turns implements IDisposable {
  /** The running turn, and the turns before it. */
  readonly current: CurrentTurn;
  readonly queue: PromptQueue;
  /** The messages as the transcript shows them. */
  readonly prompts: ShownPrompts;
  /** What the agent is told with the next message. */
  readonly notes = new AgentNotes();
  private readonly gate: BudgetGate;
  private readonly store: TranscriptStore;
  private readonly speakers: Speakers;
  private readonly questions: Questions;
  private readonly events: TurnEvents;
  private readonly schedule: Schedule;
  private readonly inserted: InsertedPrompts;
  /** Whether the agent has last said that it is at work. */
  private isAgentBusy = false;
  /** After a login, nothing is sent until the user says so. */
  private isHeld = false;
  /** The agent refused the last prompt because it requires a login, and nothing was sent since. */
  private isRefused = false;
  /** The queued message that was shown but not sent when a replay started. */
  private requeuedId: string | undefined;
  /** The agent replays the conversation, so that messages wait below it until the session is open. */
  private isReplaying = false;

  constructor(
    store: TranscriptStore,
    speakers: Speakers,
    questions: Questions,
    options: { readonly schedule: Schedule; readonly events: TurnEvents },
  ) {
    this.store = store;
    this.speakers = speakers;
    this.questions = questions;
    this.events = options.events;
    this.schedule = options.schedule;
    this.current = new CurrentTurn(store, speakers, questions, options.schedule);
    this.queue = new PromptQueue(store);
    this.gate = new BudgetGate(store);
    this.prompts = new ShownPrompts(store, speakers);
    this.inserted = new InsertedPrompts(store, speakers, this, this.current);
  }

  get isRunning(): boolean {
    return this.current.running !== undefined;
  }

  /** Whether there is a message that the agent hasn't received, or refused because it requires a login. */
  get waits(): boolean {
    return this.prompts.unsent !== undefined || this.isRefused || !this.queue.isEmpty;
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

  /** Sends a message, or lets it wait: at the end of the queue, or after the messages that were before it when the user took it out. */
  send(prompt: Prompt, after?: readonly string[]): void {
    const { queue, prompts } = this;
    const { channel, running } = this.current;
    if (!this.gate.isOpen) {
      queue.add(prompt, after);
      this.gate.ask();
    } else if (this.isHeld && channel && !running) {
      queue.add(prompt, after);
      this.release();
    } else if (
      running ||
      this.isReplaying ||
      prompts.unsent !== undefined ||
      (!queue.isEmpty && !queue.isHeld && !channel)
    ) {
      const id = queue.add(prompt, after);
      if (running) this.insert(running, id);
    } else if (!queue.isEmpty && !queue.isHeld) {
      // A failed turn held the queue, so this message goes behind the waiting ones.
      queue.add(prompt, after);
      this.sendNext();
    } else if (channel) this.showAndSend(channel, prompt);
    else prompts.showUnsent(prompt);
  }

  /**
   * Sends what the user wrote with an answer: into the running turn if the agent takes messages there, otherwise as the next message, before
   * those that wait. Never rejects.
   */
  async reply(prompt: Prompt): Promise<void> {
    const { running } = this.current;
    if (!running) {
      this.send(prompt);
      return;
    }
    const id = this.queue.addFirst(prompt);
    this.queue.release(id);
    // The answer is on its way by then. The turn may have ended, and the message been sent as the next one.
    await new Promise<void>((resolve) => void this.schedule(0, resolve));
    if (this.current.running === running) await this.steer(id);
  }

  /** Sends the message that waits because a budget is used up, now or after the running turn. */
  sendAnyway(): void {
    const { gate, queue, prompts } = this;
    if (!gate.asks) return;
    gate.allowNext();
    const { running } = this.current;
    const { next } = queue;
    if (!running) this.release();
    else if (next && prompts.unsent === undefined) this.insert(running, next.id);
  }

  /** Shows how much of the user's budgets is used. A message that waited because of them is sent if it no longer has to wait. */
  setBudgets(budgets: readonly BudgetUse[]): void {
    this.gate.setBudgets(budgets);
    if (!this.gate.asks || !this.gate.isOpen) return;
    this.gate.withdraw();
    if (!this.isHeld) this.flush();
  }

  /** Stops the running turn to send one of the waiting messages next. */
  sendNow(id: string): void {
    // The user has just seen that a budget is used up.
    if (this.gate.asks) this.gate.allowNext();
    this.queue.move(id, 0);
    this.queue.release(id);
    this.isHeld = false;
    if (this.isRunning) this.current.stop();
    else this.sendNext();
  }

  /** Holds the queue because the user stopped the turn it was waiting for. */
  holdQueue(): void {
    this.queue.hold();
  }

  /** Sends the messages that the user held, now or after the running turn. */
  resumeQueue(): void {
    this.queue.resume();
    if (!this.isHeld && this.prompts.unsent === undefined) this.sendNext();
  }

  /** Steers a waiting message into the running turn if the agent supports it; otherwise the message keeps waiting. */
  async steer(id: string): Promise<void> {
    const { store, queue, events } = this;
    const { running } = this.current;
    if (!running || running.stop) return;
    if (!this.passes()) return;
    if (running.channel.insertsPrompts) {
      this.insert(running, id);
      return;
    }
    if (running.channel.drainsQueue) {
      queue.join(id);
      return;
    }
    await steer({ store, queue, running, events }, id, () => (this.isRunning ? undefined : this.speakers));
    if (!queue.has(id)) this.gate.passed();
    // The turn may have ended in the meantime.
    if (!this.isHeld) this.sendNext();
  }

  /** The agent asks for messages to add to the running turn. Returns the texts, which are then part of the conversation. */
  takeJoining(): readonly string[] {
    const { running } = this.current;
    if (!running || running.stop) return [];
    // The agent ends its turn after a rejection. It would remember the messages and not answer them, so they are sent as the next ones.
    if (hasRejected(this.store.transcript, running.turn)) return [];
    return this.queue.takeJoining().map((prompt) => {
      showSteered(this.store, prompt, running.turn);
      return prompt.text;
    });
  }

  /** Sends the last message again, in front of the waiting ones. */
  sendAgain(): void {
    const { isRunning, prompts } = this;
    if (isRunning) this.isHeld = false;
    // A message held only because of a login is sent from the queue.
    const isQueued = this.queue.has(this.requeuedId) || (this.isHeld && !this.isRefused && !this.queue.isEmpty);
    if (isRunning || (prompts.unsent !== undefined && !this.isHeld)) return;
    if (prompts.unsent === undefined && !isQueued) {
      if (prompts.last === undefined || this.isReplaying) return;
      prompts.showUnsent(prompts.last);
    }
    this.release();
  }

  /** The session is open, so the waiting messages are sent. */
  ready(channel: SessionChannel): void {
    this.isReplaying = false;
    this.current.connected(channel);
    // The agent was at work already when the session was opened.
    if (this.isAgentBusy && !this.isRunning && this.prompts.unsent === undefined) {
      this.current.beginUnprompted(channel);
      // Only the connection was cut off.
      this.store.apply(withoutSummary(this.store.transcript, this.speakers.turns.current));
    }
    this.flush();
  }

  /**
   * The agent has disconnected. Unsent messages are kept. Returns the turn that this ended, which has no summary yet. If
   * the agent has failed, so has the turn.
   */
  disconnected(hasFailed: boolean): EndedTurn | undefined {
    this.isAgentBusy = false;
    this.isReplaying = false;
    this.inserted.disconnected();
    return this.current.disconnected(hasFailed);
  }

  /** Call before a replay empties the transcript: until the session is open, messages wait in the queue. */
  replayBegins(): void {
    this.isReplaying = true;
    this.beforeReplay();
  }

  /** Call before a replay is added to the transcript: a shown but unsent message moves to the queue. */
  beforeReplay(): void {
    this.current.nothingRuns();
    this.inserted.reset();
    const prompt = this.prompts.takeUnsent();
    if (prompt === undefined) return;
    this.requeuedId = this.queue.addFirst(prompt);
    this.queue.release(this.requeuedId);
  }

  /** Stops the running turn for the user. Waiting messages must not start in its place. */
  cancel(): void {
    const { current, prompts, queue, store } = this;
    if (current.running || prompts.unsent !== undefined) queue.hold();
    if (current.running) {
      current.stop();
      return;
    }
    this.questions.cancelAll('turn'); // Questions that outlived their turn.
    if (!this.inserted.isEmpty) {
      queue.hold();
      current.channel?.cancel();
    }
    if (prompts.takeUnsent() === undefined) return;
    if (queue.isEmpty) this.gate.withdraw();
    this.speakers.endTurn();
    const description = l10n.t('The message wasn’t sent.');
    store.appendNotice('info', l10n.t('Stopped'), this.speakers.turns.current, description);
  }

  /** Returns the updates to show while the turn is running. */
  filter(update: SessionUpdate): readonly SessionUpdate[] {
    const { running, channel } = this.current;
    const heard = running ? running.failure.filter(update) : [update];
    if (channel?.insertsPrompts) return heard.flatMap((one) => this.inserted.filter(one));
    const { echo } = running ?? {};
    return echo ? heard.flatMap((one) => echo.filter(one)) : heard;
  }

  /** Handles what the agent says about its state. */
  agentSaid({ state, stopReason, usage, error, background }: StateUpdate): void {
    const { running, channel } = this.current;
    if (background) this.store.setBackground(background);
    this.isAgentBusy = state !== 'idle';
    if (this.isAgentBusy) {
      if (running) running.isStarted = true;
      // The agent begins with a message that it had, or by itself.
      else if (channel && !this.inserted.placeFirst()) this.current.beginUnprompted(channel);
      return;
    }
    // A snapshot of an idle agent, or one from before it began with the prompt.
    if (!running || !(running.isStarted || running.stop)) return;
    running.tally.answered(usage);
    if (stopReason === 'error' && !running.stop) {
      const { code, message, data } = error ?? { code: 0, message: '' };
      this.ended(this.current.failed(running, new ResponseError(code, message, data)));
    } else this.ended(this.current.answered(running, stopReason ?? 'end_turn'));
  }

  dispose(): void {
    this.current.dispose();
    this.prompts.takeUnsent();
  }

  /** Returns whether a message can be sent now. Otherwise, the user is asked. */
  private passes(): boolean {
    if (this.gate.isOpen) return true;
    this.gate.ask();
    return false;
  }

  private flush(): void {
    const { channel } = this.current;
    if (this.isHeld || !channel || this.isRunning) return;
    if (this.prompts.unsent !== undefined && !this.passes()) return;
    const prompt = this.prompts.takeUnsent();
    if (prompt === undefined) this.sendNext();
    else this.dispatch(channel, prompt);
  }

  private sendNext(): void {
    const { channel } = this.current;
    if (!channel || this.isRunning || !this.queue.next || !this.passes()) return;
    const next = this.queue.take();
    if (next) this.showAndSend(channel, next);
  }

  private showAndSend(channel: SessionChannel, prompt: Prompt): void {
    const told = this.notes.addTo(prompt);
    this.prompts.show(told);
    this.dispatch(channel, told);
  }

  private dispatch(channel: SessionChannel, prompt: Prompt): void {
    const isInserted = channel.insertsPrompts === true;
    const echo = isInserted ? undefined : new Echo(prompt.text);
    const running = this.current.begin(channel, { echo, isStarted: !isInserted });
    this.isRefused = false;
    this.gate.passed();
    const goal = this.store.view.canSetGoal ? goalOfMessage(prompt.text) : undefined;
    if (goal) this.store.setView({ goal });
    this.events.onSent();
    const sent = isInserted
      ? this.inserted.begin(running, prompt)
      : channel.prompt(contentOf(prompt), noticeForSkipped(this.store, running.turn));
    sent.catch((error: unknown) => {
      if (this.current.running === running) this.ended(this.current.failed(running, error));
    });
  }

  /** Gives a waiting message to an agent that adds it to the running turn, or to its next one, when it can. */
  private insert(running: RunningTurn, id: string): void {
    if (this.isHeld || !running.channel.insertsPrompts || running.stop || !this.passes()) return;
    this.gate.passed();
    void this.inserted.insert(running, id).then((outcome) => {
      if (outcome === 'loginRequired') this.requireLogin(false);
      else if (outcome === 'waiting' && !this.isHeld) this.sendNext();
    });
  }

  private ended(ending: TurnEnding): void {
    if (ending === 'loginRequired') this.requireLogin(true);
    else if (ending === 'answered' && !this.isHeld) this.sendNext();
  }

  private requireLogin(isRefused: boolean): void {
    this.hold(isRefused);
    this.events.onLoginRequired();
  }
}

/** Returns whether a request of a turn was rejected. */
function hasRejected({ order, entries }: Transcript, turn: number): boolean {
  return order.some((id) => {
    const call = entries.get(id);
    if (call?.kind !== 'tool_call' || call.turn !== turn) return false;
    return call.permission.state === 'answered' && call.permission.option.kind.startsWith('reject');
  });
}
