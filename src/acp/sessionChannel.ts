import type { ContentBlock } from '../shared/content';
import type { Event } from '../shared/event';
import type { SessionId } from '../shared/ids';
import type { ConfigOption } from '../shared/transcript';
import type { SessionUpdate } from './sessionUpdate';

/**
 * What became of a message that was to go into a running turn. Where that had ended meanwhile, some agents begin a turn of their own
 * with it, others leave it to be sent as a prompt.
 */
export type SteeringOutcome = 'injected' | 'startedNewTurn' | 'promptRequired' | 'failed';

/** A session's way to its agent. It is there from the moment the agent has opened the session until the agent is gone. */
export interface SessionChannel {
  readonly sessionId: SessionId;
  /**
   * What follows from the agent's answers, as the update that says the same. In a version where an answer ends the turn, that is a
   * `state_update`; in others it comes among the updates of the session.
   */
  readonly onDidUpdate: Event<SessionUpdate>;
  /**
   * Sends a prompt. How its turn ends is told by a `state_update`, never by this promise, which rejects when the agent doesn't take
   * the prompt or gives the turn up: with the agent's error, or with `ConnectionClosedError`, after which `Session.disconnected` is
   * always called. `onUnsupported` gets the blocks that the agent doesn't support and that were not sent.
   */
  prompt(content: readonly ContentBlock[], onUnsupported: (blocks: readonly ContentBlock[]) => void): Promise<void>;
  /** `_session/steering`: takes a message into the running turn; there only where the agent says that it can. */
  readonly steer?: (content: readonly ContentBlock[]) => Promise<SteeringOutcome>;
  /** `session/cancel`. */
  cancel(): void;
  /** `session/cancel` for the session of a subagent. */
  cancelSubagent(sessionId: SessionId): void;
  /** Sets an option the way it came (`via`); resolves to the complete new list if the agent answered with one. */
  setConfigOption(option: ConfigOption, value: string | boolean): Promise<readonly ConfigOption[] | undefined>;
  /** Takes the agent's secrets out of a text that the user will see. */
  redact(text: string): string;
}
