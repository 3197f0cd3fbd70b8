import * as l10n from '@vscode/l10n';
import type { AcpConnection } from '../../acp/wire/connection';
import type { AgentCapabilities, InitializeInfo, OpenedSession } from '../../acp/decode/decodeAgent';
import type { AuthMethod } from '../../acp/decode/decodeAuth';
import type { Dialect } from '../../acp/dialect/dialect';
import { ConnectionClosedError, internal, isConnectionClosed } from '../../acp/base/errors';
import type { AcpNotification, AcpRequest } from '../../acp/base/method';
import { agentMethods } from '../../acp/wire/methods';
import { askSessionOptions } from '../../acp/dialect/newerParts';
import { openingParams } from '../../acp/dialect/openingParams';
import { knownIdOf, type OpenMethod } from '../../acp/shape/openingSetup';
import { secretVariablesOf } from '../../acp/base/redactText';
import { TrafficLog } from '../../acp/wire/traffic';
import type { Transport } from '../../acp/wire/transport';
import type { AgentExit } from '../../session/failures';
import type { ProcessExit } from '../../session/services';
import type { Session } from '../../session/session';
import type { ConfigOption } from '../../shared/transcript/transcript';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import type { SessionId } from '../../shared/values/ids';
import type { Sandbox } from '../../shared/limits/sandbox';
import { abortable } from '../base/abortable';
import { AgentAccount } from './agentAccount';
import type { AgentOptions } from '../handshake/agentOptions';
import { startAgentProcess, type AgentLaunch, type AgentProcess } from '../process/agentProcess';
import type { Handshake } from '../handshake/handshake';
import type { AskToWait } from '../handshake/handshakeTime';
import { isMessage } from '../routes/heldUpdates';
import { LineLog } from './lineLog';
import type { LinkOptions } from '../remote/link';
import { hostOf } from '../remote/linkWords';
import { secretsOfTarget } from '../remote/secretsOfTarget';
import { loginMeta, secretsOf, type LoginAnswer } from './loginAnswer';
import { allOffered } from '../spec/offeredCapabilities';
import { quirksOf, type AgentQuirks } from '../base/quirks';
import type { RemoteAgent } from '../remote/remoteAgent';
import type { LinkLoss } from '../remote/remoteTarget';
import { replayed } from './replayEnd';
import { SecretRedactor } from './secretRedactor';
import { SessionRoutes } from '../routes/sessionRoutes';
import { spelledChannel, spelledFolders } from './spelledPaths';
import type { SessionSetup } from './sessionSetup';
import { VendorCalls } from '../vendor/vendorCalls';
import { drainsQueue } from '../vendor/vendorMethods';
import { WaitingRequests } from '../routes/waitingRequests';
import type * as wireModule from './wire';

/** What speaks with agents. Loaded with the first one, while its program is looked up. */
type Wire = typeof wireModule;

/** How long a process may keep running after it has closed its output, in milliseconds. */
const closedGrace = 2_000;

/** One process of an agent, its connection, and its sessions. Can be started only once. */
export class Agent extends Disposable {
  readonly traffic: TrafficLog;
  readonly startedAt: number;
  /** Resolves when the process has exited and its connection is closed; never rejects. */
  readonly exited: Promise<AgentExit>;
  readonly account = this.register(new AgentAccount());
  /** What only certain agents can be asked. */
  readonly vendor = new VendorCalls(
    () => this.info?.agentName ?? '',
    () => this.connected(),
  );
  private resolveExited!: (exit: AgentExit) => void;
  private readonly options: AgentOptions;
  private readonly routes: SessionRoutes;
  private readonly waiting = new WaitingRequests();
  private readonly redactor = new SecretRedactor();
  private process: AgentProcess | RemoteAgent | undefined;
  private connection: AcpConnection | undefined;
  private agreed: Handshake | undefined;
  private exit: AgentExit | undefined;
  private isEndWanted = false;
  /** The agent closed its output but keeps running, so Parley is stopping it. */
  private isMute = false;
  /** The process is only asked whether it supports a newer protocol version. Its end isn't the agent's. */
  private isTrial = false;
  private trialExit: ProcessExit | undefined;
  private starting: Promise<void> | undefined;
  private readonly stopWanted = new AbortController();
  private stopping: Promise<void> | undefined;
  private readonly exitEmitter = this.register(new Emitter<AgentExit>());
  /** Fires once, when the process has exited after a successful start or during it. */
  readonly onDidExit = this.exitEmitter.event;

  private readonly sessionLostEmitter = this.register(
    new Emitter<{ readonly session: Session; readonly loss: LinkLoss }>(),
  );
  /** Fires when the messages of one session of a remote agent no longer arrive, while the connection stays. */
  readonly onDidLoseSession = this.sessionLostEmitter.event;

  constructor(options: AgentOptions) {
    super();
    this.options = options;
    this.startedAt = options.now();
    this.exited = new Promise((resolve) => (this.resolveExited = resolve));
    this.traffic = new TrafficLog({ now: options.now, redactor: this.redactor });
    this.routes = new SessionRoutes(options.services.terminals, (text) => this.traffic.note(text));
  }

  /** The agent's protocol dialect; undefined before it has answered `initialize`. */
  get dialect(): Dialect | undefined {
    return this.agreed?.dialect;
  }

  /** The agent's capabilities; undefined before `start` has succeeded. */
  get can(): AgentCapabilities | undefined {
    return this.info?.can;
  }

  private get info(): InitializeInfo | undefined {
    return this.agreed?.info;
  }

  get agentVersion(): string {
    return this.info?.agentVersion ?? '';
  }

  /** The agent's deviations from the protocol. */
  get quirks(): AgentQuirks {
    return quirksOf(this.info?.agentName ?? '');
  }

  /** The agent's login methods that Parley supports. */
  get authMethods(): readonly AuthMethod[] {
    const methods = this.info?.authMethods ?? [];
    // Programs and environments of this machine don't reach an agent on another one.
    const isHere = ({ type }: AuthMethod) => type === 'terminal' || type === 'command' || type === 'env_var';
    return this.remote ? methods.filter((method) => !isHere(method)) : methods;
  }

  get hasExited(): boolean {
    return this.exit !== undefined || this.stopping !== undefined || this.isMute;
  }

  get pid(): number | undefined {
    return this.process && 'pid' in this.process ? this.process.pid : undefined;
  }

  /** Why the connection to a remote agent was lost; undefined while there is one, and for a process. */
  get loss(): LinkLoss | undefined {
    return this.remote?.loss;
  }

  /** Whether the agent says when it is at work. */
  get saysState(): boolean {
    return (this.dialect?.version ?? 1) > 1;
  }

  private get remote(): RemoteAgent | undefined {
    return this.process && 'target' in this.process ? this.process : undefined;
  }

  /** Removes these values from everything that is logged or shown from now on. */
  hide(secrets: readonly string[]): void {
    this.redactor.hide(secrets);
  }

  /** Removes the secrets of this agent's settings from a text that the user will see. */
  redact(text: string): string {
    return this.redactor.redactText(text);
  }

  /** Returns the end of the agent's stderr, without secrets. */
  logTail(): string {
    return this.redactor.redactText(this.process?.stderrTail() ?? '');
  }

  /** Called with the agent's sandbox before anything runs in it. */
  useSandbox: ((sandbox: Sandbox) => void) | undefined;
  /** What the process runs in, and its commands, too. */
  sandbox: Sandbox | undefined;

  /** Called if the start takes long. */
  askToWait: AskToWait | undefined;

  /**
   * Starts the process and performs the handshake. Rejects with a `SpawnFailure`, a `FailureError`, the agent's own
   * error, or `ConnectionClosedError` if the process exited in the meantime (see `exited`). No process is left after a
   * rejection.
   */
  start(signal: AbortSignal): Promise<void> {
    this.starting = this.startProcess(AbortSignal.any([signal, this.stopWanted.signal]));
    return this.starting;
  }

  /**
   * Opens a session and connects it to the agent: `session/new`, `resume`, `load`, or `fork`. Keeps the agent's
   * messages about the session that arrive before the response. Resolves to whether the agent continues the conversation
   * shown. Rejects with the agent's error, `ConnectionClosedError`, or cancellation.
   */
  async openSession(session: Session, how: OpenMethod, setup: SessionSetup, signal: AbortSignal): Promise<boolean> {
    const dialect = this.spoken();
    const knownId = knownIdOf(how);
    if (knownId !== undefined && this.routes.isTaken(knownId, session)) {
      throw internal(l10n.t('It’s already open in another tab of this window.'));
    }
    session.agentSide.useDialect(dialect, knownId !== undefined);
    // A conversation that isn't shown yet appears while the agent replays it.
    const isReplayed = how.method === 'load' && !session.replay.hasConversation;
    const replay = { count: 0, hasMessages: false };
    const show = (update: unknown) => {
      if (replay.count === 0) session.replay.begin();
      replay.count += 1;
      replay.hasMessages ||= isMessage(update);
      return dialect.updatesToShow([update], 'load', this.quirks);
    };
    const route = this.routes.begin(session, knownId, isReplayed ? show : undefined);
    const connection = this.waiting.of(session, this.connected());
    let opened: OpenedSession | undefined;
    let sessionId: SessionId | undefined;
    let remembers = how.method !== 'new';
    try {
      opened = await dialect.openSession(connection, this.info?.can, how, spelledFolders(setup), signal);
      if (how.method === 'load') {
        const held = () => this.routes.heldOf(how.sessionId);
        const hasMessages = replay.hasMessages || held().some(isMessage);
        // The protocol has the history before the answer, but some agents answer first.
        const isBehind = () => session.replay.lacksLast(dialect.updatesToShow(held(), 'load', this.quirks));
        if (this.quirks.loadsLate || !hasMessages || (!isReplayed && this.remote === undefined && isBehind())) {
          const count = () => replay.count + held().length;
          await abortable(replayed(count, this.options.schedule), signal);
          if (this.hasExited) throw new ConnectionClosedError();
        }
      }
      const givenId = knownId ?? opened.sessionId;
      if (givenId === undefined) throw internal(l10n.t('The agent didn’t return a session ID.'));
      if (knownId === undefined && this.routes.isTaken(givenId, session)) {
        throw internal(l10n.t('The agent returned the ID of another open session.'));
      }
      sessionId = givenId;
      if (session.isClosed) sessionId = undefined;
    } finally {
      const early = this.routes.settle(route, sessionId);
      const isLoaded = how.method === 'load' && sessionId !== undefined;
      const isKept = isLoaded && !isReplayed;
      // A server may remember a session without replaying it to a client that was connected before.
      const isSilent = this.remote !== undefined && !early.some(isMessage);
      if (isKept && !isSilent) {
        const updates = dialect.updatesToShow(early, 'load', this.quirks);
        remembers = session.replay.compare(updates, this.remote !== undefined);
      } else if (isReplayed && (isLoaded ? replay.count === 0 : replay.count > 0)) {
        // Nothing is left of a replay that failed.
        session.replay.begin();
      }
      // If the conversation is already shown, only the session's current options are new.
      const method = isKept ? 'kept' : how.method;
      const shown = dialect.updatesToShow(early, method, this.quirks);
      for (const update of shown) this.routes.deliver(sessionId, update);
    }
    if (sessionId === undefined) return false;
    const { beforeTurn, readContext } = this.options.services;
    const channel = dialect.createChannel(connection, sessionId, {
      can: this.info?.can,
      readContext,
      redact: (text) => this.redact(text),
      beforeTurn: () => beforeTurn?.(session.key),
    });
    const vendor = {
      ...(drainsQueue(this.info?.agentName ?? '') ? { drainsQueue: true as const } : {}),
      ...(this.vendor.offers('sideQuestion') || this.can?.fork ? { takesAsides: true as const } : {}),
      ...(this.vendor.offers('goal') ? { takesGoals: true as const } : {}),
      ...(this.vendor.offers('rewind') ? { rewinds: true as const } : {}),
    };
    const opening = { ...opened, ...setup.kept };
    session.agentSide.opened({ ...spelledChannel(channel), ...vendor }, opening, knownId === undefined);
    return remembers;
  }

  /** Asks which options a new session would start with. Call only if `can.sessionOptions` is true; rejects as requests do. */
  askSessionOptions(
    place: Pick<SessionSetup, 'cwd' | 'additionalDirectories'>,
    signal: AbortSignal,
  ): Promise<readonly ConfigOption[]> {
    return askSessionOptions(this.connected(), openingParams(this.can, place), signal);
  }

  /** Sends a request that isn't about an open session. Rejects as requests do. */
  ask<P, R>(method: AcpRequest<P, R>, params: NoInfer<P>, signal?: AbortSignal): Promise<R> {
    return this.connected().request(method, params, signal);
  }

  /** Sends a notification that isn't about an open session. Does nothing if the connection has closed. */
  tell<P>(method: AcpNotification<P>, params: NoInfer<P>): void {
    this.connected()
      .notify(method, params)
      .catch(() => undefined);
  }

  /** Closes a session: frees its terminals, and notifies the agent if it supports that. */
  closeSession(session: Session): void {
    const sessionId = this.routes.idOf(session);
    this.routes.remove(session);
    const { connection } = this;
    if (sessionId === undefined || !connection || this.hasExited) return;
    // Fails only if the connection does, or if the agent has forgotten the session. Both are fine.
    if (this.can?.close) connection.request(agentMethods.closeSession, { sessionId }).catch(() => undefined);
    else this.remote?.releaseSession(sessionId);
  }

  /**
   * Sends `authenticate` with the user's input, if any. The agent may ask for more in this session. Has no timeout;
   * rejects with the agent's error, `ConnectionClosedError`, or cancellation.
   */
  async authenticate(
    session: Session,
    method: AuthMethod,
    answer: LoginAnswer | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    this.hide(answer ? secretsOf(answer) : []);
    const meta = answer && loginMeta(answer, this.quirks);
    await this.spoken().logIn(this.waiting.of(session, this.connected()), method.id, meta, signal);
    this.askAccount();
  }

  /** Sends `logout`. Call only if `can.logout` is true. */
  async logout(): Promise<void> {
    await this.spoken().logOut(this.connected());
    this.askAccount();
  }

  /** Kills the process at the user's request; `exited` follows. */
  endProcess(): void {
    this.isEndWanted = true;
    this.process?.kill();
  }

  /**
   * Leaves a remote agent at once, without ending its sessions or turns. Does nothing to a process, which can't
   * continue without us.
   */
  detach(): void {
    this.remote?.detach();
  }

  /** Stops the process, politely at first. Resolves when no process is left; may be called again. */
  stop(): Promise<void> {
    return (this.stopping ??= this.stopProcess());
  }

  override dispose(): void {
    // Callers that need to know when the process has exited call `stop`.
    void this.stop();
    super.dispose();
  }

  private async startProcess(signal: AbortSignal): Promise<void> {
    try {
      const [launch, wire] = await Promise.all([this.enteredLaunch(signal), import('./wire')]);
      const agreed =
        (await this.offer(launch, wire, signal)) ?? (await this.agree(launch, wire, wire.requestedDialect, signal));
      this.agreed = agreed;
      this.options.onAgreed?.(agreed.info.agentVersion, agreed.dialect.version);
      const connection = this.connected();
      const sessions = wire.editorSessions(this.routes, this.options.services.files, () => this.quirks);
      agreed.dialect.serveEditor(connection, sessions, this.options.offered ?? allOffered);
      wire.serveVendor(connection, this.routes, agreed.info.agentName);
      this.askAccount();
    } catch (error) {
      // The exit explains why the connection closed, so wait for it briefly before killing the process.
      if (isConnectionClosed(error) && this.process) await abortable(this.exited, signal).catch(() => undefined);
      // Not `stop`, which waits for this function.
      await this.process?.stop();
      throw error;
    }
  }

  /** Resolves to the program to start. Its sandbox ends with this agent, whatever becomes of the start. */
  private async enteredLaunch(signal: AbortSignal): Promise<AgentLaunch> {
    const resolving = this.options.launch();
    void resolving.then(
      ({ sandbox }) => sandbox && this.register(sandbox),
      () => undefined,
    );
    const launch = await abortable(resolving, signal);
    this.sandbox = launch.sandbox;
    if (launch.sandbox) this.useSandbox?.(launch.sandbox);
    return launch;
  }

  /** Offers a newer protocol version. Returns undefined, with no process left, if the agent doesn't support it. */
  private async offer(launch: AgentLaunch, wire: Wire, signal: AbortSignal): Promise<Handshake | undefined> {
    if (this.options.offersNewest !== true) return undefined;
    this.isTrial = true;
    try {
      return await this.agree(launch, wire, wire.offeredDialect, signal);
    } catch (error) {
      // The end of a process may be its answer. A network that fails, or a rejected token, is none.
      const isEnded = isConnectionClosed(error) && (this.loss === undefined || this.loss.kind === 'refused');
      if ((!isEnded && !(error instanceof wire.OfferRefused)) || signal.aborted) throw error;
      const again = this.remote ? 'Parley connects again' : 'It is started again';
      this.traffic.note(`The agent refused the newer protocol version. ${again} for the usual one.`);
      const { process, connection } = this;
      this.process = undefined;
      this.connection = undefined;
      this.trialExit = undefined;
      await process?.stop();
      connection?.dispose();
      return undefined;
    } finally {
      this.isTrial = false;
      if (this.trialExit) this.ended(this.trialExit);
    }
  }

  /** Starts a process and performs the handshake, which begins with this version. */
  private async agree(launch: AgentLaunch, wire: Wire, first: Dialect, signal: AbortSignal): Promise<Handshake> {
    await this.launch(launch, wire, signal);
    const askToWait: AskToWait = (seconds, mayDownload) => this.askToWait?.(seconds, mayDownload) ?? false;
    const logTail = () => this.logTail();
    return wire.handshakeWithTimeout(this.connected(), this.options, launch, logTail, first, signal, askToWait);
  }

  private async launch(launch: AgentLaunch, wire: Wire, signal: AbortSignal): Promise<void> {
    const { name, guard, log } = this.options;
    const { secretVariables: asked = [], secretValues = [], env } = launch;
    const variables = [...this.options.secretVariables, ...asked, ...secretVariablesOf(env)];
    this.hide([...variables.map((variable) => env[variable] ?? ''), ...secretValues]);
    signal.throwIfAborted();
    const { remote } = launch;
    if (remote) {
      // Most windows have no remote agent, so its code is loaded on first use.
      const { RemoteAgent } = await import('../remote/remoteAgent');
      signal.throwIfAborted();
      this.connectRemote(new RemoteAgent(remote, this.linkOptions()), wire);
      return;
    }
    const process = await startAgentProcess(launch, guard ? { guard } : {});
    this.process = process;
    log?.(`${name}: started ${launch.command} as process ${process.pid} in ${launch.cwd}`);
    const lines = new LineLog((text) => log?.(`${name}: ${this.redact(text)}`));
    this.register(process.onDidWriteStderr((text) => lines.push(text)));
    process.onDidExit((exit) => {
      lines.flush();
      log?.(`${name}: process ${process.pid} ended (${exit.signal ?? exit.exitCode ?? 'unknown'})`);
      // Some output may still be unread: stdout has ended, and the connection ends when everything is handled.
      void Promise.resolve(this.connection?.ended).then(() => {
        if (this.process !== process) return;
        if (this.isTrial) this.trialExit = exit;
        else this.ended(exit);
      });
    });
    signal.throwIfAborted();
    this.connect(wire.ndjson({ input: process.stdout, output: process.stdin }), wire);
  }

  /** The counterpart of a process: the agent has exited, for us, when the connection to it has ended. */
  private connectRemote(remote: RemoteAgent, wire: Wire): void {
    const { name, log } = this.options;
    this.process = remote;
    this.hide(secretsOfTarget(remote.target));
    log?.(`${name}: connecting to ${hostOf(remote.target.url)}`);
    remote.onDidExit(() => {
      log?.(`${name}: disconnected (${remote.loss?.kind ?? 'unknown'}) ${this.redact(remote.loss?.reason ?? '')}`);
      void Promise.resolve(this.connection?.ended).then(() => {
        if (this.process !== remote) return;
        if (this.isTrial) this.trialExit = {};
        else this.ended({});
      });
    });
    this.connect(remote.transport, wire);
  }

  private linkOptions(): LinkOptions {
    return {
      schedule: this.options.schedule,
      note: (text) => this.traffic.note(text),
      onSessionLost: (sessionId, loss) => this.sessionLost(sessionId as SessionId, loss),
    };
  }

  private sessionLost(sessionId: SessionId, loss: LinkLoss): void {
    const session = this.routes.sessionOf(sessionId);
    if (!session) return;
    // Its replay is compared with what is shown, so it isn't an open session any more.
    this.routes.remove(session);
    this.sessionLostEmitter.fire({ session, loss });
  }

  private connect(transport: Transport, wire: Wire): void {
    const { name, log } = this.options;
    const connection = new wire.AcpConnection(transport, {
      traffic: this.traffic,
      onNoise: (line) => log?.(`${name}: not protocol: ${this.redact(line)}`),
    });
    this.connection = connection;
    this.register(connection);
    wire.serveClient(connection, this.routes, this.waiting, this.options, this);
    this.account.listen(connection);
    connection.onDidClose(() => {
      // An agent that has closed its output is useless, even if it keeps running.
      if (this.hasExited || this.isTrial) return;
      this.register(this.options.schedule(closedGrace, () => this.endMute()));
    });
    connection.listen();
  }

  private ended(exit: ProcessExit): void {
    this.exit = { ...exit, logTail: this.logTail(), wanted: this.isEndWanted, ...this.fault(), ...this.unreachable() };
    this.routes.removeAll();
    this.exitEmitter.fire(this.exit);
    this.resolveExited(this.exit);
  }

  /** Not `stop`: the caller of `start` must learn why it failed. */
  private endMute(): void {
    if (this.hasExited) return;
    this.isMute = true;
    void this.process?.stop();
  }

  private unreachable(): Pick<AgentExit, 'unreachable'> {
    const { loss } = this;
    return loss ? { unreachable: this.redact(loss.reason) } : {};
  }

  private fault(): Pick<AgentExit, 'fault'> {
    if (this.connection?.sawTooMuch) return { fault: 'tooLong' };
    if (this.connection?.sawNoReading) return { fault: 'notReading' };
    return this.isMute ? { fault: 'outputClosed' } : {};
  }

  private askAccount(): void {
    if (this.can?.authStatus) this.account.ask(this.connected());
  }

  private connected(): AcpConnection {
    if (!this.connection) throw new Error('The agent has not been started');
    return this.connection;
  }

  private spoken(): Dialect {
    if (!this.agreed) throw new Error('The agent has not introduced itself');
    return this.agreed.dialect;
  }

  private async stopProcess(): Promise<void> {
    this.stopWanted.abort();
    // Wait for a process that is being started; the caller of `start` gets its failure.
    await this.starting?.catch(() => undefined);
    await this.process?.stop();
    this.connection?.dispose();
    this.routes.removeAll();
  }
}
