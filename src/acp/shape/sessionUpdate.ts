import type { Goal } from '../../shared/transcript/goal';
import type { ContentBlock, ToolCallContent, ToolCallLocation } from '../../shared/transcript/content';
import type { MessageId, PlanId, SessionId, TerminalId, ToolCallId } from '../../shared/values/ids';
import type { SubagentState } from '../../shared/transcript/subagent';
import type { TurnUsage } from '../../shared/amounts/turnUsage';
import type { UsageLimit } from '../../shared/amounts/usageLimit';
import type {
  AvailableCommand,
  CompactionEntry,
  ConfigOption,
  NoticeEntry,
  Plan,
  ToolCallStatus,
  ToolKind,
} from '../../shared/transcript/transcript';

/** The tool call fields of an update; absent fields stay unchanged. */
export interface ToolCallFields {
  readonly title?: string;
  readonly name?: string;
  readonly toolKind?: ToolKind;
  readonly status?: ToolCallStatus;
  readonly content?: readonly ToolCallContent[];
  readonly locations?: readonly ToolCallLocation[];
  /** `null` clears it. */
  readonly rawInput?: unknown;
  /** `null` clears it. */
  readonly rawOutput?: unknown;
  readonly parent?: ToolCallId;
  /** Whether the agent can stop this call alone. */
  readonly canCancel?: boolean;
}

/** How a command that the agent ran itself exited. */
export interface ReportedExit {
  readonly exitCode?: number;
  readonly signal?: string;
}

/** The subagent fields of an update. Absent fields stay unchanged; empty texts clear them. */
export interface SubagentUpdate {
  readonly sessionUpdate: 'subagent_update';
  readonly sessionId: SessionId;
  readonly fields: {
    readonly title?: string;
    readonly description?: string;
    readonly canCancel?: boolean;
    readonly state?: { readonly state: SubagentState; readonly stopReason?: string; readonly error?: string };
    /** Absolute. */
    readonly cwd?: string;
  };
}

/** Something that an agent does besides its turn. `unknown`: of a kind of a later protocol version. */
export type BackgroundWork =
  | { readonly type: 'terminal'; readonly terminalId: TerminalId }
  | { readonly type: 'tool_call'; readonly toolCallId: ToolCallId }
  | { readonly type: 'subagent'; readonly sessionId: SessionId }
  | { readonly type: 'unknown' };

/**
 * What the agent does now. In a version where a response ends a turn, only `idle` is sent, once per turn and after
 * everything that belongs to it. In others, states are snapshots, so one may come twice, and a turn may begin without a
 * prompt.
 */
export interface StateUpdate {
  readonly sessionUpdate: 'state_update';
  /** `unknown`: the agent may be at work. */
  readonly state: 'running' | 'requires_action' | 'idle' | 'unknown';
  /** Why the turn ended, as the agent wrote it. */
  readonly stopReason?: string;
  readonly usage?: TurnUsage;
  /** The agent's error, if that is why the turn ended. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  /** Everything that continues besides the turn; absent if the agent didn't say. */
  readonly background?: readonly BackgroundWork[];
}

/**
 * An update of a session in the shape of protocol 2 (https://agentclientprotocol.com/protocol/v2): messages, tool
 * calls, plans, and terminals are created or changed by id. The dialect of each version upgrades its updates to this
 * type.
 */
export type SessionUpdate =
  | {
      readonly sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk';
      readonly messageId: MessageId;
      readonly content: ContentBlock;
    }
  | {
      readonly sessionUpdate: 'user_message' | 'agent_message' | 'agent_thought';
      readonly messageId: MessageId;
      /** Replaces the whole content; absent keeps it, empty clears it. */
      readonly content?: readonly ContentBlock[];
    }
  | {
      readonly sessionUpdate: 'tool_call_update';
      readonly toolCallId: ToolCallId;
      readonly fields: ToolCallFields;
      /** True if a permission request asks about these fields, false for a later update of the call. */
      readonly asks?: boolean;
    }
  | {
      readonly sessionUpdate: 'tool_call_content_chunk';
      readonly toolCallId: ToolCallId;
      readonly content: ToolCallContent;
    }
  | {
      readonly sessionUpdate: 'terminal_update';
      readonly terminalId: TerminalId;
      readonly command?: string;
      readonly cwd?: string;
      /** Replaces all output so far. */
      readonly output?: string;
      /** `running`: an exit that was reported before is withdrawn. */
      readonly exit?: ReportedExit | 'running';
      /** Whether the agent can stop this command alone. */
      readonly canCancel?: boolean;
    }
  | { readonly sessionUpdate: 'terminal_output_chunk'; readonly terminalId: TerminalId; readonly data: string }
  | { readonly sessionUpdate: 'plan_update'; readonly plan: Plan }
  | { readonly sessionUpdate: 'plan_removed'; readonly planId: PlanId }
  | {
      readonly sessionUpdate: 'available_commands_update';
      readonly availableCommands: readonly AvailableCommand[];
    }
  /** The complete list of the agent's own config options. */
  | { readonly sessionUpdate: 'config_option_update'; readonly configOptions: readonly ConfigOption[] }
  | { readonly sessionUpdate: 'current_mode_update'; readonly modeId: string }
  /** An absent title stays; an empty one clears it. */
  | {
      readonly sessionUpdate: 'session_info_update';
      readonly title?: string;
      /** Milliseconds since the epoch; 0 clears it. */
      readonly updatedAt?: number;
      /** Whether the agent's turn has failed; absent if the agent didn't say. */
      readonly hasFailed?: boolean;
      /** Why the agent tries its model again, in its words. */
      readonly retry?: string;
      readonly goal?: Goal | 'none';
    }
  | {
      readonly sessionUpdate: 'usage_update';
      readonly used: number;
      readonly size: number;
      /** Absent keeps the cost, `none` clears it. */
      readonly cost?: { readonly amount: number; readonly currency: string } | 'none';
      /** A limit of the agent's provider. */
      readonly limit?: UsageLimit;
      /** The id of the model that answers at present, if the agent says so. */
      readonly model?: string;
    }
  | {
      readonly sessionUpdate: 'notice';
      readonly severity: NoticeEntry['severity'];
      readonly title: string;
      readonly description?: string;
      /** The agent's id of a background command whose end this reports. */
      readonly endsShell?: string;
    }
  | {
      readonly sessionUpdate: 'compaction_update';
      readonly compactionId: string;
      readonly status?: CompactionEntry['status'];
      /** Replaces the summary; empty clears it. */
      readonly summary?: readonly ContentBlock[];
      /** Empty clears it. */
      readonly error?: string;
    }
  | {
      readonly sessionUpdate: 'compaction_summary_chunk';
      readonly compactionId: string;
      readonly content: ContentBlock;
    }
  /** What the user may want to send next, most likely first. Replaces the list before; empty withdraws it. */
  | { readonly sessionUpdate: 'prompt_suggestions_update'; readonly suggestions: readonly string[] }
  | SubagentUpdate
  | StateUpdate
  /** An update of a later protocol version, or a malformed one. It has no effect. */
  | { readonly sessionUpdate: 'unknown'; readonly raw: unknown };
