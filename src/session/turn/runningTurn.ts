import type { SessionChannel } from '../../acp/sessionChannel';
import type { Echo } from './echo';
import type { StopWait } from './stopWait';

/** A message that is on screen and in the hands of the agent. */
export interface RunningTurn {
  readonly turn: number;
  readonly since: number;
  readonly channel: SessionChannel;
  echo: Echo;
  /** Set once the turn was cancelled. */
  stop: StopWait | undefined;
}

/** What others do when something happens to a prompt. */
export interface TurnEvents {
  /** The agent wants a login before it answers. */
  onLoginRequired(): void;
  /** A prompt goes to the agent. */
  onSent(): void;
}
