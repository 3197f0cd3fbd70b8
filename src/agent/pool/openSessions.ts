import type { Session } from '../../session/session';
import type { AgentPool } from './agentPool';

/** What others know about the open sessions, and what each is held to. */
export type HeldSessions = Pick<AgentPool, 'sessions' | 'sandboxOf' | 'sandboxForCommand'>;

/**
 * The open sessions, for the parts that serve agents. It exists before the agents do, and has no session until they join, before the first
 * one starts.
 */
export class OpenSessions implements HeldSessions {
  private pool: HeldSessions | undefined;

  join(pool: HeldSessions): void {
    this.pool = pool;
  }

  get sessions(): readonly Session[] {
    return this.pool?.sessions ?? [];
  }

  sandboxOf(session: Session): ReturnType<HeldSessions['sandboxOf']> {
    return this.pool?.sandboxOf(session);
  }

  async sandboxForCommand(session: Session): ReturnType<HeldSessions['sandboxForCommand']> {
    return await this.pool?.sandboxForCommand(session);
  }
}
