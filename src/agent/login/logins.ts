import * as l10n from '@vscode/l10n';
import { errorCodes, isAcpError, isAuthRequired, isConnectionClosed } from '../../acp/base/errors';
import { errorWords } from '../../acp/base/errorWords';
import type { AuthMethod } from '../../acp/decode/decodeAuth';
import { isFailureError, loginFailed } from '../../session/failures';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/values/disposable';
import type { AgentId } from '../../shared/values/ids';
import type { LoginProgress } from '../../shared/transcript/login';
import { abortable } from '../base/abortable';
import type { Agent } from '../connection/agent';
import type { AgentPool } from '../pool/agentPool';
import type { AgentLaunch } from '../process/agentProcess';
import type { AgentSpec } from '../spec/agentSpec';
import type { LoginAnswer } from '../connection/loginAnswer';
import { loginInside, loginLaunch } from './loginLaunch';
import { tokenMethodId, tokenMethods } from '../remote/remoteInputs';
import type { RunningAgent } from '../pool/poolParts';

/** Values for an agent's environment, by variable name. */
export type Variables = Readonly<Record<string, string>>;

/** The editor's part of logins. Questions resolve to undefined if the user dismisses them. */
export interface LoginHost {
  /** Resolves to the program to run for this agent in this folder. */
  resolveLaunch(spec: AgentSpec, cwd: string): Promise<AgentLaunch>;
  /**
   * Runs a program in a visible terminal where the user can type; resolves to its exit code, or to undefined if the
   * terminal was closed.
   */
  runInTerminal(title: string, launch: AgentLaunch, signal: AbortSignal): Promise<number | undefined>;
  /** Opens a page of the agent's login if the user confirms it; resolves to whether it was opened. */
  openPage(agentName: string, address: string, signal: AbortSignal): Promise<boolean>;
  askVariables(
    agentName: string,
    method: AuthMethod & { readonly type: 'env_var' },
    signal: AbortSignal,
  ): Promise<Variables | undefined>;
  askApiKey(agentName: string, methodName: string, signal: AbortSignal): Promise<string | undefined>;
  askGateway(
    agentName: string,
    signal: AbortSignal,
  ): Promise<{ readonly baseUrl: string; readonly headers: Variables } | undefined>;
  /** Asks for other values of a remote agent's inputs and stores them; resolves to false if the user enters none. */
  renewInputs(spec: AgentSpec, signal: AbortSignal): Promise<boolean>;
  /** Deletes the stored values of a remote agent's inputs. */
  forgetInputs(spec: AgentSpec): Promise<void>;
  /** Stores variables for every later start of this agent; an empty set deletes them. */
  keepVariables(spec: AgentSpec, variables: Variables): Promise<void>;
  variablesOf(spec: AgentSpec): Promise<Variables>;
}

/** The result of a login: the agent continues, must be restarted, or the user backed out. */
type Outcome = 'loggedIn' | 'startAnew' | 'backedOut';

/** Runs logins, one at a time per agent. Every session waiting for the agent shows the progress. */
export class Logins extends Disposable {
  private readonly pool: AgentPool;
  private readonly host: LoginHost;
  private readonly running = new Map<AgentId, AbortController>();

  constructor(pool: AgentPool, host: LoginHost) {
    super();
    this.pool = pool;
    this.host = host;
    this.register(pool.onDidChangeSessions(() => this.stopUnwanted()));
  }

  /** Logs in with this method for all sessions of the agent; their transcripts show the progress. Never rejects. */
  async login(session: Session, methodId: string): Promise<void> {
    const spec = this.pool.specOf(session);
    if (!spec || this.running.has(spec.id)) return;
    const stop = new AbortController();
    this.running.set(spec.id, stop);
    this.show(spec, { state: 'running', methodId });
    let name = methodId;
    try {
      if (methodId === tokenMethodId && tokenMethods(spec).length > 0) {
        const isRenewed = await abortable(this.host.renewInputs(spec, stop.signal), stop.signal);
        // A local agent has the old value in its environment.
        if (isRenewed) this.goOn(spec, spec.url === undefined ? 'startAnew' : 'loggedIn');
        else this.show(spec, { state: 'asked' });
        return;
      }
      const running = await this.pool.agentOf(session, stop.signal);
      const method = running.agent.authMethods.find(({ id }) => id === methodId);
      if (!method) throw new Error(l10n.t('{0} no longer offers this login method.', spec.name));
      ({ name } = method);
      const outcome = await abortable(this.carryOut(session, method, running, stop.signal), stop.signal);
      if (outcome === 'backedOut') this.show(spec, { state: 'asked' });
      else this.goOn(spec, outcome);
    } catch (error) {
      const failure = loginFailed(name, this.reasonOf(spec, error));
      this.show(spec, stop.signal.aborted ? { state: 'asked' } : { state: 'failed', ...failure });
    } finally {
      this.running.delete(spec.id);
    }
  }

  /** Cancels the running login for the agent of this session. */
  cancel(session: Session): void {
    const spec = this.pool.specOf(session);
    if (spec) this.running.get(spec.id)?.abort();
  }

  /**
   * Logs out of an agent: notifies its processes that support it, and deletes its stored data. If one refuses, rejects
   * with a readable reason and deletes nothing. An agent that requires a login for this request is already logged out.
   */
  async logout(spec: AgentSpec): Promise<void> {
    try {
      for (const agent of this.agentsOf(spec)) if (agent.can?.logout === true) await logoutOf(agent);
    } catch (error) {
      throw new Error(this.reasonOf(spec, error), { cause: error });
    }
    const hadVariables = Object.keys(await this.host.variablesOf(spec)).length > 0;
    await this.host.keepVariables(spec, {});
    await this.host.forgetInputs(spec);
    const title = l10n.t('Logged out of {0}', spec.name);
    for (const session of this.sessionsOf(spec.id)) session.addNotice({ severity: 'info', title });
    // Running processes still have the values in their environment.
    if (hadVariables) this.startAnew(spec);
  }

  override dispose(): void {
    for (const stop of this.running.values()) stop.abort();
    super.dispose();
  }

  private async carryOut(
    session: Session,
    method: AuthMethod,
    running: RunningAgent,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { agent, spec, cwd } = running;
    switch (method.type) {
      case 'agent':
        await this.withBrowser(running, signal, () => agent.authenticate(session, method, undefined, signal));
        return 'loggedIn';
      case 'terminal':
      case 'command': {
        const launch = await loginLaunch(method, await this.host.resolveLaunch(spec, cwd));
        const title = l10n.t('Log in to {0}', spec.name);
        const exitCode = await this.runInTerminal(running, title, launch, signal);
        if (exitCode === undefined) return 'backedOut';
        if (exitCode !== 0) throw new Error(l10n.t('The program in the terminal exited with code {0}.', exitCode));
        return 'startAnew';
      }
      case 'env_var': {
        const variables = await this.host.askVariables(spec.name, method, signal);
        return variables ? this.withVariables(session, method, spec, variables, signal) : 'backedOut';
      }
      case 'apiKey':
      case 'gateway': {
        const answer = await this.answerTo(method, spec.name, signal);
        if (!answer) return 'backedOut';
        await agent.authenticate(session, method, answer === 'nothing' ? undefined : answer, signal);
        return method.type === 'gateway' && method.needsRestart ? 'startAnew' : 'loggedIn';
      }
    }
  }

  /** Runs a login's program in a terminal, in the sandbox of its agent if it has one. */
  private async runInTerminal(
    running: RunningAgent,
    title: string,
    launch: AgentLaunch,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { sandbox } = running.agent;
    if (!sandbox) return this.host.runInTerminal(title, launch, signal);
    const inside = await loginInside(sandbox, launch);
    let exitCode: number | undefined;
    await this.withBrowser(running, signal, async () => {
      exitCode = await this.host.runInTerminal(title, inside, signal);
    });
    sandbox.ended();
    return exitCode;
  }

  /** Lets a sandboxed agent use the browser, which runs outside, until a login of its own has ended. */
  private async withBrowser(
    { agent, spec }: RunningAgent,
    signal: AbortSignal,
    login: () => Promise<unknown>,
  ): Promise<void> {
    const open = (address: string) => this.host.openPage(spec.name, address, signal);
    const browser = await agent.sandbox?.startLogin(open);
    const end = () => browser?.dispose();
    // Whatever the agent does with a login that was cancelled.
    signal.addEventListener('abort', end, { once: true });
    try {
      await login();
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  }

  /** Restarts the agent with the user's input, which is stored only if the agent accepts it. */
  private async withVariables(
    session: Session,
    method: AuthMethod,
    spec: AgentSpec,
    variables: Variables,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const before = await this.host.variablesOf(spec);
    await this.host.keepVariables(spec, { ...before, ...variables });
    try {
      this.pool.retire(spec.id);
      if (session.transcript.view.connection.state === 'ready') session.agentSide.awaitLogin();
      const { agent } = await this.pool.agentOf(session, signal);
      await agent.authenticate(session, method, undefined, signal).catch((error: unknown) => {
        // With the variables in its environment, the agent may not need `authenticate`.
        if (!(isAcpError(error) && error.code === errorCodes.methodNotFound)) throw error;
      });
    } catch (error) {
      await this.host.keepVariables(spec, before);
      // The process started with the refused values isn't used again either.
      this.pool.retire(spec.id);
      throw error;
    }
    this.moveOver(spec);
    return 'loggedIn';
  }

  private async answerTo(
    method: AuthMethod,
    agentName: string,
    signal: AbortSignal,
  ): Promise<LoginAnswer | 'nothing' | undefined> {
    if (method.type === 'gateway') {
      const gateway = await this.host.askGateway(agentName, signal);
      return gateway && { type: 'gateway', ...gateway };
    }
    const apiKey = await this.host.askApiKey(agentName, method.name, signal);
    if (apiKey === undefined) return undefined;
    return apiKey === '' ? 'nothing' : { type: 'apiKey', apiKey };
  }

  private goOn(spec: AgentSpec, outcome: 'loggedIn' | 'startAnew'): void {
    if (outcome === 'startAnew') this.startAnew(spec);
    for (const session of this.sessionsOf(spec.id)) {
      if (!session.login.card.isAsked) continue;
      if (session.transcript.view.connection.state === 'ready') session.login.done();
      else {
        session.login.card.through();
        this.pool.reopen(session);
      }
    }
  }

  private startAnew(spec: AgentSpec): void {
    this.pool.retire(spec.id);
    this.moveOver(spec);
  }

  /** Moves idle open sessions to a new process of the agent; the others stay until they are closed. */
  private moveOver(spec: AgentSpec): void {
    for (const session of this.sessionsOf(spec.id)) {
      const { activity, connection } = session.transcript.view;
      if (connection.state !== 'ready' || activity.state !== 'idle') continue;
      session.agentSide.disconnected(undefined);
      this.pool.restart(session);
    }
  }

  private show(spec: AgentSpec, progress: LoginProgress): void {
    for (const session of this.sessionsOf(spec.id)) if (session.login.card.isAsked) session.login.card.show(progress);
  }

  private agentsOf({ id }: AgentSpec): readonly Agent[] {
    return this.pool.running.filter(({ spec }) => spec.id === id).map(({ agent }) => agent);
  }

  /** Returns why something failed, without the user's input, because each process knows its own secrets. */
  private reasonOf(spec: AgentSpec, error: unknown): string {
    return this.agentsOf(spec).reduce((text, agent) => agent.redact(text), wordsOf(error));
  }

  private sessionsOf(id: AgentId): readonly Session[] {
    return this.pool.sessions.filter((session) => this.pool.specOf(session)?.id === id);
  }

  /** Cancels a login that no session needs any more. */
  private stopUnwanted(): void {
    for (const [id, stop] of this.running) if (this.sessionsOf(id).length === 0) stop.abort();
  }
}

function logoutOf(agent: Agent): Promise<void> {
  return agent.logout().catch((error: unknown) => {
    if (!isAuthRequired(error)) throw error;
  });
}

function wordsOf(error: unknown): string {
  if (isFailureError(error)) return [error.failure.title, error.failure.cause].filter(Boolean).join(' ');
  if (isConnectionClosed(error)) return l10n.t('The agent has exited.');
  return errorWords(error);
}
