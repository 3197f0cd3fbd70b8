import * as l10n from '@vscode/l10n';
import { ConnectionClosedError, isAuthRequired, isRequestCancelled } from '../acp/errors';
import type { SessionUpdate } from '../acp/sessionUpdate';
import type { V1Updates } from '../acp/v1';
import type { IDisposable } from '../shared/disposable';
import type { EntryId } from '../shared/ids';
import { planCancel, planTurnEnd, stopReasonWords, type TurnEnd } from './closeTurn';
import { Echo } from './echo';
import { promptEntryId, singleEntryId } from './entryIds';
import { authRequired, promptFailed, redactFailure, stopNotHeard } from './failures';
import type { Questions } from './questions';
import type { SessionChannel } from './sessionChannel';
import { lastPrompt } from './storedSession';
import { titleOf } from './title';
import type { TranscriptStore } from './transcriptStore';

/** Calls `action` once after `ms` milliseconds unless the returned disposable is disposed first. */
export type Schedule = (ms: number, action: () => void) => IDisposable;

/** How long an agent may take to end a cancelled turn before the user is asked about its process, in milliseconds. */
export const cancelGrace = 10_000;

/** A message that is on screen and in the hands of the agent. */
interface RunningTurn {
  readonly turn: number;
  readonly text: string;
  readonly since: number;
  readonly channel: SessionChannel;
  readonly echo: Echo;
  cancelledAt: number | undefined;
  grace: IDisposable | undefined;
  stopNotHeard: EntryId | undefined;
}

/** Names of the login methods that the session's agent offers, for the words of a failure. */
export type LoginMethods = () => readonly string[];

/**
 * The turns of one session (https://agentclientprotocol.com/protocol/prompt-turn): at most one prompt is with the agent, the
 * others wait here. A prompt that is sent before the session is ready is shown at once and sent when it is.
 */
export class Turns implements IDisposable {
  private readonly store: TranscriptStore;
  private readonly updates: V1Updates;
  private readonly questions: Questions;
  private readonly schedule: Schedule;
  private readonly loginMethods: LoginMethods;
  private channel: SessionChannel | undefined;
  private running: RunningTurn | undefined;
  /** Shown, but not sent yet. */
  private unsent: string | undefined;
  private lastPrompt: string | undefined;
  private queued = 0;

  constructor(
    store: TranscriptStore,
    updates: V1Updates,
    questions: Questions,
    options: { readonly schedule: Schedule; readonly loginMethods: LoginMethods },
  ) {
    this.store = store;
    this.updates = updates;
    this.questions = questions;
    this.schedule = options.schedule;
    this.loginMethods = options.loginMethods;
    this.lastPrompt = lastPrompt(store.transcript);
    this.queued = store.view.queue.reduce((most, { id }) => Math.max(most, Number(id.split(':')[1] ?? 0)), 0);
  }

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Milliseconds since the epoch when the running turn began. */
  get since(): number | undefined {
    return this.running?.since;
  }

  send(text: string): void {
    const { queue } = this.store.view;
    if (this.running || this.unsent !== undefined || (queue.length > 0 && !this.channel)) {
      this.enqueue(text);
    } else if (queue.length > 0) {
      // A failed turn held the queue; this message goes behind it.
      this.enqueue(text);
      this.sendNext();
    } else {
      this.show(text);
      if (this.channel) this.dispatch(this.channel, text);
      else this.unsent = text;
    }
  }

  removeQueued(id: string): string | undefined {
    const { queue } = this.store.view;
    const found = queue.find((prompt) => prompt.id === id);
    if (found) this.store.setView({ queue: queue.filter((prompt) => prompt !== found) });
    return found?.text;
  }

  /** The last message once more; it stands in front of what waits. */
  sendAgain(): void {
    if (this.lastPrompt === undefined || this.running || this.unsent !== undefined) return;
    const text = this.lastPrompt;
    this.show(text);
    if (this.channel) this.dispatch(this.channel, text);
    else this.unsent = text;
  }

  /** The session is open: what waited goes out. */
  ready(channel: SessionChannel): void {
    this.channel = channel;
    const text = this.unsent;
    this.unsent = undefined;
    if (text === undefined) this.sendNext();
    else this.dispatch(channel, text);
  }

  /** A remark about what was said before, in front of the message that waits for the agent. */
  noticeBeforeUnsent(title: string, description: string): void {
    const { turn } = this.updates;
    if (this.unsent === undefined) {
      this.store.appendNotice('info', title, turn, description);
      return;
    }
    const id = singleEntryId('notice', this.store.transcript.rev);
    const entry = { kind: 'notice', id, turn: turn - 1, severity: 'info', title, description } as const;
    this.store.apply([{ op: 'insert', entry, before: promptEntryId(turn) }]);
  }

  /** The agent is gone. What was not sent yet is kept. */
  disconnected(): void {
    this.channel = undefined;
    const { running } = this;
    if (running) this.end(running, { by: 'failure' });
  }

  /** The transcript is about to be emptied for a replay: a message that is shown but not sent waits in the queue instead. */
  beforeReplay(): void {
    const text = this.unsent;
    this.unsent = undefined;
    if (text === undefined) return;
    this.queued += 1;
    const first = { id: `queued:${this.queued}`, text };
    this.store.setView({ queue: [first, ...this.store.view.queue] });
  }

  cancel(): void {
    const { running } = this;
    if (!running) {
      if (this.unsent === undefined) return;
      this.unsent = undefined;
      this.updates.endTurn();
      this.store.appendNotice('info', l10n.t('Turn cancelled'), this.updates.turn, l10n.t('The message was not sent.'));
      return;
    }
    if (running.cancelledAt !== undefined) return;
    running.cancelledAt = this.store.now();
    running.channel.cancel();
    this.questions.refuses = true;
    this.questions.cancelAll();
    this.store.apply(planCancel(this.store.transcript, running.turn, this.store.now()));
    this.waitForEnd(running);
  }

  /** The user gives a cancelled turn more time. */
  keepWaiting(): void {
    const { running } = this;
    if (running?.stopNotHeard === undefined) return;
    this.answerStopNotHeard(running, l10n.t('Waiting for {0} to stop', this.store.view.agentName));
    this.waitForEnd(running);
  }

  /** What of an update is to be shown while the turn runs. */
  filter(update: SessionUpdate): readonly SessionUpdate[] {
    return this.running ? this.running.echo.filter(update) : [update];
  }

  dispose(): void {
    this.running?.grace?.dispose();
    this.running = undefined;
    this.channel = undefined;
    this.unsent = undefined;
  }

  private enqueue(text: string): void {
    this.queued += 1;
    const { queue } = this.store.view;
    this.store.setView({ queue: [...queue, { id: `queued:${this.queued}`, text }] });
  }

  private sendNext(): void {
    const [next, ...queue] = this.store.view.queue;
    if (!next || !this.channel || this.running) return;
    this.store.setView({ queue });
    this.show(next.text);
    this.dispatch(this.channel, next.text);
  }

  private show(text: string): void {
    this.updates.beginTurn();
    const { turn } = this.updates;
    this.lastPrompt = text;
    const id = promptEntryId(turn);
    this.store.append({ kind: 'user_message', id, turn, content: [{ type: 'text', text }], state: 'sent' });
    if (this.store.view.title === '') this.store.setView({ title: titleOf(text) });
  }

  private dispatch(channel: SessionChannel, text: string): void {
    const running: RunningTurn = {
      ...{ turn: this.updates.turn, text, channel, since: this.store.now(), echo: new Echo(text) },
      ...{ cancelledAt: undefined, grace: undefined, stopNotHeard: undefined },
    };
    this.running = running;
    this.questions.refuses = false;
    this.store.setView({ activity: { state: 'running', since: running.since } });
    channel.prompt(text).then(
      (stopReason) => {
        if (this.running === running) this.ended(running, stopReason);
      },
      (error: unknown) => {
        if (this.running === running) this.failed(running, error);
      },
    );
  }

  private ended(running: RunningTurn, stopReason: string): void {
    const { agentName } = this.store.view;
    this.end(running, { by: 'stopReason', stopReason });
    if (stopReason === 'refusal') {
      const id = promptEntryId(running.turn);
      this.store.apply([{ op: 'patch', id, kind: 'user_message', fields: { state: 'refused' } }]);
    }
    const words = stopReasonWords(agentName, stopReason, running.cancelledAt !== undefined);
    if (words) this.store.appendNotice(words.severity, words.title, running.turn, words.description);
    this.sendNext();
  }

  private failed(running: RunningTurn, error: unknown): void {
    // The end of the process follows, and explains more.
    if (error instanceof ConnectionClosedError) return;
    if (running.cancelledAt !== undefined || isRequestCancelled(error)) {
      this.ended(running, 'cancelled');
      return;
    }
    const { agentName } = this.store.view;
    this.end(running, { by: 'failure' });
    const failure = isAuthRequired(error)
      ? authRequired(agentName, this.loginMethods(), true)
      : promptFailed(agentName, error);
    const shown = redactFailure(failure, (text) => running.channel.redact(text));
    this.store.appendFailure(shown, running.turn);
  }

  private end(running: RunningTurn, end: TurnEnd): void {
    this.running = undefined;
    running.grace?.dispose();
    const { store } = this;
    for (const update of running.echo.release()) store.plan(update, running.turn);
    if (running.stopNotHeard !== undefined) {
      this.answerStopNotHeard(running, l10n.t('{0} stopped', store.view.agentName));
    }
    const isAsked = (entry: EntryId) => this.questions.isOpenIn(entry);
    store.apply(planTurnEnd(store.transcript, running.turn, end, isAsked, store.now()));
    this.questions.refuses = false;
    this.updates.endTurn();
    const open = this.questions.count > 0;
    store.setView({ activity: open ? { state: 'requires_action', since: store.now() } : { state: 'idle' } });
  }

  private waitForEnd(running: RunningTurn): void {
    running.grace?.dispose();
    running.grace = this.schedule(cancelGrace, () => {
      if (this.running !== running) return;
      const seconds = Math.round((this.store.now() - (running.cancelledAt ?? running.since)) / 1000);
      const entry = this.store.appendFailure(stopNotHeard(this.store.view.agentName, seconds), running.turn);
      running.stopNotHeard = entry.id;
    });
  }

  /** The question about the process is settled: a plain line takes its place. */
  private answerStopNotHeard(running: RunningTurn, title: string): void {
    const id = running.stopNotHeard ?? singleEntryId('notice', this.store.transcript.rev);
    running.stopNotHeard = undefined;
    this.store.apply([{ op: 'replace', entry: { kind: 'notice', id, turn: running.turn, severity: 'info', title } }]);
  }
}
