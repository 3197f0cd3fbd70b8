import type { OpenedSession } from '../acp/decode/decodeAgent';
import type { AuthMethod } from '../acp/decode/decodeAuth';
import { mergeConfigOptions } from '../acp/decode/decodeConfig';
import type { ElicitationResponse } from '../acp/decode/decodeElicitation';
import { decodeRequestUsage } from '../acp/decode/decodeTurnUsage';
import type { Dialect } from '../acp/dialect/dialect';
import type { SessionChannel } from '../acp/shape/sessionChannel';
import type { SessionUpdate } from '../acp/shape/sessionUpdate';
import { Disposable, type IDisposable } from '../shared/values/disposable';
import type { Goal } from '../shared/transcript/goal';
import type { EntryId, SessionId } from '../shared/values/ids';
import type { ConfigOption, SessionView } from '../shared/transcript/transcript';
import type { Failure } from './failures';
import type { Questions } from './questions/questions';
import type { SessionLogin } from './sessionLogin';
import { addForgottenNotice, addStartCancelledNotice } from './sessionNotices';
import { StartWait } from './startWait';
import type { Speakers } from './transcript/speakers';
import type { TranscriptStore } from './transcript/transcriptStore';
import type { Turns } from './turn/turns';

/** Setup that is sent each time a session is opened, because agents don't remember it. */
export type KeptSetup = Pick<SessionView, 'additionalDirectories'>;

/** The parts of a session that its agent uses. */
interface AgentSideParts {
  readonly store: TranscriptStore;
  readonly speakers: Speakers;
  readonly questions: Questions;
  readonly turns: Turns;
  readonly login: SessionLogin;
}

/** The agent's side of a session: it starts, opens the session, sends updates and requests, and disconnects. */
export class AgentSide extends Disposable {
  private readonly shown: TranscriptStore;
  private readonly speakers: Speakers;
  private readonly questions: Questions;
  private readonly turns: Turns;
  private readonly login: SessionLogin;
  private readonly startWait: StartWait;
  private openChannel: SessionChannel | undefined;
  private listening: IDisposable | undefined;
  /** The agent has sent options since it was last connected. */
  private hasOptions = false;
  /** The card of the last attempt to open the session, while it isn't open. */
  private openFailure: EntryId | undefined;

  constructor({ store, speakers, questions, turns, login }: AgentSideParts) {
    super();
    this.shown = store;
    this.speakers = speakers;
    this.questions = questions;
    this.turns = turns;
    this.login = login;
    this.startWait = new StartWait(store, () => speakers.turns.current);
  }

  /** Present while the session is open in its agent. */
  get channel(): SessionChannel | undefined {
    return this.openChannel;
  }

  /** The agent is being started, or asked to open the session. */
  connecting(state: 'starting' | 'opening'): void {
    const before = this.shown.view.connection.state;
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

  /** Gives an agent that is slow to start more time. */
  keepWaiting(): void {
    this.startWait.keepWaiting();
  }

  /** The user stopped waiting for the agent. */
  startCancelled(): void {
    this.turns.holdQueue();
    this.disconnected(undefined);
    addStartCancelledNotice(this.shown, this.speakers.turns.current);
  }

  /** The agent has answered `initialize`. */
  agentKnown(agentVersion: string, loginMethods: readonly AuthMethod[]): void {
    this.login.offer(loginMethods);
    this.startWait.over(true);
    this.shown.setView({ agentVersion });
  }

  /** The agent has opened the session, a new one or the previous one; waiting messages are sent. */
  opened(channel: SessionChannel, opened: OpenedSession & KeptSetup, isNew: boolean): void {
    const { additionalDirectories } = opened;
    this.listening?.dispose();
    this.listening = channel.onDidUpdate((update) => this.receive(update));
    this.openChannel = channel;
    this.openFailure = undefined;
    const {
      sessionId,
      agentName,
      configOptions: shown,
      sendsAtOnce,
      canRewind,
      canSetGoal,
      canAskAside,
    } = this.shown.view;
    const configOptions = withEarlier(opened.configOptions, isNew && !this.hasOptions ? [] : shown);
    if (sessionId !== '' && isNew) addForgottenNotice(this.turns, agentName);
    this.shown.setView({
      sessionId: channel.sessionId,
      connection: { state: 'ready' },
      canSteer:
        channel.steer !== undefined || channel.insertsPrompts === true || (channel.drainsQueue ? 'text' : false),
      ...(channel.takesAsides || canAskAside ? { canAskAside: channel.takesAsides === true } : {}),
      ...(channel.takesGoals || canSetGoal ? { canSetGoal: channel.takesGoals === true } : {}),
      ...(channel.rewinds || canRewind ? { canRewind: channel.rewinds === true } : {}),
      ...(channel.insertsPrompts || sendsAtOnce ? { sendsAtOnce: channel.insertsPrompts === true } : {}),
      ...(opened.availableCommands ? { availableCommands: opened.availableCommands } : {}),
      configOptions,
      ...(additionalDirectories ? { additionalDirectories } : {}),
    });
    this.turns.ready(channel);
    if (!this.login.card.isRunning) this.login.done();
  }

  /** The session isn't open, or no longer, and waits for a login. */
  awaitLogin(): void {
    this.disconnected(undefined);
    if (!this.isDisposed) this.shown.setView({ connection: { state: 'login' } });
  }

  /**
   * The agent couldn't be started, couldn't open the session, has exited, or can't be reached for now. Closes
   * everything that it left open.
   */
  disconnected(failure: Failure | undefined): void {
    if (this.isDisposed) return;
    const wasOpen = this.openChannel !== undefined;
    this.hangUp();
    this.startWait.over(false);
    this.questions.cancelAll();
    const ended = this.turns.disconnected(failure !== undefined);
    this.speakers.beginConnection();
    this.shown.setView({ connection: { state: 'closed' } });
    this.login.card.notOpened();
    if (failure) this.showFailure(failure, wasOpen);
    if (ended) this.turns.current.summarize(ended);
  }

  /** Stops listening to the agent, because the user closes the session. */
  hangUp(): void {
    this.listening?.dispose();
    this.listening = undefined;
    this.openChannel = undefined;
  }

  /**
   * Handles `update` of one `session/update` (https://agentclientprotocol.com/protocol/prompt-turn), of a subagent's
   * session if `from` is its id.
   */
  handleUpdate(update: unknown, from?: SessionId): void {
    if (this.isDisposed) return;
    this.turns.current.heardRequest(decodeRequestUsage(update), from === undefined);
    if (from !== undefined) this.speakers.receive(update, from);
    else for (const upgraded of this.speakers.upgrade(update)) this.receive(upgraded);
  }

  /** The agent asks for messages to add to the running turn; returns those that the user wants added. */
  takeJoining(): readonly string[] {
    return this.isDisposed ? [] : this.turns.takeJoining();
  }

  /** The agent suggests what the user may want to say next. */
  suggest(text: string): void {
    if (!this.isDisposed && !this.turns.isRunning) this.shown.setView({ suggestions: [text] });
  }

  /** The agent was given a goal, or has none. */
  showGoal(goal: Goal | 'none'): void {
    if (!this.isDisposed) this.shown.setView({ goal });
  }

  /** The agent was asked how full its context is. */
  showContext({ used, size }: { readonly used: number; readonly size: number }): void {
    if (this.isDisposed) return;
    const { usage } = this.shown.view;
    this.shown.setView({ usage: { ...(usage.state === 'known' ? usage : {}), state: 'known', used, size } });
  }

  /** The agent doesn't answer questions aside after all. */
  forgetAsides(): void {
    if (!this.isDisposed) this.shown.setView({ canAskAside: false });
  }

  /** The agent doesn't support goals after all. */
  forgetGoals(): void {
    if (!this.isDisposed) this.shown.setView({ goal: 'none', canSetGoal: false });
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
      if (update.sessionUpdate === 'usage_update' && update.model !== undefined) {
        this.turns.current.heardModel(update.model);
      }
      if (this.shown.view.retry && goesOn(update)) this.shown.setView({ retry: '' });
      for (const shown of this.turns.filter(update)) {
        this.speakers.show(shown);
        this.turns.current.heardLate(shown);
      }
    }
  }

  /** A session that can't be opened has one card, however often the user tries: below their last message. */
  private showFailure(failure: Failure, wasOpen: boolean): void {
    const { order, entries } = this.shown.transcript;
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
}

/** Whether an update shows that the agent works: it says or does something. */
function goesOn({ sessionUpdate }: SessionUpdate): boolean {
  return /message|thought|tool_call|plan|notice|compaction|terminal/.test(sessionUpdate);
}

/**
 * Returns the options in an agent's answer with those from before. Some agents answer without options because they sent
 * them in an earlier update, or when the session was new.
 */
function withEarlier(answered: readonly ConfigOption[], before: readonly ConfigOption[]): readonly ConfigOption[] {
  if (answered.length === 0) return before;
  if (answered.some(({ via }) => via === 'configOptions')) return answered;
  return mergeConfigOptions(
    answered,
    before.filter(({ via }) => via === 'configOptions'),
  );
}
