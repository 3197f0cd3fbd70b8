import type { AcpConnection } from '../../acp/wire/connection';
import { decodeAccount } from '../../acp/decode/decodeAccount';
import { isAuthRequired } from '../../acp/base/errors';
import { clientMethods, agentMethods } from '../../acp/wire/methods';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';

/**
 * The account that is logged in to an agent, as far as the agent reports it. Exists as long as the process and is never
 * stored.
 */
export class AgentAccount extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  private shown = '';
  readonly onDidChange = this.changed.event;

  /** For display; empty if unknown. */
  get text(): string {
    return this.shown;
  }

  /** Handles the agent's own reports. */
  listen(connection: AcpConnection): void {
    for (const method of [clientMethods.authStatusUpdate, clientMethods.authStatusUpdateByConvention]) {
      connection.onNotification(method, (params) => this.set(params));
    }
  }

  /** Sends `auth/status`; the response is shown when it arrives. */
  ask(connection: AcpConnection): void {
    // The agent works without an answer. One that requires a login for this request has answered that no account is
    // logged in.
    connection.request(agentMethods.authStatus, {}).then(
      (status: unknown) => this.set(status),
      (error: unknown) => isAuthRequired(error) && this.set({ state: 'unauthenticated' }),
    );
  }

  private set(status: unknown): void {
    const text = decodeAccount(status);
    if (text === this.shown || this.isDisposed) return;
    this.shown = text;
    this.changed.fire();
  }
}
