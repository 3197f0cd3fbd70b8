import * as l10n from '@vscode/l10n';
import { AcpConnection } from '../acp/connection';
import type { AgentCapabilities, InitializeInfo, OpenedSession } from '../acp/decodeAgent';
import type { AuthMethod } from '../acp/decodeAuth';
import type { Dialect } from '../acp/dialect';
import { ConnectionClosedError, internal, isConnectionClosed } from '../acp/errors';
import { agentMethods, type AcpNotification, type AcpRequest } from '../acp/methods';
import type { OpenMethod } from '../acp/openingSetup';
import { ndjson } from '../acp/ndjson';
import { secretVariablesOf } from '../acp/redactText';
import { TrafficLog } from '../acp/traffic';
import type { AgentExit } from '../session/failures';
import type { ProcessExit } from '../session/services';
import type { Session } from '../session/session';
import { Disposable } from '../shared/disposable';
import { Emitter } from '../shared/event';
import type { SessionId } from '../shared/ids';
import { abortable } from './abortable';
import { AgentAccount } from './agentAccount';
import type { AgentOptions } from './agentOptions';
import { startAgentProcess, type AgentLaunch, type AgentProcess } from './agentProcess';
import { serveClient } from './clientHandlers';
import { editorSessions } from './editorSessions';
import type { Handshake } from './handshake';
import { handshakeWithTimeout } from './handshakeTime';
import { LineLog } from './lineLog';
import { loginMeta, secretsOf, type LoginAnswer } from './loginAnswer';
import { knownIdOf } from './openSession';
import { allOffered } from './offeredCapabilities';
import { quirksOf, type AgentQuirks } from './quirks';
import { replayed } from './replayEnd';
import { SecretRedactor } from './secretRedactor';
import { SessionRoutes } from './sessionRoutes';
import type { SessionSetup } from './sessionSetup';
import { WaitingRequests } from './waitingRequests';

/** How long a process may keep running after it has closed its output, in milliseconds. */
const closedGrace = 2_000;

/** One process of an agent, its connection, and its sessions. Can be started only once. */
export class Agent extends Disposable {
  readonly traffic: TrafficLog;
  readonly startedAt: number;
  /** Resolves when the process has exited and its connection is closed; never rejects. */
  readonly exited: Promise<AgentExit>;
  readonly account = this.register(new AgentAccount());
  private resolveExited!: (exit: AgentExit) => void;
  private readonly options: AgentOptions;
  private readonly routes: SessionRoutes;
  private readonly waiting = new WaitingRequests();
  private readonly redactor = new SecretRedactor();
  private process: AgentProcess | undefined;
  private connection: AcpConnection | undefined;
  private agreed: Handshake | undefined;
  private exit: AgentExit | undefined;
  private isEndWanted = false;
  /** The agent closed its output but keeps running, so Parley is stopping it. */
  private isMute = false;
  private starting: Promise<void> | undefined;
  private readonly stopWanted = new AbortController();
  private stopping: Promise<void> | undefined;
  private readonly exitEmitter = this.register(new Emitter<AgentExit>());
  /** Fires once, when the process has exited after a successful start or during it. */
  readonly onDidExit = this.exitEmitter.event;

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
    return this.info?.authMethods ?? [];
  }

  get hasExited(): boolean {
    return this.exit !== undefined || this.stopping !== undefined || this.isMute;
  }

  get pid(): number | undefined {
    return this.process?.pid;
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
   * messages about the session that arrive before the response. Rejects with the agent's error,
   * `ConnectionClosedError`, or cancellation.
   */
  async openSession(session: Session, how: OpenMethod, setup: SessionSetup, signal: AbortSignal): Promise<void> {
    const dialect = this.spoken();
    const knownId = knownIdOf(how);
    session.useDialect(dialect);
    const route = this.routes.begin(session, knownId);
    const connection = this.waiting.of(session, this.connected());
    let opened: OpenedSession | undefined;
    let sessionId: SessionId | undefined;
    try {
      opened = await dialect.openSession(connection, this.info?.can, how, setup, signal);
      if (how.method === 'load' && this.quirks.loadsLate) {
        const count = () => this.routes.heldOf(how.sessionId);
        await abortable(replayed(count, this.options.schedule), signal);
        if (this.hasExited) throw new ConnectionClosedError();
      }
      sessionId = knownId ?? opened.sessionId;
      if (sessionId === undefined) throw internal(l10n.t('The agent didn’t return a session ID.'));
      if (session.isClosed) sessionId = undefined;
    } finally {
      const early = this.routes.settle(route, sessionId);
      const isLoaded = how.method === 'load' && sessionId !== undefined;
      const isKept = isLoaded && session.hasConversation;
      if (isKept) session.compareReplay(dialect.updatesToShow(early, 'load', this.quirks));
      else if (isLoaded) session.beginReplay();
      // If the conversation is already shown, only the session's current options are new.
      const method = isKept ? 'resume' : how.method;
      const shown = dialect.updatesToShow(early, method, this.quirks);
      for (const update of shown) this.routes.deliver(sessionId, update);
    }
    if (sessionId === undefined) return;
    const { beforeTurn, readContext } = this.options.services;
    const channel = dialect.createChannel(connection, sessionId, {
      can: this.info?.can,
      readContext,
      redact: (text) => this.redact(text),
      beforeTurn: () => beforeTurn?.(session.key),
    });
    session.opened(channel, { ...opened, ...setup.kept }, knownId === undefined);
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
      const launch = await this.launch(signal);
      const connection = this.connected();
      const agreed = await handshakeWithTimeout(connection, this.options, launch, () => this.logTail(), signal);
      this.agreed = agreed;
      const sessions = editorSessions(this.routes, this.options.services.files, () => this.quirks);
      agreed.dialect.serveEditor(connection, sessions, this.options.offered ?? allOffered);
      this.askAccount();
    } catch (error) {
      // The exit explains why the connection closed, so wait for it briefly before killing the process.
      if (isConnectionClosed(error) && this.process) await abortable(this.exited, signal).catch(() => undefined);
      // Not `stop`, which waits for this function.
      await this.process?.stop();
      throw error;
    }
  }

  private async launch(signal: AbortSignal): Promise<AgentLaunch> {
    const { name, guard, log } = this.options;
    const launch = await abortable(this.options.launch(), signal);
    const { secretVariables: asked = [], env } = launch;
    const variables = [...this.options.secretVariables, ...asked, ...secretVariablesOf(env)];
    this.hide(variables.map((variable) => env[variable] ?? ''));
    signal.throwIfAborted();
    const process = await startAgentProcess(launch, guard ? { guard } : {});
    this.process = process;
    log?.(`${name}: started ${launch.command} as process ${process.pid} in ${launch.cwd}`);
    const lines = new LineLog((text) => log?.(`${name}: ${this.redact(text)}`));
    this.register(process.onDidWriteStderr((text) => lines.push(text)));
    process.onDidExit((exit) => {
      lines.flush();
      log?.(`${name}: process ${process.pid} ended (${exit.signal ?? exit.exitCode ?? 'unknown'})`);
      // Some output may still be unread: stdout has ended, and the connection ends when everything is handled.
      void Promise.resolve(this.connection?.ended).then(() => this.ended(exit));
    });
    signal.throwIfAborted();
    const connection = new AcpConnection(ndjson({ input: process.stdout, output: process.stdin }), {
      traffic: this.traffic,
      onNoise: (line) => log?.(`${name}: not protocol: ${this.redact(line)}`),
    });
    this.connection = connection;
    this.register(connection);
    serveClient(connection, this.routes, this.waiting, this.options, this);
    this.account.listen(connection);
    connection.onDidClose(() => {
      // An agent that has closed its output is useless, even if it keeps running.
      if (!this.hasExited) this.register(this.options.schedule(closedGrace, () => this.endMute()));
    });
    connection.listen();
    return launch;
  }

  private ended(exit: ProcessExit): void {
    this.exit = { ...exit, logTail: this.logTail(), wanted: this.isEndWanted, ...this.fault() };
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
