import type { ContentBlock } from '../../shared/transcript/content';
import type { Event } from '../../shared/values/event';
import type { MessageId, SessionId, TerminalId, ToolCallId } from '../../shared/values/ids';
import type { ConfigOption } from '../../shared/transcript/transcript';
import type { SessionUpdate } from './sessionUpdate';

/**
 * The result of steering a message into a running turn. If that turn has already ended, some agents start their own
 * turn with the message; others leave it to be sent as a prompt.
 */
export type SteeringOutcome = 'injected' | 'startedNewTurn' | 'promptRequired' | 'failed';

/**
 * A session's channel to its agent. It exists from the moment the agent has opened the session until the agent is gone.
 */
export interface SessionChannel {
  readonly sessionId: SessionId;
  /**
   * Fires with updates derived from the agent's responses. In a version where a response ends the turn, this is a
   * `state_update`; in others it is one of the session's updates.
   */
  readonly onDidUpdate: Event<SessionUpdate>;
  /**
   * Sends a prompt. A `state_update` reports the end of the turn, not this promise. The promise rejects if the agent
   * refuses the prompt or fails the turn: with the agent's error, or with `ConnectionClosedError`, after which
   * `Session.disconnected` is always called. `onUnsupported` gets the blocks that were not sent because the agent
   * doesn't support them. With `insertsPrompts`, it resolves to the id of the message.
   */
  prompt(
    content: readonly ContentBlock[],
    onUnsupported: (blocks: readonly ContentBlock[]) => void,
  ): Promise<MessageId | undefined>;
  /**
   * The agent accepts prompts at any time, also during a turn, and answers each when it has become part of the
   * conversation. It reports every state of the session.
   */
  readonly insertsPrompts?: true;
  /** `_session/steering`: adds a message to the running turn. Absent if the agent doesn't support steering. */
  readonly steer?: (content: readonly ContentBlock[]) => Promise<SteeringOutcome>;
  /** The agent asks for queued messages during a turn. They can only be text. */
  readonly drainsQueue?: true;
  /** The agent can return to an earlier message of this session. */
  readonly rewinds?: true;
  /** The agent works until a goal is reached, if it is given one. */
  readonly takesGoals?: true;
  /** The agent answers questions that aren't part of the conversation. */
  readonly takesAsides?: true;
  /** `session/cancel`. */
  cancel(): void;
  /** `session/cancel` for a subagent's session. */
  cancelSubagent(sessionId: SessionId): void;
  /** Stops one tool call, by the agent's id; updates report its end. Absent if the version can't. */
  readonly cancelToolCall?: (toolCallId: ToolCallId) => Promise<void>;
  /** Stops one command of the agent, by the agent's id; updates report its end. Absent if the version can't. */
  readonly cancelTerminal?: (terminalId: TerminalId) => Promise<void>;
  /**
   * Sets an option the way the agent sent it (`via`); resolves to the complete new list if the agent's response has
   * one.
   */
  setConfigOption(option: ConfigOption, value: string | boolean): Promise<readonly ConfigOption[] | undefined>;
  /** Removes the agent's secrets from a text that the user will see. */
  redact(text: string): string;
}
