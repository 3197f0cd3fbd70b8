import type { AgentSpec } from '../../agent/agentSpec';
import type { Logins } from '../../agent/logins';
import { loginFailed } from '../../session/failures';
import type { Session } from '../../session/session';
import { Disposable } from '../../shared/disposable';
import { once } from '../onDemand/loadPart';

/** The logins of this window, loaded with the first one. What is asked meanwhile happens in the order in which it was asked. */
export class LazyLogins extends Disposable {
  private readonly get: () => Promise<Logins>;
  private isUsed = false;

  constructor(load: () => Promise<Logins>) {
    super();
    this.get = once(async () => this.register(await load()));
  }

  /** As `Logins.login`. Never rejects. */
  async login(session: Session, methodId: string): Promise<void> {
    this.isUsed = true;
    try {
      const logins = await this.get();
      if (!this.isDisposed) await logins.login(session, methodId);
    } catch (error) {
      const failure = loginFailed(methodId, error instanceof Error ? error.message : String(error));
      if (session.login.isAsked) session.login.show({ state: 'failed', ...failure });
    }
  }

  /** As `Logins.cancel`. */
  cancel(session: Session): void {
    if (!this.isUsed) return;
    // What could not be loaded does not run, and the card says so.
    void this.get().then(
      (logins) => logins.cancel(session),
      () => undefined,
    );
  }

  /** As `Logins.logout`. */
  async logout(spec: AgentSpec): Promise<void> {
    await (await this.get()).logout(spec);
  }
}
