import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { ConnectionClosedError, isAuthRequired, isMethodNotFound } from '../../acp/base/errors';
import {
  agentExited,
  agentLost,
  agentRestarts,
  endedElsewhere,
  onlySuggestsEdits,
  redactFailure,
  sandboxNotMade,
  type AgentExit,
} from '../../session/failures';
import { Session, type SessionOwner } from '../../session/session';
import type { StoredSession } from '../../session/transcript/storedSession';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { AgentId, SessionId, SessionKey } from '../../shared/values/ids';
import { isAtWork } from '../../shared/transcript/lateWork';
import { messageOf } from '../../shared/values/messageOf';
import type { Sandbox } from '../../shared/limits/sandbox';
import type { SandboxMode } from '../../shared/limits/sandboxMode';
import { abortable } from '../base/abortable';
import { Agent } from '../connection/agent';
import type { AgentLease } from './agentLease';
import { Crashes } from './crashes';
import type { AgentLaunch } from '../process/agentProcess';
import type { AgentSpec } from '../spec/agentSpec';
import { openInAgent } from './openSession';
import {
  agentOptionsFor,
  type AgentPoolOptions,
  type CommandSandbox,
  heldSpec,
  isEndedElsewhere,
  isSandboxed,
  leaseOf,
  loginMethodsOf,
  type Member,
  type PlacedSession,
  placedSpec,
  type RunningAgent,
  runningAgents,
  type Slot,
} from './poolParts';
import { programKey } from '../spec/programKey';
import { Reattach } from './reattach';
import { placeOf } from '../remote/remoteFolder';
import { tokenMethods } from '../remote/remoteInputs';
import { isPassing, type LinkLoss } from '../remote/remoteTarget';
import { startAgent } from './startAgent';
import { openFailure } from './startFailure';
import { TrafficLogs, type AgentTraffic } from './trafficLogs';

/** All agent processes and open sessions of this window. */
export class AgentPool extends Disposable implements SessionOwner {
  private readonly options: AgentPoolOptions;
  private readonly members = new Map<Session, Member>();
  private readonly slots = new Map<string, Slot>();
  private readonly stopping = new Set<Promise<void>>();
  /** Sandboxed agents that are stopping, with what becomes of their starts. */
  private readonly leaving = new Set<Promise<unknown>>();
  private readonly logs = new TrafficLogs();
  private readonly sessionsChanged = this.register(new Emitter<void>());
  /**
   * Fires when a session was created, closed, or changed its activity, connection, or title, or when its agent reported
   * an account.
   */
  readonly onDidChangeSessions = this.sessionsChanged.event;
  private readonly started = this.register(new Emitter<void>());
  /** Fires when an agent has answered `initialize`. */
  readonly onDidStartAgent = this.started.event;
  private readonly crashes = new Crashes();
  private nextId = 1;
  /** Pages remember keys after the window reloads, so the prefix makes old keys invalid. */
  private readonly keyPrefix = `session-${randomUUID().slice(0, 8)}`;

  constructor(options: AgentPoolOptions) {
    super();
    this.options = options;
  }

  /** Open sessions in order of creation. */
  get sessions(): readonly Session[] {
    return [...this.members.keys()];
  }

  /** Traffic of the running agents and of the last few that exited, newest first. */
  get traffic(): readonly AgentTraffic[] {
    return this.logs.all;
  }

  /** Returns immediately. The agent is started or reused in the background, and the transcript shows the progress. */
  createSession(options: {
    readonly spec: AgentSpec;
    /** The session's folder, absolute. */
    readonly cwd: string;
    /** What the user chose for this session. */
    readonly sandbox?: SandboxMode;
  }): Session {
    const { cwd } = options;
    const spec = heldSpec(this.options, options.spec, options.sandbox);
    const { now, schedule } = this.options;
    const key = `${this.keyPrefix}:${this.nextId}` as SessionKey;
    this.nextId += 1;
    const session = new Session({ key, agentId: spec.id, agentName: spec.name, cwd, now, schedule, owner: this });
    const member = this.add(session, spec, cwd);
    member.beganHere = true;
    void this.open(session, member);
    return session;
  }

  /**
   * Restores a session of an earlier window with its conversation; its agent starts with the next message. With
   * `forkOf`, it starts as a fork of that session of the agent.
   */
  restoreSession(asSet: AgentSpec, stored: StoredSession, forkOf?: SessionId): Session {
    const spec = heldSpec(this.options, asSet, stored.snapshot.view.sandbox);
    const { now, schedule } = this.options;
    const { cwd } = stored.snapshot.view;
    const options = { key: stored.key, agentId: spec.id, agentName: spec.name, cwd, stored };
    const session = new Session({ ...options, now, schedule, owner: this });
    this.add(session, spec, cwd, forkOf);
    return session;
  }

  /** Leases the agent that is running for this spec in this folder, or starts it. */
  lease(spec: AgentSpec, cwd: string): AgentLease {
    const held = heldSpec(this.options, spec, undefined);
    return this.take(this.slotFor(placedSpec(this.options, held, cwd), cwd));
  }

  /** Leases every running agent that has answered `initialize`, one per spec. */
  leaseRunning(): readonly AgentLease[] {
    const running = [...this.slots.values()].filter(({ agent }) => agent.can && !agent.hasExited);
    return [...new Map(running.reverse().map((slot) => [slot.spec.id, slot])).values()].map((slot) => this.take(slot));
  }

  /** Stops waiting for the agent to start or the session to open. */
  cancelStart(session: Session): void {
    const member = this.members.get(session);
    if (member) this.endReattach(member);
    member?.restarting?.dispose();
    member?.opening?.abort();
  }

  /**
   * Closes every session and stops every process; resolves when none is left. Remote agents keep working on running
   * turns, and the next window finds their sessions.
   */
  async stopAll(): Promise<void> {
    for (const { agent, sessions } of this.slots.values()) {
      if ([...sessions].some((session) => session.transcript.view.activity.state !== 'idle')) agent.detach();
    }
    for (const session of this.sessions) session.close();
    for (const slot of [...this.slots.values()]) this.end(slot);
    while (this.stopping.size > 0) await Promise.all(this.stopping);
  }

  /** See `SessionOwner`. */
  restart(session: Session, isFresh = false): void {
    const member = this.members.get(session);
    if (!member || member.opening) return;
    member.startsFresh = isFresh;
    member.reattach?.pause();
    this.leave(session, member);
    void this.open(session, member);
  }

  /**
   * Continues a session in another folder. Its agent reopens it there, or opens a new one. Resolves to whether the agent remembers the
   * conversation; to undefined if the session couldn't be opened, and the transcript says why.
   */
  async move(session: Session, cwd: string): Promise<boolean | undefined> {
    const member = this.members.get(session);
    if (!member || member.opening) return undefined;
    this.endReattach(member);
    member.slot?.agent.closeSession(session);
    session.agentSide.disconnected(undefined);
    this.leave(session, member);
    member.cwd = cwd;
    member.hasMoved = true;
    // Some agents don't store a session in which nothing was said, and there is nothing to forget.
    const isEmpty = member.beganHere === true && !session.replay.hasConversation;
    session.moveTo(cwd, isEmpty);
    const remembers = await this.open(session, member);
    return isEmpty && remembers === false ? true : remembers;
  }

  /** See `SessionOwner`. */
  endProcess(session: Session): void {
    const slot = this.members.get(session)?.slot;
    if (!slot) return;
    slot.endedIn = session;
    slot.agent.endProcess();
  }

  /** See `SessionOwner`. */
  closed(session: Session): void {
    const member = this.members.get(session);
    if (!member) return;
    this.members.delete(session);
    member.restarting?.dispose();
    this.endReattach(member);
    member.opening?.abort();
    member.slot?.agent.closeSession(session);
    this.leave(session, member);
    this.sessionsChanged.fire();
  }

  override dispose(): void {
    if (this.isDisposed) return;
    // Callers that need to know when the processes have exited call `stopAll` first.
    void this.stopAll();
    super.dispose();
  }

  /** The running agents with their settings. An agent with several processes appears several times. */
  get running(): readonly RunningAgent[] {
    return runningAgents(this.members.values());
  }

  /** Returns the settings of a session's agent; undefined if the session is closed. */
  specOf(session: Session): AgentSpec | undefined {
    return this.members.get(session)?.spec;
  }

  /** Returns the agent that a session is in, if it is running. */
  runningAgentOf(session: Session): Agent | undefined {
    const member = this.members.get(session);
    return member && runningAgents([member])[0]?.agent;
  }

  /** Returns whether a session's agent can suggest edits: by then, the user has also logged in. */
  canSuggest(session: Session): boolean {
    const isReady = session.transcript.view.connection.state === 'ready';
    return (isReady || this.members.get(session)?.onlySuggests === true) && !!this.runningAgentOf(session)?.can?.nes;
  }

  /** Resolves to the agent of this session, started if it isn't running or was retired; rejects as the start does. */
  async agentOf(session: Session, signal: AbortSignal): Promise<RunningAgent> {
    const member = this.members.get(session);
    if (!member) throw new ConnectionClosedError();
    const placing = this.options.placeSession?.(session, member.spec, member.cwd);
    if (placing) await this.place(session, member, placing, signal);
    const { slot: own } = member;
    const slot = own && [...this.slots.values()].includes(own) ? own : this.join(session, member);
    try {
      await abortable(slot.ready, signal);
    } catch (error) {
      if (member.slot === slot && !member.opening) this.leave(session, member);
      throw error;
    }
    session.agentSide.agentKnown(slot.agent.agentVersion, loginMethodsOf(member.spec, slot.agent));
    return { agent: slot.agent, spec: member.spec, cwd: member.cwd };
  }

  /**
   * Opens a session in an agent with another sandbox; ends its turn, if one is running. What is required stays. A session
   * without an agent starts it with the next message.
   */
  changeSandbox(session: Session, mode: SandboxMode): void {
    const member = this.members.get(session);
    if (!member) return;
    member.spec = heldSpec(this.options, member.spec, mode);
    session.showSandbox(member.spec.sandbox ?? 'off');
    if (!member.slot) return;
    member.opening?.abort();
    member.slot.agent.closeSession(session);
    this.leave(session, member);
    session.agentSide.disconnected(undefined);
    void this.open(session, member);
  }

  /** Returns what an agent is held to in a new session for which the user chooses nothing. */
  sandboxFor(spec: AgentSpec): SandboxMode {
    return heldSpec(this.options, spec, undefined).sandbox ?? 'off';
  }

  /** Returns the sandbox that a session's agent runs in. */
  sandboxOf(session: Session): Sandbox | undefined {
    return this.members.get(session)?.slot?.agent.sandbox;
  }

  /**
   * Resolves to what a command that Parley runs for a session runs in: the sandbox of its agent, or one with the same policy that lasts
   * as long as the command. Undefined if the session has none. Rejects if it can't be made.
   */
  async sandboxForCommand(session: Session): Promise<CommandSandbox | undefined> {
    const member = this.members.get(session);
    if (!member || !isSandboxed(member.spec)) return undefined;
    await member.slot?.enclosed();
    const agent = member.slot?.agent;
    if (agent?.sandbox && !agent.hasExited) return { sandbox: agent.sandbox, dispose: () => undefined };
    const spec = placedSpec(this.options, member.spec, member.cwd, session.transcript.view);
    const { sandbox } = await this.launchInTurn(spec, agentOptionsFor(this.options, spec, member.cwd).launch);
    if (!sandbox) throw new Error('There is no sandbox for this command');
    this.follow(sandbox, () => [session]);
    return { sandbox, dispose: () => sandbox.dispose() };
  }

  /** Asks the agent again to open a session that waits for a login. */
  reopen(session: Session): void {
    const member = this.members.get(session);
    if (member && !member.opening) void this.open(session, member);
  }

  /**
   * Assigns no more sessions to this agent's running processes. Each process keeps running as long as it has a session.
   */
  retire(id: AgentId): void {
    for (const { spec, slot } of this.members.values()) if (spec.id === id && slot) this.removeSlot(slot);
  }

  private add(session: Session, spec: AgentSpec, cwd: string, forkOf?: SessionId): Member {
    const member: Member = { spec, cwd, forkOf, startsFresh: false, slot: undefined, opening: undefined };
    this.members.set(session, member);
    session.placeAgent(placeOf(spec));
    session.showSandbox(spec.sandbox ?? 'off');
    session.onDidChangeState(() => this.sessionsChanged.fire());
    this.sessionsChanged.fire();
    return member;
  }

  /** Resolves to whether the agent remembers the conversation, and to undefined if the session isn't open. */
  private async open(session: Session, member: Member): Promise<boolean | undefined> {
    const opening = new AbortController();
    member.opening = opening;
    member.restarting?.dispose();
    member.restarting = undefined;
    member.onlySuggests = false;
    let slot: Slot | undefined;
    try {
      const placing = this.options.placeSession?.(session, member.spec, member.cwd);
      const placed = placing && (await this.place(session, member, placing, opening.signal));
      slot = this.join(session, member);
      const remembers = await this.connect(session, member, slot, opening.signal);
      placed?.opened();
      return remembers;
    } catch (error) {
      // Otherwise, the session is being opened in another sandbox.
      if (member.opening !== opening) return undefined;
      if (slot) await this.giveUp(session, member, slot, error, opening.signal);
      else this.notPlaced(session, member, error, opening.signal);
      return undefined;
    } finally {
      if (member.opening === opening) member.opening = undefined;
    }
  }

  /** Moves a session into the place that is made for it. */
  private async place(
    session: Session,
    member: Member,
    placing: Promise<PlacedSession>,
    signal: AbortSignal,
  ): Promise<PlacedSession> {
    session.agentSide.connecting('starting');
    const placed = await abortable(placing, signal);
    if (placed.cwd !== member.cwd) {
      member.cwd = placed.cwd;
      member.hasMoved = true;
      session.moveTo(placed.cwd, member.beganHere === true && !session.replay.hasConversation);
    }
    return placed;
  }

  /** There is no place for the session, so its agent doesn't start. */
  private notPlaced(session: Session, member: Member, error: unknown, signal: AbortSignal): void {
    member.opening = undefined;
    if (session.isClosed) return;
    if (signal.aborted) session.agentSide.startCancelled();
    else session.agentSide.disconnected(sandboxNotMade(member.spec.name, messageOf(error)));
  }

  private join(session: Session, member: Member): Slot {
    const slot = this.slotFor(placedSpec(this.options, member.spec, member.cwd, session.transcript.view), member.cwd);
    if (member.slot !== slot) this.leave(session, member);
    member.slot = slot;
    slot.sessions.add(session);
    return slot;
  }

  private async connect(session: Session, member: Member, slot: Slot, signal: AbortSignal): Promise<boolean> {
    const { agent } = slot;
    session.agentSide.connecting('starting');
    await abortable(slot.ready, signal);
    session.agentSide.agentKnown(agent.agentVersion, loginMethodsOf(member.spec, agent));
    session.agentSide.connecting('opening');
    const remembers = await openInAgent(session, agent, member, this.options, signal);
    member.startsFresh = false;
    member.hasMoved = false;
    const isIdle = session.transcript.view.activity.state === 'idle';
    member.reattach?.succeeded({ remembers, work: !isIdle ? 'runs' : agent.saysState ? 'idle' : 'unknown' });
    member.reattach = undefined;
    return remembers;
  }

  /** The connection to a remote agent was lost while the session was open. */
  private lost(session: Session, member: Member, loss: LinkLoss): void {
    if (member.reattach) {
      this.reattach(session, member, loss);
      return;
    }
    const hadTurn = session.transcript.view.activity.state !== 'idle';
    if (this.askedForToken(session, member, loss)) return;
    session.agentSide.disconnected(undefined);
    const { now, schedule } = this.options;
    member.reattach = new Reattach(session, hadTurn, { agent: member.spec.name, now, schedule, random: Math.random });
    this.reattach(session, member, loss);
  }

  /** Connects a restored session of a remote agent, which may have continued without this window. */
  reconnect(session: Session): void {
    const member = this.members.get(session);
    if (!member || member.opening || member.spec.url === undefined) return;
    const { now, schedule } = this.options;
    member.reattach = new Reattach(session, false, { agent: member.spec.name, now, schedule, random: Math.random });
    void this.open(session, member);
  }

  /** The user ended the agent's process in another session. */
  private openAgain(session: Session, member: Member, { can, loss }: Agent): void {
    const { name } = member.spec;
    if (loss) {
      this.lost(session, member, { kind: 'ended', reason: l10n.t('It was closed in another session.') });
      return;
    }
    if (isAtWork(session.transcript.view)) {
      // They were to follow a turn that was cut off.
      session.queue.hold();
      const remembers = can?.resume === true || can?.loadSession === true;
      session.agentSide.disconnected(endedElsewhere(name, remembers));
    } else session.agentSide.disconnected(undefined);
    void this.open(session, member);
  }

  /** The agent has crashed, and starts again by itself after a wait. */
  private startAgain(session: Session, member: Member, exit: AgentExit, waitMs: number): void {
    const wasAtWork = isAtWork(session.transcript.view);
    // Messages that were to follow a turn that was cut off.
    if (wasAtWork) session.queue.hold();
    session.agentSide.disconnected(agentRestarts(member.spec.name, exit, wasAtWork));
    member.restarting = this.options.schedule(waitMs, () => {
      member.restarting = undefined;
      if (this.members.get(session) === member && !member.opening && !member.slot) void this.open(session, member);
    });
  }

  private reattach(session: Session, member: Member, loss: LinkLoss): void {
    const open = () => {
      if (this.members.get(session) === member && !member.opening) void this.open(session, member);
    };
    if (member.reattach?.again(loss, open) === true) return;
    member.reattach = undefined;
    session.agentSide.disconnected(agentLost(member.spec.name, loss.reason));
  }

  private endReattach(member: Member): void {
    member.reattach?.dispose();
    member.reattach = undefined;
  }

  /** Shows a login card if the server needs another token and the user can enter one. */
  private askedForToken(session: Session, member: Member, loss: LinkLoss | undefined): boolean {
    const methods = loss?.kind === 'login' ? tokenMethods(member.spec) : [];
    if (methods.length === 0) return false;
    this.endReattach(member);
    session.agentSide.agentKnown('', methods);
    session.agentSide.awaitLogin();
    session.login.ask();
    return true;
  }

  private async giveUp(
    session: Session,
    member: Member,
    slot: Slot,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const { agent } = slot;
    const { name } = member.spec;
    if (isAuthRequired(error) && !signal.aborted && !agent.hasExited && agent.can) {
      // The agent keeps running, because the login uses it, too.
      member.opening = undefined;
      session.agentSide.awaitLogin();
      session.login.ask();
      return;
    }
    if (isMethodNotFound(error) && !signal.aborted && !agent.hasExited && agent.can?.nes) {
      member.opening = undefined;
      member.onlySuggests = true;
      session.agentSide.disconnected(onlySuggestsEdits(name));
      return;
    }
    // The exit explains why the connection closed.
    const exit = error instanceof ConnectionClosedError ? await agent.exited : undefined;
    member.opening = undefined;
    if (member.slot === slot) this.leave(session, member);
    if (session.isClosed) return;
    const { loss } = agent;
    if (!signal.aborted && this.askedForToken(session, member, loss)) return;
    if (!signal.aborted && loss && isPassing(loss) && (member.reattach ?? exit)) {
      if (!member.reattach) this.lost(session, member, loss);
      else {
        session.agentSide.disconnected(undefined);
        this.reattach(session, member, loss);
      }
      return;
    }
    this.endReattach(member);
    if (signal.aborted) session.agentSide.startCancelled();
    else if (isEndedElsewhere(slot, session)) this.openAgain(session, member, agent);
    else if (exit) session.agentSide.disconnected(agentExited(name, exit));
    else session.agentSide.disconnected(redactFailure(openFailure(name, agent, error), (text) => agent.redact(text)));
  }

  /** Returns the running or starting agent that this session can share, or a new one. */
  private slotFor(spec: AgentSpec, cwd: string): Slot {
    const key = programKey(spec, cwd);
    const shared = this.slots.get(key);
    if (shared && !shared.agent.hasExited) return shared;
    const options = agentOptionsFor(this.options, spec, cwd);
    let launching: Promise<AgentLaunch> | undefined;
    const agent = new Agent({ ...options, launch: () => (launching = this.launchInTurn(spec, options.launch)) });
    const start = new AbortController();
    const notices: Slot['notices'][number][] = [];
    const ready = startAgent(agent, spec, this.options.configureAgent, notices, start.signal);
    const enclosed = () => (isSandboxed(spec) ? launching?.catch(() => undefined) : undefined);
    const slot: Slot = { spec, agent, ready, notices, start, enclosed, sessions: new Set(), leases: 0 };
    agent.askToWait = (seconds, mayDownload) => {
      for (const session of slot.sessions) session.agentSide.startIsSlow(seconds, mayDownload);
      return slot.sessions.size > 0;
    };
    agent.useSandbox = (sandbox) => {
      sandbox.onDidBlock(({ kind }) => {
        if (kind === 'lost') slot.isHoldLost = true;
      });
      this.follow(sandbox, () => [...slot.sessions]);
    };
    // Each session reports the failure through its own waiting.
    ready.then(
      () => this.started.fire(),
      () => this.end(slot),
    );
    agent.account.onDidChange(() => this.sessionsChanged.fire());
    agent.onDidLoseSession(({ session, loss }) => {
      const member = this.members.get(session);
      if (member?.slot === slot && !member.opening) this.lost(session, member, loss);
    });
    agent.onDidExit((exit) => {
      this.end(slot);
      const waitMs = this.waitAfter(slot, exit);
      for (const session of [...slot.sessions]) {
        const member = this.members.get(session);
        // Sessions that are being opened give up on their own.
        if (member?.slot !== slot || member.opening) continue;
        this.leave(session, member);
        const { loss } = agent;
        if (isEndedElsewhere(slot, session)) this.openAgain(session, member, agent);
        else if (loss && isPassing(loss)) this.lost(session, member, loss);
        else if (waitMs !== undefined) this.startAgain(session, member, exit, waitMs);
        else if (!this.askedForToken(session, member, loss))
          session.agentSide.disconnected(agentExited(spec.name, exit));
      }
    });
    this.slots.set(key, slot);
    const running = new Set([...this.slots.values()].map((other) => other.agent.traffic));
    this.logs.add({ agentName: spec.name, startedAt: agent.startedAt, traffic: agent.traffic }, running);
    return slot;
  }

  /** How long to wait before an agent that has exited starts again; undefined if that is the user's decision. */
  private waitAfter({ agent, spec, isHoldLost }: Slot, exit: AgentExit): number | undefined {
    const { wanted, fault, unreachable } = exit;
    const isCrash = !wanted && fault === undefined && unreachable === undefined && isHoldLost !== true;
    // Without its own memory of a session, the agent would start a new one.
    const remembers = agent.can?.resume === true || agent.can?.loadSession === true;
    return isCrash && remembers && !agent.loss ? this.crashes.next(spec.id, this.options.now()) : undefined;
  }

  /**
   * Starts a sandbox once those of agents that are stopping are gone: they take back what they have put into the folders, which can be the
   * same.
   */
  private async launchInTurn(spec: AgentSpec, launch: () => Promise<AgentLaunch>): Promise<AgentLaunch> {
    if (isSandboxed(spec)) await Promise.all(this.leaving);
    return launch();
  }

  /** Lets these sessions decide about a sandbox's connections, and shows there what it has blocked. */
  private follow(sandbox: Sandbox, sessions: () => readonly Session[]): void {
    const { decideHost, sandboxBlocked } = this.options;
    if (decideHost) sandbox.askHost = (target, signal) => decideHost(sessions(), target, signal, sandbox.policy);
    sandbox.onDidBlock((blocked) => sandboxBlocked?.(sessions(), blocked, sandbox.policy));
  }

  private take(slot: Slot): AgentLease {
    return leaseOf(slot, () => this.end(slot));
  }

  private leave(session: Session, member: Member): void {
    const { slot } = member;
    member.slot = undefined;
    if (!slot) return;
    slot.sessions.delete(session);
    if (slot.sessions.size + slot.leases === 0) this.end(slot);
  }

  private removeSlot(slot: Slot): void {
    for (const [key, other] of this.slots) if (other === slot) this.slots.delete(key);
  }

  /** Assigns no more sessions to this agent and stops its process. */
  private end(slot: Slot): void {
    this.removeSlot(slot);
    slot.start.abort();
    const stopped = slot.agent.stop().finally(() => {
      slot.agent.dispose();
      this.stopping.delete(stopped);
    });
    this.stopping.add(stopped);
    const { enclosed } = slot;
    if (!isSandboxed(slot.spec)) return;
    const left = stopped.then(enclosed, enclosed).finally(() => this.leaving.delete(left));
    this.leaving.add(left);
  }
}
