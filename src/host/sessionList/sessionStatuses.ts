import type { SessionId } from '../../shared/ids';

/** So many are asked about at the same time. */
const atOnce = 4;

/** Which sessions of an agent's list it has in memory, asked for those that are shown, each once; what cannot be told is nothing. */
export class SessionStatuses {
  private readonly ask: (sessionId: SessionId) => Promise<'open' | 'saved'>;
  private readonly onOpen: () => void;
  private readonly asked = new Set<SessionId>();
  private readonly open = new Set<SessionId>();
  private readonly waiting: SessionId[] = [];
  private running = 0;

  /** `onOpen` is called when one turns out to be open. */
  constructor(ask: (sessionId: SessionId) => Promise<'open' | 'saved'>, onOpen: () => void) {
    this.ask = ask;
    this.onOpen = onOpen;
  }

  isOpen(sessionId: SessionId): boolean {
    return this.open.has(sessionId);
  }

  /** Asks about those that were not asked about yet. */
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
      // Without an answer the row says nothing of it.
      if ((await this.ask(id).catch(() => 'saved')) !== 'open') continue;
      this.open.add(id);
      this.onOpen();
    }
    this.running -= 1;
  }
}
