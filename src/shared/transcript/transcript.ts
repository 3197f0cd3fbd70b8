import type { SandboxMode } from '../limits/sandboxMode';
import type { BudgetUse } from '../amounts/budget';
import type { Attachment, ContentBlock, ToolCallContent, ToolCallLocation } from './content';
import type { ElicitationState, ElicitationText } from '../forms/elicitation';
import type { Freedom } from '../limits/freedom';
import type { Goal } from './goal';
import type { LoginEntry } from './login';
import type { SubagentEntry } from './subagent';
import type {
  AgentId,
  EntryId,
  PlanId,
  RequestKey,
  SessionId,
  SessionKey,
  TerminalId,
  ToolCallId,
} from '../values/ids';
import type { Cost, TurnSummary } from '../amounts/turnSummary';
import type { TokenCounts, TurnUsage } from '../amounts/turnUsage';
import type { UsageLimit } from '../amounts/usageLimit';

/** One item in the transcript. Entries are plain JSON, so they can be sent to the chat page and stored unchanged. */
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
  /** The turn, starting at 1; 0 is before the first prompt. */
  readonly turn: number;
  /** The session id of the subagent that the entry is from; absent for entries of the main agent. */
  readonly subagent?: SessionId;
  /** Set on the last entry of a turn that has ended in Parley. */
  readonly turnSummary?: TurnSummary;
  /** Set if the entry is from another session, whose conversation this one continues. */
  readonly earlier?: true;
}

/**
 * A message from the user. `refused` is set after the stop reason of that name: the agent won't see the message again.
 */
export interface UserMessageEntry extends EntryBase {
  readonly kind: 'user_message';
  readonly content: readonly ContentBlock[];
  readonly state: 'sent' | 'refused';
  /** The agent reported it, or changed it, although the user didn't send it from here. */
  readonly isReported?: true;
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

/**
 * `cancelled` is Parley's own in version 1: a call that was open when its turn was cancelled. Version 1 has no `paused`.
 */
export type ToolCallStatus = 'pending' | 'in_progress' | 'paused' | 'completed' | 'failed' | 'cancelled';

export interface ToolCallEntry extends EntryBase {
  readonly kind: 'tool_call';
  readonly toolCallId: ToolCallId;
  readonly title: string;
  /** The tool's programmatic name, if the agent sends one. */
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
  /** The parent call of a subagent's call. */
  readonly parent?: ToolCallId;
  /** Whether the agent can stop this call alone. */
  readonly canCancel?: boolean;
  /** Set if this isn't a call of the agent: Parley itself asks the user. */
  readonly asks?: OwnQuestion;
  /** What the agent's sandbox has blocked, probably for this call. */
  readonly blocked?: readonly BlockedPlace[];
}

/**
 * What a sandbox has kept from a program. `write` and `read`: a path, where `read` is one that isn't there inside. `socket`: a Unix socket.
 * `name`: a host that a program looked up without the proxy. `key`: the user's SSH keys. `login`: the user's login at a host.
 */
export interface BlockedPlace {
  readonly kind: 'write' | 'read' | 'socket' | 'name' | 'key' | 'login';
  /** The path, or the host; empty if the program didn't say. */
  readonly path: string;
  /** Whether the user can allow it. */
  readonly canAllow?: true;
}

/** Parley's own question in the chat, and a plain text that it is about, which is shown unchanged. */
export interface OwnQuestion {
  readonly question: string;
  readonly text: string;
}

/** An option of a request. The kinds are the protocol's plus unknown ones, which have no special styling. */
export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'unknown';
}

/** The agent's changes to a call after it requested permission for it. The call itself keeps what was asked. */
export type ChangedCall = Partial<
  Pick<ToolCallEntry, 'title' | 'name' | 'toolKind' | 'content' | 'locations' | 'rawInput'>
>;

/** What a destructive command does. Closed: the page has words for each. */
export type RiskKind =
  /** Deletes folders or many files: `rm -rf`, `find -delete`, `Remove-Item -Recurse`, `rd /s`. */
  | 'deletes'
  /** Overwrites commits on a server: `git push --force`. */
  | 'forcePush'
  /** Discards changes that aren't committed: `git reset --hard`, `git clean`, `git checkout -- .`. */
  | 'discards'
  /** Makes a package public: `npm publish`. */
  | 'publishes'
  /** Runs a script from the network: `curl … | sh`. */
  | 'runsDownload'
  /** Writes to disks: `dd`, `mkfs`, `format`. */
  | 'disk'
  /** Changes permissions or owners of many files: `chmod -R`. */
  | 'permissions'
  /** Runs with the system's permissions: `sudo`. */
  | 'elevates'
  /** Empties files: `truncate`, `shred`. */
  | 'erases'
  /** Deletes what runs elsewhere: `kubectl delete`, `terraform destroy`, `docker … prune`. */
  | 'infrastructure'
  /** Deletes data of a database: `DROP TABLE`. */
  | 'database'
  /** Changes which programs run later: hooks, schedules, settings of package managers. */
  | 'configures'
  /** Stops services, programs, or the computer. */
  | 'stops'
  /** Runs a program that an option or a setting names. */
  | 'runsPrograms'
  /** May delete or overwrite something, by the names of its verbs and options, or by code in it. */
  | 'mayDestroy';

/** An answer that a rule can give from now on. */
export type SavedAnswer = 'allow_once' | 'reject_once';

/** A risk of a destructive request. */
export interface RiskView {
  readonly kind: RiskKind;
  /** The command with the risk, as the line contains it. */
  readonly command?: string;
}

/** The agent's own words for its request. */
export interface RequestWords {
  readonly title: string;
  readonly description?: string;
}

/**
 * The permission request of a tool call, if any. The resolver of an open request is in `PendingPermissions`, never
 * here.
 */
export type PermissionView =
  | { readonly state: 'none' }
  | {
      readonly state: 'asked';
      readonly request: RequestKey;
      readonly options: readonly PermissionOption[];
      /** Set if the request is destructive: one risk of each kind, the greatest first. */
      readonly risks?: readonly RiskView[];
      /** The answers for which the user can save a rule for requests like this one. */
      readonly takesRules?: readonly SavedAnswer[];
      readonly words?: RequestWords;
      /** The user can edit the agent's change before allowing it. */
      readonly takesEdit?: true;
      /** The user has edited the agent's change. */
      readonly isEdited?: boolean;
      /** The user has closed an edited version without saving it, and can open it again. */
      readonly hasUnsaved?: boolean;
      readonly changed?: ChangedCall;
    }
  | {
      readonly state: 'answered';
      readonly option: PermissionOption;
      /** A freedom: what the user allowed in the whole session. */
      readonly by: 'you' | 'rule' | Freedom;
      /** What the user wrote to the agent together with the answer. */
      readonly reply?: string;
      /** The user allowed a version of their own. */
      readonly isEdited?: true;
      /** The rule's name, if it has one. */
      readonly rule?: string;
      /** Its id on the page of rules. */
      readonly ruleId?: string;
      readonly changed?: ChangedCall;
    }
  | {
      readonly state: 'cancelled';
      /** The program that waited for the answer has stopped waiting. */
      readonly programLeft?: true;
      readonly changed?: ChangedCall;
    };

/**
 * Marks where a plan began. The newest plan is in `SessionView.plans`, since it is shown in the tray. A plan that changes
 * in a later turn has an entry there, too, and this one keeps it as it was.
 */
export interface PlanEntry extends EntryBase {
  readonly kind: 'plan';
  readonly planId: PlanId;
  /** The plan at the end of its turn, set when it changed or was removed in a later turn. */
  readonly plan?: Plan;
}

/** A line between two rules: a notice by the agent, or how a turn ended if not by `end_turn`. */
export interface NoticeEntry extends EntryBase {
  readonly kind: 'notice';
  readonly severity: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly description?: string;
  /** Set if the notice reports a restore of files that can be undone or was undone. */
  readonly restore?: 'undoable' | 'over';
  /** Set if that restore is changes that were brought from a worktree. */
  readonly isBrought?: true;
  /** Set if the notice ends the tour and offers the next step: adding an agent, or a session with one of the user's. */
  readonly offer?: 'agent';
  /** Set if the entries of an earlier session end here. */
  readonly divides?: true;
  /** Set if the notice offers to show another session. */
  readonly opens?: SessionKey;
  /** Set if the notice offers to show the remarks on the session's changes. */
  readonly hasRemarks?: true;
  /** Set if the notice offers to show the session's changes, and to undo them, as long as any wait for review. */
  readonly hasChanges?: true;
}

export interface CompactionEntry extends EntryBase {
  readonly kind: 'compaction';
  readonly compactionId: string;
  readonly status: 'in_progress' | 'completed' | 'failed' | 'cancelled';
  readonly summary: readonly ContentBlock[];
  readonly error?: string;
}

/** The agent's question as a form or URL, and its answer. */
export interface ElicitationEntry extends EntryBase, ElicitationText {
  readonly kind: 'elicitation';
  readonly question: ElicitationState;
}

/** The action of a button on an error card. */
export type ErrorAction =
  | 'restartAgent'
  | 'reopen'
  | 'startFresh'
  | 'continueTurn'
  | 'sendAgain'
  | 'sendLater'
  | 'newSession'
  | 'continueWith'
  | 'showLog'
  | 'openSettings'
  | 'addAgent'
  | 'manageTrust'
  | 'openFolder'
  | 'endProcess'
  | 'disconnect'
  | 'keepWaiting';

/**
 * A failure: what happened, the cause if known, the last lines of the log, and what to do next, the best step first.
 */
export interface ErrorEntry extends EntryBase {
  readonly kind: 'error';
  /** Stable, for tests and support: `agentExited`, `agentNotFound`, … */
  readonly code: string;
  readonly title: string;
  readonly cause?: string;
  readonly logTail?: string;
  /** The limit that caused it, by its type, and when it resets in milliseconds since the epoch. */
  readonly limit?: Pick<UsageLimit, 'type' | 'resetsAt'>;
  readonly actions: readonly ErrorAction[];
}

export interface PlanItem {
  readonly content: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
}

/** A plan is a list of items, Markdown text, or a file. */
export type Plan = {
  readonly planId: PlanId;
  /** The subagent that the plan belongs to. */
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

/** A session setting of the agent. Modes and models of older agents are upgraded to this shape and marked by `via`. */
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

/**
 * The session's current activity. `running` and `requires_action` both count as busy; `since` is in milliseconds since
 * the epoch.
 */
export type Activity =
  | { readonly state: 'idle' }
  | { readonly state: 'running' | 'requires_action'; readonly since: number; readonly stop?: Stopping };

/** The user has stopped the turn, and the agent hasn't ended it yet. */
export interface Stopping {
  readonly since: number;
  /** It takes so long that the user may end the agent's process. */
  readonly isLate: boolean;
}

/**
 * The state of the session's agent. Only `ready` accepts prompts immediately; in the others, prompts wait. `login`: the
 * agent requires a login before it opens the session.
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
      readonly cost?: Cost;
    };

/** A message from the user, and its attachments. */
export interface Prompt {
  readonly text: string;
  readonly attachments?: readonly Attachment[];
}

/** A message that Parley sends at a time, in milliseconds since the epoch, unless the user cancels that. */
export interface ScheduledPrompt extends Prompt {
  readonly at: number;
}

/** A message that waits for the running turn to end; it becomes an entry when it is sent. */
export interface QueuedPrompt extends Prompt {
  readonly id: string;
  /** The agent has the message and adds it when it can. */
  readonly isOffered?: true;
  /** The agent gets the message as soon as it asks for more during the turn. */
  readonly joins?: true;
}

/**
 * `here`: a program of this machine. `shared`: on another machine that has the same files at the same paths.
 * `elsewhere`: on another machine, and its paths mean other files.
 */
export type AgentPlace = 'here' | 'shared' | 'elsewhere';

/**
 * Work that an agent started in a turn and that continues after the end of that turn. `command`: runs in one of Parley's
 * terminals. `toolCall` and `subagent`: the agent hasn't reported their end. `background`: a command that the agent
 * started without waiting for it, and whose end it reports late or never. `agent`: the agent sends updates although it wasn't
 * sent a message. `reported`: see there.
 */
export type LateWork = {
  /** The turn that started it. */
  readonly turn: number;
  /** When the work was first seen, in milliseconds since the epoch. */
  readonly since: number;
} & (
  | { readonly kind: 'command'; readonly terminal: TerminalId }
  | { readonly kind: 'toolCall' | 'background'; readonly entry: EntryId }
  | { readonly kind: 'subagent'; readonly entry: EntryId; readonly canCancel: boolean }
  /**
   * The agent itself lists it as background work, also during a turn. `canCancel`: the agent can stop it alone. Without a
   * terminal and a call, only the agent knows what it is.
   */
  | {
      readonly kind: 'reported';
      readonly terminal?: TerminalId;
      readonly entry?: EntryId;
      readonly toolCall?: ToolCallId;
      readonly canCancel: boolean;
    }
  /** `ignoredStop`: the agent was told to stop and continues. */
  | { readonly kind: 'agent'; readonly ignoredStop?: boolean }
);

/** Everything about a session except its entries: the contents of header, tray, and composer. */
export interface SessionView {
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly agentVersion: string;
  readonly sessionId: SessionId | '';
  /** The agent's title, or else the first words of the first prompt, or else empty. */
  readonly title: string;
  /**
   * `user`: the user set the title, and the agent doesn't have it. `agent`: the agent accepted the title. Absent: the
   * session was never renamed.
   */
  readonly titleFrom?: 'user' | 'agent';
  readonly cwd: string;
  /** Where the agent is. Absent: it is a program of this machine. */
  readonly place?: AgentPlace;
  /** What the operating system holds the agent to. Absent: nothing. */
  readonly sandbox?: SandboxMode;
  /** The session's folders besides `cwd`, absolute. Absent: all folders of the workspace. */
  readonly additionalDirectories?: readonly string[];
  readonly connection: Connection;
  readonly activity: Activity;
  /** What continues after the turn that started it. Absent or empty if nothing does. */
  readonly lateWork?: readonly LateWork[];
  readonly plans: readonly Plan[];
  readonly availableCommands: readonly AvailableCommand[];
  readonly configOptions: readonly ConfigOption[];
  readonly usage: Usage;
  /** The usage of the last turn. Absent or `none` if the agent hasn't reported any. */
  readonly turnUsage?: TurnUsage | 'none';
  /** Everything that the session's turns used, with subagents. Absent if the agent hasn't reported any tokens. */
  readonly spent?: TokenCounts;
  /** The limits of the agent's provider, as reported last. Some may have reset since. */
  readonly limits?: readonly UsageLimit[];
  /** A message that is sent at a time, when a limit has reset. */
  readonly scheduled?: ScheduledPrompt | 'none';
  /** The budgets that apply to the session, and how much of them is used. */
  readonly budgets?: readonly BudgetUse[];
  /** Whether a message waits because a budget is used up, until the user decides. */
  readonly asksBudget?: boolean;
  /** In the order in which they will be sent. */
  readonly queue: readonly QueuedPrompt[];
  /** When the session was last active, as the agent says, in milliseconds since the epoch; 0 if it says nothing. */
  readonly updatedAt?: number;
  /** The user has stopped a turn, so queued messages are sent only when the user says so. */
  readonly isQueueHeld?: boolean;
  /** Whether the agent can add messages to a running turn. `text`: only messages without attachments. */
  readonly canSteer?: boolean | 'text';
  /** What the agent works on until it is reached. */
  readonly goal?: Goal | 'none';
  /** Whether the agent answers questions that aren't part of the conversation. */
  readonly canAskAside?: boolean;
  /** Whether a goal can be set. */
  readonly canSetGoal?: boolean;
  /** Whether the agent can return to an earlier message in the same session. */
  readonly canRewind?: boolean;
  /** What the agent suggests to say next. Absent or empty if nothing. */
  readonly suggestions?: readonly string[];
  /** Why the agent tries its model again, in its words, until it goes on. Empty or absent if it doesn't say so. */
  readonly retry?: string;
  /** Whether it gets them at once, and adds them when it can. */
  readonly sendsAtOnce?: boolean;
  /** The session whose changes this one reviews. It can't change anything then. */
  readonly reviews?: SessionLink;
  /** The session whose agent started this one. */
  readonly askedBy?: AskingSession;
}

/** Another session that a session belongs to. */
export interface SessionLink {
  readonly session: SessionKey;
  /** Its title at that time. */
  readonly title: string;
}

/** The session whose agent started another one. */
export interface AskingSession extends SessionLink {
  /** The number of sessions above the started one. */
  readonly depth: number;
  /** The uppermost of them, which the user started. */
  readonly first: SessionKey;
}

/** How a terminal in the transcript runs: in Parley's pty or pipe, or by the agent itself. */
export type TerminalDriver = 'pty' | 'pipe' | 'agent';

/** A command's output. It stays after the process and the protocol's terminal id are gone. */
export interface TerminalView {
  readonly terminalId: TerminalId;
  readonly driver: TerminalDriver;
  readonly command: string;
  readonly cwd: string;
  /** The last part of the raw output, including escape sequences. */
  readonly output: string;
  /** How many UTF-16 units were cut from the front of `output`. */
  readonly hidden: number;
  /** How often its agent has replaced all of the output. */
  readonly replaced?: number;
  /** Its agent changed the output or the exit after the command had ended. */
  readonly isRewritten?: true;
  readonly startedAt: number;
  readonly exit: TerminalExit;
  /** Whether its agent can stop it alone. */
  readonly canCancel?: boolean;
  /** Whether it seems to wait for input. */
  readonly waitsForInput?: boolean;
}

export type TerminalExit =
  | { readonly state: 'running' }
  | { readonly state: 'exited'; readonly exitCode?: number; readonly signal?: string; readonly endedAt: number };

/** A session's whole visible state. Only `applyOps` changes it, both in the extension host and in the chat page. */
export interface Transcript {
  readonly rev: number;
  readonly view: SessionView;
  readonly order: readonly EntryId[];
  readonly entries: ReadonlyMap<EntryId, Entry>;
  readonly terminals: ReadonlyMap<TerminalId, TerminalView>;
}
