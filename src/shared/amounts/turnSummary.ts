import type { TurnUsage } from './turnUsage';
import type { Cost } from './untrustedNumber';

export type { Cost };

/**
 * How a turn ended if the agent didn't finish it: the user stopped it, it was cut off, or it failed. A turn is cut off by
 * a limit, by a model that declines, by an agent that cancels it, and by a window that closes.
 */
export type TurnBreak = 'stopped' | 'cutOff' | 'failed';

/** What is known about a turn once it has ended. Times are in milliseconds since the epoch. */
export interface TurnSummary {
  readonly startedAt: number;
  /** Absent if nobody saw the end, because the window closed. */
  readonly endedAt?: number;
  /** Absent if the agent finished the turn. */
  readonly brokenBy?: TurnBreak;
  /** The name of the model selected when the turn started, if the agent lets the user select one. */
  readonly model?: string;
  /** Absent if the agent doesn't count the tokens of a turn. */
  readonly tokens?: TurnUsage;
  /** Absent if it can't be derived from the costs that the agent reported. */
  readonly cost?: Cost;
}
