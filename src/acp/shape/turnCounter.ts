/**
 * The turns of one session, counted from 1. Turn numbers continue when the agent's process or the protocol version
 * changes.
 */
export class TurnCounter {
  private count = 0;
  private live = false;
  /** While a sent prompt isn't part of the conversation yet, a user message doesn't start a turn, because it may be it. */
  isAwaited = false;

  /** The turn of the next update; 0 before the first turn. */
  get current(): number {
    return this.count;
  }

  /** Whether a turn that a prompt started is running. */
  get isLive(): boolean {
    return this.live;
  }

  /** Starts a turn for a prompt; until `end`, all updates belong to it. */
  begin(): void {
    this.count += 1;
    this.live = true;
  }

  /** Continues the newest turn, because the agent works again without a prompt. */
  resume(): void {
    this.live = true;
  }

  end(): void {
    this.live = false;
  }

  /** Starts a turn for a replayed user message, outside a live turn. */
  beginReplayed(): void {
    if (!this.live && !this.isAwaited) this.count += 1;
  }

  /** Continues after the turns of a stored session. */
  continueAfter(turns: number): void {
    this.count = turns;
  }

  reset(): void {
    this.count = 0;
    this.live = false;
    this.isAwaited = false;
  }
}
