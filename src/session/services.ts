import type { Sandbox } from '../shared/limits/sandbox';
import type { PermissionSubject } from '../acp/dialect/dialect';
import type { ToolCallContent, ToolCallLocation } from '../shared/transcript/content';
import type { Freedom } from '../shared/limits/freedom';
import type { HostTarget } from '../shared/limits/hostTarget';
import type { SessionKey, TerminalId } from '../shared/values/ids';
import type {
  OwnQuestion,
  PermissionOption,
  RiskView,
  SavedAnswer,
  TerminalDriver,
  ToolCallEntry,
  ToolKind,
} from '../shared/transcript/transcript';

/** A question that Parley itself asks in the chat, as a tool call with a permission request. */
export interface ClientQuestion {
  readonly title: string;
  readonly toolKind: ToolKind;
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
  readonly options: readonly PermissionOption[];
  /** Parley's own question and its subject; without it, the tool call is the question. */
  readonly asks?: OwnQuestion;
  /** Whether a program waits for the answer, which can stop waiting. */
  readonly isOfProgram?: true;
  /** An option that only shows something; the question stays open. */
  readonly look?: { readonly optionId: string; readonly show: () => void };
}

/** The session for which an agent requests a file or a terminal. */
export interface ClientContext {
  readonly session: SessionKey;
  readonly agentName: string;
  /** The session's folder, absolute. */
  readonly cwd: string;
  /** What the agent's commands run in. */
  readonly sandbox?: Sandbox;
  /** Resolves to the id of the chosen option, or undefined if the question was cancelled. */
  ask(question: ClientQuestion, signal: AbortSignal): Promise<string | undefined>;
}

/**
 * The editor's implementation of `fs/*` (https://agentclientprotocol.com/protocol/file-system). Failures are
 * `ResponseError`s created by `src/acp/base/errors.ts`, with the code for the agent.
 */
export interface FileService {
  /** Returns the file's text as the user sees it, including unsaved changes. `line` starts at 1. */
  readTextFile(
    context: ClientContext,
    params: { readonly path: string; readonly line?: number; readonly limit?: number },
    signal: AbortSignal,
  ): Promise<string>;
  /** Replaces the file's text in the editor and on disk; both are equal when the promise resolves. */
  writeTextFile(
    context: ClientContext,
    params: { readonly path: string; readonly content: string },
    signal: AbortSignal,
  ): Promise<void>;
}

/** How a process exited: an exit code, or the name of the signal. */
export interface ProcessExit {
  readonly exitCode?: number;
  readonly signal?: string;
}

/**
 * A command that runs for an agent. It exists until `release`; `dispose` kills and frees it without answering any
 * waiters.
 */
export interface ServedTerminal {
  readonly terminalId: TerminalId;
  readonly driver: TerminalDriver;
  /** The command line for display. */
  readonly command: string;
  readonly cwd: string;
  /** The output kept under the agent's byte limit; `exit` only once the process has exited. */
  output(): { readonly output: string; readonly truncated: boolean; readonly exit?: ProcessExit };
  /**
   * Resolves when the process exits, immediately if it already has. Rejects when `signal` aborts, without stopping the
   * process.
   */
  waitForExit(signal: AbortSignal): Promise<ProcessExit>;
  /** Whether it exited because it was killed, which the exit doesn't show of every program. */
  readonly wasKilled?: boolean;
  /** Kills the whole process tree; the output stays readable. */
  kill(): Promise<void>;
  /** Kills the process tree if it is still running; resolves pending waits. */
  release(): Promise<void>;
}

export interface TerminalEvents {
  /**
   * Receives output in order, batched and split at character boundaries. Escape sequences that affect more than the
   * screen are removed.
   */
  onOutput(data: string): void;
  onExit(exit: ProcessExit): void;
}

/** The editor's implementation of `terminal/*` (https://agentclientprotocol.com/protocol/terminals). */
export interface TerminalService {
  /** Starts the command and resolves immediately; rejects with a `ResponseError` if it can't start. */
  create(
    context: ClientContext,
    params: {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Absolute. Defaults to the session's folder. */
      readonly cwd?: string;
      readonly outputByteLimit?: number;
    },
    events: TerminalEvents,
  ): Promise<ServedTerminal>;
}

/** The option chosen by the user's rule, and the rule's name; empty if it has none. */
export interface RuledOption {
  readonly option: PermissionOption;
  readonly rule: string;
  /** The rule's id on the page of rules. */
  readonly ruleId?: string;
  /** Set if no rule answered, but what the user allowed in the whole session. */
  readonly freedom?: Freedom;
}

/** The judgment of a request: the option of a rule, or what the user must know before answering. */
export type Judgment =
  | RuledOption
  | {
      readonly option: undefined;
      /** Of a destructive request: one risk of each kind, the greatest first. */
      readonly risks?: readonly RiskView[];
      /** The answers for which the user can save a rule for requests like this one. */
      readonly takesRules: readonly SavedAnswer[];
    };

/** An agent's permission request, with what the user sees of it. */
export interface PermissionCase {
  readonly session: SessionKey;
  readonly agentName: string;
  /** The session's folder, absolute. */
  readonly cwd: string;
  readonly entry: ToolCallEntry;
  /** The tool call details in the request itself. */
  readonly subject: PermissionSubject;
  readonly options: readonly PermissionOption[];
  /** Set if a program of the sandboxed agent wants to connect to it, and nothing else is asked. */
  readonly host?: HostTarget;
  /** What is asked for happens in the editor or in programs that it starts, which no sandbox of an agent holds. */
  readonly leavesSandbox?: boolean;
}

/** The user's rules for permission requests. */
export interface PermissionRules {
  /** Without an option, the user must be asked. Returns undefined if nothing is to be judged. Never rejects. */
  answer(request: PermissionCase): Promise<Judgment | undefined> | Judgment | undefined;
}

/** A request to an MCP server that Parley serves in the agent's own connection. */
export interface McpMessage {
  readonly serverId: string;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The server's answer: exactly one of a result and an error. */
export type McpReply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

/** Receives what the server sends about a request before its answer. */
export type McpNotify = (method: string, params: Readonly<Record<string, unknown>> | undefined) => void;

/** The MCP servers that Parley serves to agents in their own connections. */
export interface McpService {
  /** Returns undefined if there are none. Rejects with a `ResponseError` if the server can't be asked. */
  message(message: McpMessage, notify: McpNotify, signal: AbortSignal): Promise<McpReply> | undefined;
}

/** The extension host's services for agents. */
export interface ClientServices {
  readonly files: FileService;
  readonly terminals: TerminalService;
  readonly permissions?: PermissionRules;
  readonly mcp?: McpService;
  /** Called when a turn starts; the prompt is sent when the promise settles. Never rejects and never takes long. */
  readonly beforeTurn?: (session: SessionKey) => Promise<void>;
  /**
   * Called before an agent may go on with something that can change files, such as a request that was allowed or a
   * command. It waits for the promise, so that the files are recorded first. Never rejects.
   */
  readonly beforeWork?: (session: SessionKey) => Promise<void> | undefined;
  /**
   * Resolves to the text of an attached file or of its lines; undefined if it is binary, too large, or no longer
   * exists.
   */
  readonly readContext?: (uri: string) => Promise<string | undefined>;
}
