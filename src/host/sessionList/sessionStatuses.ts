import type { SessionId } from '../../shared/values/ids';

/** Maximum number of concurrent requests. */
const atOnce = 4;

/**
 * Finds which listed sessions an agent has in memory. Asks once for each shown session. Failures count as not in
 * memory.
 */
export class SessionStatuses {
  private readonly ask: (sessionId: SessionId) => Promise<'open' | 'saved'>;
  private readonly onOpen: () => void;
  private readonly asked = new Set<SessionId>();
  private readonly open = new Set<SessionId>();
  private readonly waiting: SessionId[] = [];
  private running = 0;

  /** `onOpen` is called for each session found to be open. */
  constructor(ask: (sessionId: SessionId) => Promise<'open' | 'saved'>, onOpen: () => void) {
    this.ask = ask;
    this.onOpen = onOpen;
  }

  isOpen(sessionId: SessionId): boolean {
    return this.open.has(sessionId);
  }

  /** Asks about sessions that weren't asked about yet. */
  want(sessionIds: readonly SessionId[]): void {
    for (const id of sessionIds) {
      if (this.asked.has(id)) continue;
      this.asked.add(id);
      this.waiting.push(id);
    }
    while (this.running < atOnce && this.waiting.length > 0) void this.work();
  }

  private async work(): Promise<void> {
    this.running += 1;
    for (let id = this.waiting.shift(); id !== undefined; id = this.waiting.shift()) {
      // A failed request counts as not open.
      if ((await this.ask(id).catch(() => 'saved')) !== 'open') continue;
      this.open.add(id);
      this.onOpen();
    }
    this.running -= 1;
  }
}
