import type { Attachment, ContentBlock, ToolCallContent, ToolCallLocation } from './content';
import type { ElicitationState, ElicitationText } from './elicitation';
import type { LoginEntry } from './login';
import type { SubagentEntry } from './subagent';
import type { AgentId, EntryId, PlanId, RequestKey, SessionId, TerminalId, ToolCallId } from './ids';
import type { TurnUsage } from './turnUsage';

/** One thing in the transcript. Entries are plain JSON: they cross to the chat page and are stored as they are. */
export type Entry =
  | UserMessageEntry
  | AgentMessageEntry
  | ThoughtEntry
  | ToolCallEntry
  | PlanEntry
  | NoticeEntry
  | CompactionEntry
  | ElicitationEntry
  | ErrorEntry
  | LoginEntry
  | SubagentEntry;

interface EntryBase {
  readonly id: EntryId;
  /** Turns are counted from 1; 0 is what came before the first prompt. */
  readonly turn: number;
  /** The subagent that it comes from, by its session; absent for what the session's own agent says and does. */
  readonly subagent?: SessionId;
}

/** What the user sent. `refused` follows the stop reason of that name: the agent will not see it again. */
export interface UserMessageEntry extends EntryBase {
  readonly kind: 'user_message';
  readonly content: readonly ContentBlock[];
  readonly state: 'sent' | 'refused';
}

export interface AgentMessageEntry extends EntryBase {
  readonly kind: 'agent_message';
  readonly content: readonly ContentBlock[];
}

/** Reasoning. Times are milliseconds since the epoch; `endedAt` is set when something else follows or the turn ends. */
export interface ThoughtEntry extends EntryBase {
  readonly kind: 'agent_thought';
  readonly content: readonly ContentBlock[];
  readonly startedAt: number;
  readonly endedAt?: number;
}

export type ToolKind =
  'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'think' | 'fetch' | 'switch_mode' | 'other';

/** `cancelled` is ours in v1: a call that was open when its turn was cancelled. */
export type ToolCallStatus = 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';

export interface ToolCallEntry extends EntryBase {
  readonly kind: 'tool_call';
  readonly toolCallId: ToolCallId;
  readonly title: string;
  /** The tool's programmatic name, when the agent gives one. */
  readonly name?: string;
  readonly toolKind: ToolKind;
  readonly status: ToolCallStatus;
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  readonly permission: PermissionView;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** The call of a subagent that this call belongs to. */
  readonly parent?: ToolCallId;
  /** No call of the agent's: Parley itself asks the user. */
  readonly asks?: OwnQuestion;
}

/** What Parley itself asks in the chat: the question, and a plain text that it is about, which is shown as it is. */
export interface OwnQuestion {
  readonly question: string;
  readonly text: string;
}

/** The agent's own kinds plus whatever it invents, shown without special styling. */
export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'unknown';
}

/** What an agent made of a call after it had asked about it. The call itself keeps what was asked. */
export type ChangedCall = Partial<
  Pick<ToolCallEntry, 'title' | 'name' | 'toolKind' | 'content' | 'locations' | 'rawInput'>
>;

/** The question a tool call asks, if any. The resolver of an open question lives in `PendingPermissions`, never here. */
export type PermissionView =
  | { readonly state: 'none' }
  | {
      readonly state: 'asked';
      readonly request: RequestKey;
      readonly options: readonly PermissionOption[];
      readonly changed?: ChangedCall;
    }
  | {
      readonly state: 'answered';
      readonly option: PermissionOption;
      readonly by: 'you' | 'rule';
      /** What the rule is called, if it has a name. */
      readonly rule?: string;
      readonly changed?: ChangedCall;
    }
  | { readonly state: 'cancelled'; readonly changed?: ChangedCall };

/** Where a plan began; the plan itself is in `SessionView.plans`, since there is one and it lives in the tray. */
export interface PlanEntry extends EntryBase {
  readonly kind: 'plan';
  readonly planId: PlanId;
}

/** A line between two hairlines: the agent's notices, and how a turn ended when not by `end_turn`. */
export interface NoticeEntry extends EntryBase {
  readonly kind: 'notice';
  readonly severity: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly description?: string;
  /** The notice tells of a restore of files, that can be undone or has been. */
  readonly restore?: 'undoable' | 'over';
}

export interface CompactionEntry extends EntryBase {
  readonly kind: 'compaction';
  readonly compactionId: string;
  readonly status: 'in_progress' | 'completed' | 'failed' | 'cancelled';
  readonly summary: readonly ContentBlock[];
  readonly error?: string;
}

/** What the agent asks the user by a form or an address, and how it was answered. */
export interface ElicitationEntry extends EntryBase, ElicitationText {
  readonly kind: 'elicitation';
  readonly question: ElicitationState;
}

/** What a button on an error card does. */
export type ErrorAction =
  | 'restartAgent'
  | 'sendAgain'
  | 'newSession'
  | 'showLog'
  | 'openSettings'
  | 'addAgent'
  | 'manageTrust'
  | 'openFolder'
  | 'endProcess'
  | 'keepWaiting';

/** A failure: what happened, why as far as known, the last lines of the log, and what to do next, the best step first. */
export interface ErrorEntry extends EntryBase {
  readonly kind: 'error';
  /** Stable, for tests and support: `agentExited`, `agentNotFound`, … */
  readonly code: string;
  readonly title: string;
  readonly cause?: string;
  readonly logTail?: string;
  readonly actions: readonly ErrorAction[];
}

export interface PlanItem {
  readonly content: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
}

/** A plan is a list of items, a markdown text, or a file. */
export type Plan = {
  readonly planId: PlanId;
  /** The subagent whose plan it is. */
  readonly subagent?: SessionId;
} & (
  | { readonly type: 'items'; readonly items: readonly PlanItem[] }
  | { readonly type: 'markdown'; readonly content: string }
  | { readonly type: 'file'; readonly uri: string }
);

export interface AvailableCommand {
  readonly name: string;
  readonly description: string;
  /** What to type after the command, in the agent's words. */
  readonly hint?: string;
}

export interface ConfigChoice {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
  readonly group?: string;
}

/** A session setting of the agent. Modes and models of older agents are upgraded to this shape, marked by `via`. */
export type ConfigOption = {
  readonly configId: string;
  readonly name: string;
  readonly description?: string;
  readonly category?: string;
  readonly via: 'configOptions' | 'modes' | 'models';
} & (
  | { readonly type: 'select'; readonly currentValue: string; readonly choices: readonly ConfigChoice[] }
  | { readonly type: 'boolean'; readonly currentValue: boolean }
);

/** What the session does now. `running` and `requires_action` are both "busy"; `since` is milliseconds since the epoch. */
export type Activity =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly since: number }
  | { readonly state: 'requires_action'; readonly since: number };

/**
 * How far the session's agent is. Only `ready` takes prompts at once; the others keep them. `login`: the agent wants a login
 * before it opens the session.
 */
export type Connection =
  | { readonly state: 'starting' }
  | { readonly state: 'opening' }
  | { readonly state: 'login' }
  | { readonly state: 'ready' }
  | { readonly state: 'closed' };

export type Usage =
  | { readonly state: 'unknown' }
  | {
      readonly state: 'known';
      readonly used: number;
      readonly size: number;
      readonly cost?: { readonly amount: number; readonly currency: string };
    };

/** A message of the user's, and what goes along with it. */
export interface Prompt {
  readonly text: string;
  readonly attachments?: readonly Attachment[];
}

/** A message that waits for the running turn to end; it becomes an entry when it is sent. */
export interface QueuedPrompt extends Prompt {
  readonly id: string;
}

/** Everything about a session that is not an entry: what header, tray and composer show. */
export interface SessionView {
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly agentVersion: string;
  readonly sessionId: SessionId | '';
  /** The agent's title, else the first words of the first prompt, else empty. */
  readonly title: string;
  /** The user gave the title, and the agent knows nothing of it; or the agent has taken it. Absent: nobody renamed the session. */
  readonly titleFrom?: 'user' | 'agent';
  readonly cwd: string;
  /** The folders that it is opened with beside `cwd`, absolute. Absent: all folders of the workspace. */
  readonly additionalDirectories?: readonly string[];
  readonly connection: Connection;
  readonly activity: Activity;
  readonly plans: readonly Plan[];
  readonly availableCommands: readonly AvailableCommand[];
  readonly configOptions: readonly ConfigOption[];
  readonly usage: Usage;
  /** Of the last turn. Absent, or none: its agent has not told any. */
  readonly turnUsage?: TurnUsage | 'none';
  /** In the order in which they will be sent. */
  readonly queue: readonly QueuedPrompt[];
  /** The user has stopped a turn: what is in the queue goes out only when they say so. */
  readonly isQueueHeld?: boolean;
  /** Whether the agent takes messages into a running turn. */
  readonly canSteer?: boolean;
}

/** How a terminal of the transcript is driven: our own pty or pipe, or one that only the agent sees. */
export type TerminalDriver = 'pty' | 'pipe' | 'agent';

/** A command's output. It outlives the process and the protocol's terminal id. */
export interface TerminalView {
  readonly terminalId: TerminalId;
  readonly driver: TerminalDriver;
  readonly command: string;
  readonly cwd: string;
  /** The last part of the raw output, escape sequences included. */
  readonly output: string;
  /** How many UTF-16 units were cut from the front of `output`. */
  readonly hidden: number;
  readonly startedAt: number;
  readonly exit: TerminalExit;
}

export type TerminalExit =
  | { readonly state: 'running' }
  | { readonly state: 'exited'; readonly exitCode?: number; readonly signal?: string; readonly endedAt: number };

/** A session's whole visible state. Changed by `applyOps` alone, in the extension host and in the chat page alike. */
export interface Transcript {
  readonly rev: number;
  readonly view: SessionView;
  readonly order: readonly EntryId[];
  readonly entries: ReadonlyMap<EntryId, Entry>;
  readonly terminals: ReadonlyMap<TerminalId, TerminalView>;
}
