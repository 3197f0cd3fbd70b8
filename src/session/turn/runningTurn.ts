import type { SessionChannel } from '../../acp/shape/sessionChannel';
import type { Cost } from '../../shared/amounts/turnSummary';
import type { TurnOutcome } from '../update/closeTurn';
import type { Echo } from './echo';
import type { FailureText } from './failureText';
import type { RequestTally } from './requestTally';
import type { StopWait } from './stopWait';

/** A message that is shown and was sent to the agent. */
export interface RunningTurn {
  readonly turn: number;
  readonly since: number;
  /** The name of the model when the message was sent, or what the agent says that it uses instead, as far as known. */
  model: string | undefined;
  /** The session's cost when the message was sent, as far as it was known. */
  readonly cost: Cost | undefined;
  readonly channel: SessionChannel;
  /** Absent if the agent names the message that a prompt became. */
  echo: Echo | undefined;
  /** The tokens that the turn used so far. */
  readonly tally: RequestTally;
  /** What the agent says about a failure. */
  readonly failure: FailureText;
  /** Whether the agent has begun it. Until then, an idle agent hasn't ended it. */
  isStarted: boolean;
  /** Whether the agent began it without a message. */
  readonly isUnprompted: boolean;
  /** Set once the turn was cancelled. */
  stop: StopWait | undefined;
}

/** A turn that has ended, and how. */
export interface EndedTurn {
  readonly running: RunningTurn;
  readonly outcome: TurnOutcome;
}

/** Called on events of a prompt. */
export interface TurnEvents {
  /** The agent requires a login before it answers. */
  onLoginRequired(): void;
  /** A prompt is sent to the agent. */
  onSent(): void;
}
