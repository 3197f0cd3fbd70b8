import * as l10n from '@vscode/l10n';
import type { OpenedSession } from '../acp/decode/decodeAgent';
import type { AuthMethod } from '../acp/decode/decodeAuth';
import { mergeConfigOptions } from '../acp/decode/decodeConfig';
import { decodeRequestUsage } from '../acp/decode/decodeTurnUsage';
import type { ElicitationResponse } from '../acp/decode/decodeElicitation';
import type { Dialect } from '../acp/dialect/dialect';
import { ConnectionClosedError, readableError } from '../acp/base/errors';
import type { SessionChannel } from '../acp/shape/sessionChannel';
import type { SessionUpdate } from '../acp/shape/sessionUpdate';
import type { Attachment, ToolCallContent } from '../shared/content';
import { Disposable, type IDisposable } from '../shared/disposable';
import type { Event } from '../shared/event';
import { lateWorkOf } from '../shared/lateWork';
import type { AgentId, EntryId, RequestKey, SessionId, SessionKey, TerminalId, ToolCallId } from '../shared/ids';
import { createTranscript, type TranscriptOp } from '../shared/ops';
import type { AgentPlace, ConfigOption, SessionView, Transcript } from '../shared/transcript';
import { ConfigChanges } from './configChanges';
import type { Elicitations } from './questions/elicitations';
import type { Failure } from './failures';
import { LoginCard } from './loginCard';
import { toolCallEntryId } from './update/entryIds';
import { hasEnded, reduceDiffLine } from './update/reduceToolCall';
import type { PromptQueue } from './turn/promptQueue';
import { Questions } from './questions/questions';
import type { ClientContext, PermissionCase } from './services';
import { firstView } from './firstView';
import { closeStored, type StoredSession } from './transcript/storedSession';
import { AwaitedInput } from './transcript/awaitedInput';
import { StartWait } from './startWait';
import { entryKinds } from './transcript/entryKinds';
import { planReplay } from './transcript/replay';
import {
  addNotice,
  changeNotice,
  addForgottenNotice,
  addStartCancelledNotice,
  type NoticeText,
} from './sessionNotices';
import { ShownTerminals } from './transcript/shownTerminals';
import { Speakers } from './transcript/speakers';
import { TranscriptStore } from './transcript/transcriptStore';
import type { Schedule } from './turn/stopWait';
import { Turns } from './turn/turns';
import type { EndedTurns } from './update/closeTurn';

export type { NoticeText } from './sessionNotices';

/** The owner of a session and its process. The session calls the owner, never the other way round. */
export interface SessionOwner {
  /** Starts the agent again and opens this session in it, or a new one of the agent if `isFresh`. */
  restart(session: Session, isFresh?: boolean): void;
  /** Kills the agent's process, with all of its sessions. */
  endProcess(session: Session): void;
  /** Called when the session has been closed: notifies the agent and frees the session's resources. */
  closed(session: Session): void;
}

/** Options for creating a session. */
export interface SessionOptions {
  readonly key: SessionKey;
  readonly agentId: AgentId;
  readonly agentName: string;
  /** The session's folder, absolute. */
  readonly cwd: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly schedule: Schedule;
  readonly owner: SessionOwner;
  /** The record of an earlier window; the agent starts when the user sends a message. */
  readonly stored?: StoredSession;
}

/** Setup that is sent each time a session is opened, because agents don't remember it. */
export type KeptSetup = Pick<SessionView, 'additionalDirectories'>;

/**
 * One conversation with an agent (https://agentclientprotocol.com/protocol/session-setup): its transcript, turns,
 * questions, and settings. It exists before its agent starts and after it exits; `SessionOwner` provides agents.
 */
export class Session extends Disposable {
  readonly key: SessionKey;
  /** Fires synchronously after each batch of ops is applied; `transcript.rev` is already the new revision. */
  readonly onDidApply: Event<readonly TranscriptOp[]>;
  /** Fires when activity, late work, connection, or title changed. */
  readonly onDidChangeState: Event<void>;
  /** The context in which the agent's requests for files and terminals are served. */
  readonly context: ClientContext;
  /** The waiting messages, and the user's actions on them. */
  readonly queue: PromptQueue;
  /** Commands that the agent started in Parley's terminals. */
  readonly terminals: ShownTerminals;
  private readonly owner: SessionOwner;
  private readonly shown: TranscriptStore;
  private readonly speakers: Speakers;
  private readonly questions: Questions;
  private readonly turns: Turns;
  private readonly config: ConfigChanges;
  private readonly startWait: StartWait;
  /** The login that the agent requires, if any. */
  readonly login: LoginCard;
  private channel: SessionChannel | undefined;
  /** The agent has sent options since it was last connected. */
  private hasOptions = false;
  private listening: IDisposable | undefined;
  private loginMethods: readonly AuthMethod[] = [];
  /** The card of the last attempt to open the session, while it isn't open. */
  private openFailure: EntryId | undefined;

  constructor({ key, agentId, agentName, cwd, now, schedule, owner, stored }: SessionOptions) {
    super();
    this.key = key;
    this.owner = owner;
    const transcript = stored ? closeStored(stored, now()) : createTranscript(firstView(agentId, agentName, cwd));
    this.shown = this.register(new TranscriptStore(transcript, now));
    this.terminals = new ShownTerminals(this.shown);
    this.register(new AwaitedInput(this.shown, schedule));
    this.speakers = new Speakers(this.shown);
    this.onDidApply = this.shown.onDidApply;
    this.onDidChangeState = this.shown.onDidChangeState;
    this.questions = new Questions(this.shown, this.speakers, key, () =>
      this.shown.showActivity(this.questions.count, this.turns.activity),
    );
    this.login = new LoginCard(this.shown);
    const events = { onLoginRequired: () => this.askLogin(), onSent: () => this.login.sent() };
    this.turns = this.register(new Turns(this.shown, this.speakers, this.questions, { schedule, events }));
    this.queue = this.turns.queue;
    this.startWait = new StartWait(this.shown, () => this.speakers.turns.current);
    if (this.login.isAsked) this.turns.hold(this.login.waits);
    this.config = new ConfigChanges(this.shown, () => this.askLogin());
    this.context = { session: key, agentName, cwd, ask: (question, signal) => this.questions.ask(question, signal) };
  }

  get transcript(): Transcript {
    return this.shown.transcript;
  }

  /** The turns that have ended in this window, so none that were restored or replayed. */
  get endedTurns(): EndedTurns {
    return this.turns.ended;
  }

  /** Number of open permission requests and forms, and the login that a running agent requires. */
  get openRequests(): number {
    const { isAsked, isRunning } = this.login;
    const isForLogin = isAsked && !isRunning && this.transcript.view.connection.state !== 'closed';
    return this.questions.count + (isForLogin ? 1 : 0);
  }

  get isClosed(): boolean {
    return this.isDisposed;
  }

  /**
   * Sends a message, or keeps it until the session is ready and earlier turns have ended. Restarts an agent that has
   * exited.
   */
  sendPrompt(text: string, attachments: readonly Attachment[] = []): void {
    if (this.isDisposed || text.trim() === '') return;
    this.turns.send(attachments.length > 0 ? { text, attachments } : { text });
    this.login.follow(this.turns.waits);
    this.restartIfClosed();
  }

  /** Sends a waiting message now, into the running turn or in place of it. The transcript shows the result. */
  sendQueued(id: string, how: 'steer' | 'stopAndSend'): void {
    if (how === 'steer') void this.turns.steer(id);
    else this.turns.sendNow(id);
  }

  /** Sends the messages held because the user stopped a turn. Restarts an agent that has exited. */
  resumeQueue(): void {
    if (this.isDisposed) return;
    this.turns.resumeQueue();
    if (!this.queue.isEmpty) this.restartIfClosed();
  }

  /** Stops the running turn (`session/cancel`), or drops a message that wasn't sent yet. A second call does nothing. */
  cancel(): void {
    this.turns.cancel();
  }

  /** Stops one of the agent's subagents with `session/cancel` for its session, if the agent supports that. */
  stopSubagent(subagent: SessionId): void {
    const sessionId = this.speakers.stoppable(subagent);
    if (!this.channel || sessionId === undefined) return;
    this.channel.cancelSubagent(sessionId);
    this.questions.cancelOf(subagent);
  }

  /** Stops one of the agent's tool calls, if the agent can. Returns whether it was asked to. */
  stopToolCall(toolCallId: ToolCallId): boolean {
    const entry = this.transcript.entries.get(toolCallEntryId(toolCallId));
    const cancel = this.channel?.cancelToolCall;
    if (entry?.kind !== 'tool_call' || entry.canCancel !== true || hasEnded(entry.status) || !cancel) return false;
    this.reportStop(cancel(this.speakers.wireCallId(toolCallId)), entry.title);
    return true;
  }

  /** Stops one of the commands that the agent runs, if the agent can. Returns whether it was asked to. */
  stopTerminal(terminalId: TerminalId): boolean {
    const terminal = this.transcript.terminals.get(terminalId);
    const cancel = this.channel?.cancelTerminal;
    if (terminal?.canCancel !== true || terminal.exit.state !== 'running' || !cancel) return false;
    this.reportStop(cancel(this.speakers.wireTerminalId(terminalId)), terminal.command);
    return true;
  }

  /** Stops one piece of background work, as far as the agent can stop it alone. */
  stopWork(work: { readonly toolCall?: ToolCallId | undefined; readonly terminal?: TerminalId | undefined }): void {
    const { toolCall, terminal } = work;
    if (terminal !== undefined && this.stopTerminal(terminal)) return;
    if (toolCall !== undefined) this.stopToolCall(toolCall);
  }

  /**
   * Stops what continues after the turn that started it. What can't be stopped without stopping the running turn
   * continues.
   */
  stopLateWork(): void {
    const { entries } = this.transcript;
    for (const work of lateWorkOf(this.transcript.view)) {
      if (work.kind === 'reported') this.stopWork(work);
      if (work.kind === 'command') this.terminals.kill(work.terminal);
      const entry = work.kind === 'subagent' && work.canCancel ? entries.get(work.entry) : undefined;
      if (entry?.kind === 'subagent') this.stopSubagent(entry.sessionId);
    }
    this.turns.stopLateWork();
  }

  /** Answers an open question; does nothing if it is no longer open or has no such option. */
  answerPermission(request: RequestKey, optionId: string): void {
    this.questions.answer(request, optionId);
  }

  /** Returns an open permission request of the agent, as the rules judged it. */
  openCase(request: RequestKey): PermissionCase | undefined {
    return this.questions.openCase(request);
  }

  /** The agent's forms and URLs, for the user's answers. */
  get elicitations(): Pick<Elicitations, 'answer' | 'addressOf' | 'refuse' | 'complete'> {
    return this.questions.elicitations;
  }

  /**
   * Changes a setting of the agent. The change is shown immediately and undone with a notice if the agent refuses.
   * Resolves to whether the agent accepted it.
   */
  setConfigOption(configId: string, value: string | boolean): Promise<boolean> {
    if (!this.channel) return Promise.resolve(false);
    return this.config.set(this.channel, configId, value, this.speakers.turns.current);
  }

  /**
   * Sets the session's title. `user`: the agent no longer changes the title. `agent`: the user's title as the agent
   * stored it.
   */
  rename(title: string, titleFrom: 'user' | 'agent' = 'user'): void {
    if (!this.isDisposed) this.shown.setView({ title, titleFrom });
  }

  /** Starts the agent again after it has exited, or after a login outside the session. */
  restart(): void {
    if (!this.isDisposed && this.transcript.view.connection.state === 'login') this.owner.restart(this);
    else this.restartIfClosed();
  }

  /** Continues in a new session of the agent, which couldn't reopen this one, and sends the waiting messages there. */
  startFresh(): void {
    if (this.isDisposed || this.transcript.view.connection.state !== 'closed') return;
    this.turns.release();
    this.owner.restart(this, true);
  }

  /** Sends the last message again, after a failure. */
  sendAgain(): void {
    if (this.isDisposed) return;
    this.turns.sendAgain();
    // While a turn is running, nothing is sent; the waiting messages follow it.
    if (this.turns.isRunning) this.login.sent();
    this.restartIfClosed();
  }

  /** Sets where the agent is, which may have changed since an earlier window. */
  placeAgent(place: AgentPlace): void {
    if ((this.transcript.view.place ?? 'here') !== place) this.shown.setView({ place });
  }

  /** Whether the agent's paths mean files of another machine. */
  get isElsewhere(): boolean {
    return this.transcript.view.place === 'elsewhere';
  }

  /** Kills the process of an agent that doesn't respond, or closes the connection to a remote one. */
  endProcess(): void {
    if (this.isDisposed) return;
    this.turns.holdQueue();
    this.owner.endProcess(this);
  }

  /** Gives an agent that doesn't stop, or is slow to start, more time. */
  keepWaiting(): void {
    this.turns.keepWaiting();
    this.startWait.keepWaiting();
  }

  /**
   * Closes the session: answers open questions with `cancelled`, frees its terminals, and notifies the agent.
   * Idempotent.
   */
  close(): void {
    if (this.isDisposed) return;
    if (this.turns.isRunning) this.turns.cancel();
    this.questions.refuses = true;
    this.questions.cancelAll();
    const ended = this.turns.disconnected(false);
    if (ended) this.turns.summarize(ended);
    this.disconnectChannel();
    this.shown.setView({ connection: { state: 'closed' } });
    this.owner.closed(this);
    this.dispose();
  }

  /** Adds one of Parley's own notices to the transcript; returns its id. */
  addNotice(notice: NoticeText, id?: EntryId): EntryId {
    return this.isDisposed ? (id ?? ('' as EntryId)) : addNotice(this.shown, notice, this.speakers.turns.current, id);
  }

  /** Changes the text of a notice that `addNotice` added. */
  changeNotice(id: EntryId, notice: NoticeText): void {
    if (!this.isDisposed) changeNotice(this.shown, id, notice);
  }

  /** Sets the line where a tool call's diff begins in its file; 0 if unknown. */
  placeDiff(entry: EntryId, diff: ToolCallContent & { readonly type: 'diff' }, line: number): void {
    if (!this.isDisposed) this.shown.apply(reduceDiffLine(this.transcript, entry, diff, line));
  }

  // The members below are for the agent's side of the session.

  /** The agent is being started, or asked to open the session. */
  connecting(state: 'starting' | 'opening'): void {
    const before = this.transcript.view.connection.state;
    // The commands of an agent that has exited are no longer available. Its options are shown until it says otherwise.
    const offers = before === 'closed' ? { availableCommands: [] } : {};
    if (before === 'closed' || before === 'login') this.hasOptions = false;
    if (before !== state) this.shown.setView({ connection: { state }, ...offers });
  }

  /**
   * Sets the protocol version of the process that serves the session from now on. `isSame`: the process continues the
   * session of an earlier one.
   */
  useDialect(dialect: Dialect, isSame = false): void {
    if (!this.isDisposed) this.speakers.useDialect(dialect, isSame);
  }

  /** The agent is still starting after `seconds`. The user decides whether to wait. */
  startIsSlow(seconds: number, mayDownload: boolean): void {
    if (!this.isDisposed) this.startWait.ask(seconds, mayDownload);
  }

  /** The agent has answered `initialize`. */
  agentKnown(agentVersion: string, loginMethods: readonly AuthMethod[]): void {
    this.loginMethods = loginMethods;
    this.startWait.over(true);
    this.shown.setView({ agentVersion });
  }

  /** Whether any conversation is shown, besides Parley's own questions and messages that the agent hasn't received. */
  get hasConversation(): boolean {
    const unsent = this.turns.unsentEntry;
    for (const entry of this.transcript.entries.values()) {
      if (!entryKinds[entry.kind].isConversation || entry.id === unsent) continue;
      if (entry.kind !== 'tool_call' || !entry.asks) return true;
    }
    return false;
  }

  /**
   * Handles a replay by the agent when a conversation is already shown. The conversation stays, and additional entries
   * of the replay are added, because agents replay less than is shown, and some replay nothing. `mayWork`: the agent
   * wasn't restarted, so it may be at work although it says nothing about that. Returns whether the agent remembers the
   * conversation.
   */
  compareReplay(updates: readonly unknown[], mayWork = false): boolean {
    const replay = this.speakers.readReplay(updates, mayWork);
    if (!replay) return false;
    const { transcript } = replay;
    const { isForgotten, changes, news, extras, running } = planReplay(
      this.transcript,
      transcript,
      this.turns.unsentEntry,
    );
    if (isForgotten) addForgottenNotice(this.turns, this.transcript.view.agentName);
    if (news.length > 0) {
      const { unsentEntry } = this.turns;
      // The message is shown again, after the earlier conversation, when it is sent.
      this.turns.beforeReplay();
      if (unsentEntry !== undefined) this.shown.apply([{ op: 'truncate', from: unsentEntry }]);
    }
    // What it does now isn't of a message that this window sent.
    if (transcript.view.activity.state !== 'idle') this.shown.work.begin();
    this.shown.apply([...extras, ...changes, ...news]);
    if (news.length > 0) this.speakers.continueTranscript();
    for (const [id, shownId] of running) this.speakers.continueCall(replay.wireCallId(id), shownId);
    return !isForgotten;
  }

  /** Empties the transcript because the agent will replay the whole session, of which nothing is shown. */
  beginReplay(): void {
    this.turns.beforeReplay();
    const [first] = this.transcript.order;
    if (first !== undefined) this.shown.apply([{ op: 'truncate', from: first }]);
    this.speakers.reset();
  }

  /** The agent has opened the session, a new one or the previous one; waiting messages are sent. */
  opened(channel: SessionChannel, opened: OpenedSession & KeptSetup, isNew: boolean): void {
    const { additionalDirectories } = opened;
    this.listening?.dispose();
    this.listening = channel.onDidUpdate((update) => this.receive(update));
    this.channel = channel;
    this.openFailure = undefined;
    const { sessionId, agentName, configOptions: shown } = this.transcript.view;
    const configOptions = withEarlier(opened.configOptions, isNew && !this.hasOptions ? [] : shown);
    if (sessionId !== '' && isNew) addForgottenNotice(this.turns, agentName);
    this.shown.setView({
      sessionId: channel.sessionId,
      connection: { state: 'ready' },
      canSteer: channel.steer !== undefined || channel.insertsPrompts === true,
      ...(channel.insertsPrompts || this.transcript.view.sendsAtOnce
        ? { sendsAtOnce: channel.insertsPrompts === true }
        : {}),
      ...(opened.availableCommands ? { availableCommands: opened.availableCommands } : {}),
      configOptions,
      ...(additionalDirectories ? { additionalDirectories } : {}),
    });
    this.turns.ready(channel);
    if (!this.login.isRunning) this.loggedIn();
  }

  /** The session isn't open, or no longer, and waits for a login. */
  awaitLogin(): void {
    this.disconnected(undefined);
    if (!this.isDisposed) this.shown.setView({ connection: { state: 'login' } });
  }

  /** The agent requires a login, or the user requested one. */
  askLogin(): void {
    if (this.isDisposed) return;
    this.turns.hold(false);
    const { waits } = this.turns;
    const isOpen = this.channel !== undefined;
    if (this.login.isRunning) this.login.follow(waits);
    else this.login.ask(this.loginMethods, { waits, isOpen, turn: this.speakers.turns.current });
  }

  /** The agent can continue after the login. */
  loggedIn(): void {
    if (!this.turns.waits) this.turns.release();
    this.login.follow(this.turns.waits);
    this.login.done();
  }

  /** The agent couldn't be started, couldn't open the session, has exited, or can't be reached for now. Closes everything that it left open. */
  disconnected(failure: Failure | undefined): void {
    if (this.isDisposed) return;
    const wasOpen = this.channel !== undefined;
    this.disconnectChannel();
    this.startWait.over(false);
    this.questions.cancelAll();
    const ended = this.turns.disconnected(failure !== undefined);
    this.speakers.beginConnection();
    this.shown.setView({ connection: { state: 'closed' } });
    this.login.notOpened();
    if (failure) this.showFailure(failure, wasOpen);
    if (ended) this.turns.summarize(ended);
  }

  /** The user stopped waiting for the agent. */
  startCancelled(): void {
    this.turns.holdQueue();
    this.disconnected(undefined);
    addStartCancelledNotice(this.shown, this.speakers.turns.current);
  }

  /**
   * Handles `update` of one `session/update` (https://agentclientprotocol.com/protocol/prompt-turn), of a subagent's
   * session if `from` is its id.
   */
  handleUpdate(update: unknown, from?: SessionId): void {
    if (this.isDisposed) return;
    this.turns.heardRequest(decodeRequestUsage(update), from === undefined);
    if (from !== undefined) this.speakers.receive(update, from);
    else for (const upgraded of this.speakers.upgrade(update)) this.receive(upgraded);
  }

  /** Handles `session/request_permission`; resolves when the user has answered or the request is withdrawn. */
  handlePermission(...request: Parameters<Questions['handlePermission']>): Promise<object> {
    return this.questions.handlePermission(...request);
  }

  /** Handles `elicitation/create`; resolves when the user has answered or the question is withdrawn. */
  handleElicitation(...request: Parameters<Questions['handleElicitation']>): Promise<ElicitationResponse> {
    if (this.isDisposed) return Promise.resolve({ action: 'cancel' });
    return this.questions.handleElicitation(...request);
  }

  private receive(update: SessionUpdate): void {
    this.hasOptions ||= update.sessionUpdate === 'config_option_update';
    if (update.sessionUpdate === 'state_update') this.turns.agentSaid(update);
    else {
      for (const shown of this.turns.filter(update)) {
        this.speakers.show(shown);
        this.turns.heardLate(shown);
      }
    }
  }

  /** Says that the agent couldn't stop something. If it can, its updates show the end. */
  private reportStop(stopping: Promise<void>, title: string): void {
    const { channel } = this;
    stopping.catch((error: unknown) => {
      if (this.isDisposed || channel !== this.channel || error instanceof ConnectionClosedError) return;
      const { agentName } = this.transcript.view;
      const name = title.trim().split('\n')[0] ?? '';
      this.addNotice({
        severity: 'warning',
        title: l10n.t('{0} couldn’t stop “{1}”', agentName, name),
        description: this.channel?.redact(readableError(error).message) ?? '',
      });
    });
  }

  /** A session that can't be opened has one card, however often the user tries: below their last message. */
  private showFailure(failure: Failure, wasOpen: boolean): void {
    const { order, entries } = this.transcript;
    const before = wasOpen || this.openFailure === undefined ? undefined : entries.get(this.openFailure);
    const after = before ? order.slice(order.indexOf(before.id)) : [];
    if (before && !after.some((id) => entries.get(id)?.kind === 'user_message')) {
      this.shown.apply([{ op: 'replace', entry: { kind: 'error', id: before.id, turn: before.turn, ...failure } }]);
      return;
    }
    if (before?.kind === 'error') {
      const { id, turn, title } = before;
      const line = { kind: 'notice', id, turn, severity: 'error', title: title.replace(/\.$/, '') } as const;
      this.shown.apply([{ op: 'replace', entry: line }]);
    }
    const { id } = this.shown.appendFailure(failure, this.speakers.turns.current);
    this.openFailure = wasOpen ? undefined : id;
  }

  private disconnectChannel(): void {
    this.listening?.dispose();
    this.listening = undefined;
    this.channel = undefined;
  }

  private restartIfClosed(): void {
    if (this.isDisposed || this.transcript.view.connection.state !== 'closed') return;
    // A message that the user has just sent must not wait for another click.
    this.turns.release();
    this.owner.restart(this);
  }
}

/**
 * Returns the options in an agent's answer with those from before. Some agents answer without options because they sent them in an
 * earlier update, or when the session was new.
 */
function withEarlier(answered: readonly ConfigOption[], before: readonly ConfigOption[]): readonly ConfigOption[] {
  if (answered.length === 0) return before;
  if (answered.some(({ via }) => via === 'configOptions')) return answered;
  return mergeConfigOptions(
    answered,
    before.filter(({ via }) => via === 'configOptions'),
  );
}
