import type { SandboxMode } from '../shared/limits/sandboxMode';
import type { BudgetUse } from '../shared/amounts/budget';
import { compact } from '../shared/values/decodeValue';
import type { Attachment, ToolCallContent } from '../shared/transcript/content';
import { Disposable } from '../shared/values/disposable';
import type { Event } from '../shared/values/event';
import type { AgentId, EntryId, RequestKey, SessionKey } from '../shared/values/ids';
import { createTranscript, type TranscriptOp } from '../shared/transcript/ops';
import type {
  AgentPlace,
  AskingSession,
  BlockedPlace,
  Prompt,
  SessionLink,
  ToolCallEntry,
  Transcript,
} from '../shared/transcript/transcript';
import { AgentSide } from './agentSide';
import { ConfigChanges } from './configChanges';
import type { Elicitations } from './questions/elicitations';
import { HostQuestions } from './questions/hostQuestions';
import { LoginCard } from './loginCard';
import { reduceBlocked, reduceBlockedAt } from './update/reduceBlocked';
import { reduceDiffLine } from './update/reduceToolCall';
import type { PromptQueue } from './turn/promptQueue';
import { Questions } from './questions/questions';
import type { ClientContext, PermissionCase } from './services';
import { firstView } from './firstView';
import { closeStored, type StoredSession } from './transcript/storedSession';
import { AwaitedInput } from './transcript/awaitedInput';
import { returnTo } from './returnTo';
import { continueWords } from './turn/continueWords';
import { addNotice, changeNotice, type NoticeText } from './sessionNotices';
import { SessionLogin } from './sessionLogin';
import { SessionReplay } from './sessionReplay';
import { runOwnCommand, type StartCommand } from './transcript/ownCommand';
import { ShownTerminals } from './transcript/shownTerminals';
import { Speakers } from './transcript/speakers';
import { StoppableWork } from './stoppableWork';
import { TranscriptStore } from './transcript/transcriptStore';
import { ScheduledPrompts } from './turn/scheduledPrompts';
import type { Schedule } from './turn/stopWait';
import { Turns } from './turn/turns';
import type { EndedTurns } from './update/closeTurn';

export type { KeptSetup } from './agentSide';
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
  /** The message that is sent at a time, if any. */
  readonly scheduled: ScheduledPrompts;
  private readonly owner: SessionOwner;
  private readonly shown: TranscriptStore;
  private readonly speakers: Speakers;
  private readonly questions: Questions;
  /** The connections of the agent's sandbox. */
  readonly hosts: HostQuestions;
  private readonly turns: Turns;
  private readonly config: ConfigChanges;
  /** The login that the agent requires, if any. */
  readonly login: SessionLogin;
  /** For the agent and the connection to it. */
  readonly agentSide: AgentSide;
  /** Compares what the agent replays with what is shown. */
  readonly replay: SessionReplay;
  /** What runs besides the turn or in it, for the user to stop. */
  readonly work: StoppableWork;

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
      this.shown.showActivity(this.questions.count, this.turns.current.activity),
    );
    this.hosts = new HostQuestions({
      questions: this.questions,
      agentName,
      turn: () => this.speakers.turns.current,
      isClosed: () => this.isDisposed || this.questions.refuses,
    });
    const card = new LoginCard(this.shown);
    const events = { onLoginRequired: () => this.login.ask(), onSent: () => card.sent() };
    this.turns = this.register(new Turns(this.shown, this.speakers, this.questions, { schedule, events }));
    this.queue = this.turns.queue;
    this.scheduled = new ScheduledPrompts(this.shown);
    this.login = this.register(new SessionLogin(this.shown, card, this.turns, this.speakers.turns));
    this.config = new ConfigChanges(this.shown, () => this.login.ask());
    const { shown: store, speakers, questions, turns, terminals, login } = this;
    this.agentSide = this.register(new AgentSide({ store, speakers, questions, turns, login }));
    this.replay = new SessionReplay(store, speakers, turns);
    this.work = new StoppableWork({ store, speakers, questions, turns, terminals }, this.agentSide);
    this.context = {
      session: key,
      agentName,
      get cwd() {
        return store.view.cwd;
      },
      ask: (question, signal) => this.questions.ask(question, signal),
    };
  }

  get transcript(): Transcript {
    return this.shown.transcript;
  }

  /** The turns that have ended in this window, so none that were restored or replayed. */
  get endedTurns(): EndedTurns {
    return this.turns.current.ended;
  }

  /** Number of open permission requests and forms, the login that a running agent requires, and the question about a budget. */
  get openRequests(): number {
    const asksBudget = this.transcript.view.asksBudget === true;
    return this.questions.count + (this.login.needsUser ? 1 : 0) + (asksBudget ? 1 : 0);
  }

  get isClosed(): boolean {
    return this.isDisposed;
  }

  /**
   * Sends a message, or keeps it until the session is ready and earlier turns have ended. Restarts an agent that has
   * exited. `after` has the ids of the waiting messages that were before this one, if the user took it out to edit it.
   */
  sendPrompt(text: string, attachments: readonly Attachment[] = [], after?: readonly string[]): void {
    if (this.isDisposed || text.trim() === '') return;
    this.turns.send(attachments.length > 0 ? { text, attachments } : { text }, after);
    this.login.sent();
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

  /** Sends the message that waits because a budget is used up. The next one asks again. */
  sendAnyway(): void {
    if (this.isDisposed) return;
    this.turns.sendAnyway();
    this.restartIfClosed();
  }

  /** Shows how much of the user's budgets is used. If one is used up, the next message asks before it is sent. */
  setBudgets(budgets: readonly BudgetUse[]): void {
    if (!this.isDisposed) this.turns.setBudgets(budgets);
  }

  /** Stops the running turn (`session/cancel`), or drops a message that wasn't sent yet. A second call does nothing. */
  cancel(): void {
    this.turns.cancel();
  }

  /**
   * Answers an open question; does nothing if it is no longer open or has no such option. A `reply` follows the answer, and is sent in any
   * case: in the running turn if the agent takes messages there, and otherwise as the next message.
   */
  answerPermission(request: RequestKey, optionId: string, reply?: Prompt): void {
    this.questions.answer(request, optionId, compact({ reply: reply?.text }));
    if (reply) this.reply(reply);
  }

  /** Allows an open request, whose change the user has edited. Returns whether it was open. */
  allowEdited(request: RequestKey, optionId: string): boolean {
    return this.questions.answer(request, optionId, { isEdited: true });
  }

  /** Shows whether the user has edited the change that an open request is about. */
  markEdited(request: RequestKey, edited: { readonly isEdited: boolean; readonly hasUnsaved: boolean }): void {
    if (!this.isDisposed) this.questions.markEdited(request, edited);
  }

  /** Sends a message in the running turn if the agent takes messages there, and otherwise as the next message. */
  reply(message: Prompt): void {
    if (this.isDisposed) return;
    void this.turns.reply(message);
    this.restartIfClosed();
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
    const { channel } = this.agentSide;
    if (!channel) return Promise.resolve(false);
    return this.config.set(channel, configId, value, this.speakers.turns.current);
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

  /** Asks the agent to continue a turn that was cut off. Does nothing if it is at work already. */
  continueTurn(): void {
    if (this.turns.isRunning || this.turns.prompts.unsent !== undefined) return;
    this.sendPrompt(continueWords(this.transcript));
  }

  /** Sends the last message again, after a failure. */
  sendAgain(): void {
    if (this.isDisposed) return;
    this.turns.sendAgain();
    // While a turn is running, nothing is sent; the waiting messages follow it.
    if (this.turns.isRunning) this.login.card.sent();
    this.restartIfClosed();
  }

  /** Sets the session's folder. Its owner opens it there. */
  moveTo(cwd: string, isNewThere: boolean): void {
    if (!this.isDisposed) this.shown.setView({ cwd, ...(isNewThere ? { sessionId: '' as const } : {}) });
  }

  /** Sets where the agent is, which may have changed since an earlier window. */
  placeAgent(place: AgentPlace): void {
    if ((this.transcript.view.place ?? 'here') !== place) this.shown.setView({ place });
  }

  /** Shows what the session's agent is held to. */
  showSandbox(sandbox: SandboxMode): void {
    if ((this.transcript.view.sandbox ?? 'off') !== sandbox) this.shown.setView({ sandbox });
  }

  /** Shows what the agent's sandbox has blocked, at the call that it was for, or probably for. */
  showBlocked(place: BlockedPlace, call?: ToolCallEntry): void {
    if (this.isDisposed) return;
    const { transcript } = this;
    this.shown.apply(
      call ? reduceBlockedAt(call, place) : reduceBlocked(transcript, this.speakers.turns.current, place),
    );
  }

  /** Tells the agent something about its sandbox, with the user's next message and once. */
  tellAgent(note: string): void {
    this.turns.notes.add(note);
  }

  /** Tells the agent, with the user's next message, what was undone in a file; undefined if its changes are back. */
  tellUndone(file: string, note: string | undefined): void {
    if (!this.isDisposed) this.turns.notes.setUndone(file, note);
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
    this.turns.current.keepWaiting();
    this.agentSide.keepWaiting();
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
    if (ended) this.turns.current.summarize(ended);
    this.agentSide.hangUp();
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

  /** Notes that the session reviews the changes of another one. */
  setReviews(reviews: SessionLink): void {
    if (!this.isDisposed) this.shown.apply([{ op: 'view', fields: { reviews } }]);
  }

  /** Notes that the agent of another session started this one, which works in the folders of the other besides its own. */
  setAskedBy(askedBy: AskingSession, additionalDirectories: readonly string[] | undefined): void {
    if (!this.isDisposed) this.shown.setView({ askedBy, ...(additionalDirectories ? { additionalDirectories } : {}) });
  }

  /** The agent has returned to before this message. */
  returnTo(message: EntryId): void {
    if (!this.isDisposed) returnTo(this.shown, message);
  }

  /** Runs a command of Parley's own and shows its output. Resolves to how it exited, or why it couldn't start. */
  runCommand(title: string, start: StartCommand): ReturnType<typeof runOwnCommand> {
    return runOwnCommand(this.shown, this.terminals, this.speakers.turns.current, title, start);
  }

  /** Sets the line where a tool call's diff begins in its file; 0 if unknown. */
  placeDiff(entry: EntryId, diff: ToolCallContent & { readonly type: 'diff' }, line: number): void {
    if (!this.isDisposed) this.shown.apply(reduceDiffLine(this.transcript, entry, diff, line));
  }

  private restartIfClosed(): void {
    if (this.isDisposed || this.transcript.view.connection.state !== 'closed') return;
    // A message that the user has just sent must not wait for another click.
    this.turns.release();
    this.owner.restart(this);
  }
}
