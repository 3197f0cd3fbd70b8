import type { TurnUsage } from './turnUsage';

/** An amount in a currency, as the agent reported them. */
export interface Cost {
  readonly amount: number;
  readonly currency: string;
}

/** What is known about a turn once it has ended. Times are in milliseconds since the epoch. */
export interface TurnSummary {
  readonly startedAt: number;
  readonly endedAt: number;
  /** The name of the model selected when the turn started, if the agent lets the user select one. */
  readonly model?: string;
  /** Absent if the agent doesn't count the tokens of a turn. */
  readonly tokens?: TurnUsage;
  /** Absent if it can't be derived from the costs that the agent reported. */
  readonly cost?: Cost;
}
