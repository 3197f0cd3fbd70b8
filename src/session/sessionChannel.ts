import type { PromptResult } from '../acp/decodePromptResult';
import type { ContentBlock } from '../shared/content';
import type { SessionId } from '../shared/ids';
import type { ConfigOption } from '../shared/transcript';

/**
 * What became of a message that was to go into a running turn. Where that had ended meanwhile, some agents begin a turn of their own
 * with it, others leave it to be sent as a prompt.
 */
export type SteeringOutcome = 'injected' | 'startedNewTurn' | 'promptRequired' | 'failed';

/** A session's way to its agent. It is there from the moment the agent has opened the session until the agent is gone. */
export interface SessionChannel {
  readonly sessionId: SessionId;
  /**
   * `session/prompt`; resolves to what the agent says at the end of the turn. Rejects with the agent's error, or with
   * `ConnectionClosedError`, after which `Session.disconnected` is always called. `onLeftOut` hears of what the agent does
   * not take and so was not sent.
   */
  prompt(content: readonly ContentBlock[], onLeftOut: (blocks: readonly ContentBlock[]) => void): Promise<PromptResult>;
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
