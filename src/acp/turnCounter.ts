/**
 * The turns of one session, counted from 1. It outlives the agent's processes; whatever version each of them speaks, the next turn
 * has the next number.
 */
export class TurnCounter {
  private count = 0;
  private live = false;

  /** The turn that the next update belongs to; 0 before the first. */
  get current(): number {
    return this.count;
  }

  /** Whether a turn runs that a prompt began. */
  get isLive(): boolean {
    return this.live;
  }

  /** A prompt is sent: until `end` all updates belong to this turn. */
  begin(): void {
    this.count += 1;
    this.live = true;
  }

  end(): void {
    this.live = false;
  }

  /** Outside a live turn a message of the user's is history, and begins a turn there. */
  beginReplayed(): void {
    if (!this.live) this.count += 1;
  }

  /** A stored session continues after so many turns. */
  continueAfter(turns: number): void {
    this.count = turns;
  }

  reset(): void {
    this.count = 0;
    this.live = false;
  }
}
