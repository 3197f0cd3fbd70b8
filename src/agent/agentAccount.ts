import type { AcpConnection } from '../acp/connection';
import { decodeAccount } from '../acp/decodeAccount';
import { isAuthRequired } from '../acp/errors';
import { clientMethods, agentMethods } from '../acp/methods';
import { Disposable } from '../shared/disposable';
import { Emitter } from '../shared/event';

/** Who is logged in to an agent, as far as the agent tells. It lives as long as the process, and is nowhere else. */
export class AgentAccount extends Disposable {
  private readonly changed = this.register(new Emitter<void>());
  private shown = '';
  readonly onDidChange = this.changed.event;

  /** For people; empty when it is not known. */
  get text(): string {
    return this.shown;
  }

  /** Hears what the agent tells by itself. */
  listen(connection: AcpConnection): void {
    for (const method of [clientMethods.authStatusUpdate, clientMethods.authStatusUpdateByConvention]) {
      connection.onNotification(method, (params) => this.set(params));
    }
  }

  /** `auth/status`; what comes of it shows when it is there. */
  ask(connection: AcpConnection): void {
    // An agent that does not say who it is still works. One that wants a login for that has said that nobody is.
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
