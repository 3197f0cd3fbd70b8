import * as l10n from '@vscode/l10n';
import type { AgentCapabilities } from '../../acp/decode/decodeAgent';
import type { ListedSession } from '../../acp/decode/decodeSessions';
import { isAuthRequired, readableError } from '../../acp/base/errors';
import { abortable } from '../../agent/base/abortable';
import { AgentHistory } from '../../agent/connection/agentHistory';
import type { AgentLease } from '../../agent/pool/agentLease';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { listSessions, sessionStatus } from '../../agent/connection/sessionRequests';
import { isFailureError } from '../../session/failures';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import { SessionStatuses } from './sessionStatuses';

/** The state of an agent's own session list. A problem is a sentence for the user. */
export type ListState = 'loading' | 'ready' | { readonly problem: string; readonly wantsLogin?: boolean };

/** An agent's own session list while the user views it. Keeps the agent running. */
export class AgentSessions extends Disposable {
  readonly spec: AgentSpec;
  private readonly lease: AgentLease;
  private readonly history: AgentHistory;
  private readonly ended = new AbortController();
  private readonly changed = this.register(new Emitter<void>());
  private reached: ListState = 'loading';
  private readonly statuses: SessionStatuses;
  private isLoginWanted = false;
  /** Fires when sessions arrived or a request failed. */
  readonly onDidChange = this.changed.event;

  /** Requests the first page. `cwds` are the absolute paths of the folders whose sessions to list. */
  constructor(lease: AgentLease, cwds: readonly string[]) {
    super();
    this.lease = this.register(lease);
    this.spec = lease.spec;
    this.register({ dispose: () => this.ended.abort() });
    this.history = new AgentHistory(cwds, (cwd, cursor, signal) => listSessions(lease.agent, { cwd, cursor }, signal));
    this.statuses = new SessionStatuses(
      (id) => sessionStatus(lease.agent, id, this.ended.signal).catch((error: unknown) => this.missed(error)),
      () => this.set(this.reached),
    );
    void this.more();
  }

  get state(): ListState {
    return this.reached;
  }

  /** True if the agent would list more sessions after a login. */
  get wantsLogin(): boolean {
    return this.isLoginWanted;
  }

  get sessions(): readonly ListedSession[] {
    return this.history.sessions;
  }

  get hasMore(): boolean {
    return this.reached === 'ready' && this.history.hasMore;
  }

  /** Returns true if the agent has reported that the session is in its memory. */
  isOpen({ sessionId }: ListedSession): boolean {
    return this.statuses.isOpen(sessionId);
  }

  /** Asks the agent, if it supports that, whether these sessions are in its memory. */
  askStatus(sessions: readonly ListedSession[]): void {
    if (this.can?.sessionStatus) this.statuses.want(sessions.map(({ sessionId }) => sessionId));
  }

  /** The agent's capabilities, or undefined before `initialize`. */
  get can(): AgentCapabilities | undefined {
    return this.lease.agent.can;
  }

  /** Requests the next page. Never rejects; see `state`. */
  async more(): Promise<void> {
    this.set('loading');
    const { signal } = this.ended;
    try {
      await abortable(this.lease.ready, signal);
      const { can } = this.lease.agent;
      if (!can?.list) this.set({ problem: l10n.t('{0} can’t list its sessions', this.spec.name) });
      else if (!can.loadSession && !can.resume)
        this.set({ problem: l10n.t('{0} can’t reopen sessions', this.spec.name) });
      else {
        await this.history.more(signal);
        this.set('ready');
      }
    } catch (error) {
      if (signal.aborted) return;
      this.set({ problem: this.wordsFor(error), wantsLogin: isAuthRequired(error) });
    }
  }

  private missed(error: unknown): 'saved' {
    if (!this.isLoginWanted && isAuthRequired(error)) {
      this.isLoginWanted = true;
      this.set(this.reached);
    }
    return 'saved';
  }

  private set(state: ListState): void {
    this.reached = state;
    if (!this.isDisposed) this.changed.fire();
  }

  private wordsFor(error: unknown): string {
    const { name } = this.spec;
    if (isFailureError(error)) return error.failure.title;
    if (isAuthRequired(error)) return l10n.t('Log in to {0} to see its sessions', name);
    return this.lease.agent.redact(l10n.t('Couldn’t get sessions from {0}: {1}', name, readableError(error).message));
  }
}
