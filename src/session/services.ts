import type { PermissionSubject } from '../acp/dialect';
import type { ToolCallContent, ToolCallLocation } from '../shared/content';
import type { SessionKey, TerminalId } from '../shared/ids';
import type { OwnQuestion, PermissionOption, TerminalDriver, ToolCallEntry, ToolKind } from '../shared/transcript';

/** A question Parley itself asks in the chat, as a tool call with a permission request. */
export interface ClientQuestion {
  readonly title: string;
  readonly toolKind: ToolKind;
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
  readonly options: readonly PermissionOption[];
  /** The question in Parley's own words, and what it is about; without it the tool call speaks for itself. */
  readonly asks?: OwnQuestion;
  /** An option that only shows something: the question stays open. */
  readonly look?: { readonly optionId: string; readonly show: () => void };
}

/** The session on whose behalf an agent asks for a file or a terminal. */
export interface ClientContext {
  readonly session: SessionKey;
  readonly agentName: string;
  /** Absolute path the session works in. */
  readonly cwd: string;
  /** Resolves to the chosen option's id, or undefined when the question was cancelled. */
  ask(question: ClientQuestion, signal: AbortSignal): Promise<string | undefined>;
}

/**
 * `fs/*` as the editor serves it (https://agentclientprotocol.com/protocol/file-system). Failures are thrown as
 * `ResponseError`s made by `src/acp/errors.ts`, with the code the agent is to receive.
 */
export interface FileService {
  /** Text of the file as the user sees it, unsaved changes included. `line` counts from 1. */
  readTextFile(
    context: ClientContext,
    params: { readonly path: string; readonly line?: number; readonly limit?: number },
    signal: AbortSignal,
  ): Promise<string>;
  /** Replaces the file's text in editor and on disk; both agree when the promise resolves. */
  writeTextFile(
    context: ClientContext,
    params: { readonly path: string; readonly content: string },
    signal: AbortSignal,
  ): Promise<void>;
}

/** How a process ended: an exit code, or the name of the signal that ended it. */
export interface ProcessExit {
  readonly exitCode?: number;
  readonly signal?: string;
}

/** A command that runs for an agent. It lives until `release`; `dispose` kills and frees it without an answer to anyone. */
export interface ServedTerminal {
  readonly terminalId: TerminalId;
  readonly driver: TerminalDriver;
  /** The command line as people read it. */
  readonly command: string;
  readonly cwd: string;
  /** What was kept under the agent's byte limit; `exit` only once the process has ended. */
  output(): { readonly output: string; readonly truncated: boolean; readonly exit?: ProcessExit };
  /** Resolves when the process ends, at once if it has; rejects when `signal` aborts, the process is left alone. */
  waitForExit(signal: AbortSignal): Promise<ProcessExit>;
  /** Ends the whole process tree; the terminal stays readable. */
  kill(): Promise<void>;
  /** Ends the process tree if it still runs; waiters are answered. */
  release(): Promise<void>;
}

export interface TerminalEvents {
  /** Output in order, batched, split at character boundaries; sequences that act on more than the screen are removed. */
  onOutput(data: string): void;
  onExit(exit: ProcessExit): void;
}

/** `terminal/*` as the editor serves it (https://agentclientprotocol.com/protocol/terminals). */
export interface TerminalService {
  /** Starts the command and resolves at once; rejects with a `ResponseError` when it cannot start. */
  create(
    context: ClientContext,
    params: {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Absolute; the session's folder when absent. */
      readonly cwd?: string;
      readonly outputByteLimit?: number;
    },
    events: TerminalEvents,
  ): Promise<ServedTerminal>;
}

/** The option that a rule of the user's chooses, and what the rule is called; empty when it has no name. */
export interface RuledOption {
  readonly option: PermissionOption;
  readonly rule: string;
}

/** An agent's permission request, with what the user sees of it. */
export interface PermissionCase {
  readonly agentName: string;
  /** Absolute path the session works in. */
  readonly cwd: string;
  readonly entry: ToolCallEntry;
  /** What the request itself says of its tool call. */
  readonly subject: PermissionSubject;
  readonly options: readonly PermissionOption[];
}

/** The user's rules for permission requests. */
export interface PermissionRules {
  /** Resolves to undefined, or is undefined at once, when the user is to be asked. Never rejects. */
  answer(request: PermissionCase): Promise<RuledOption | undefined> | undefined;
}

/** What the extension host does for agents. */
export interface ClientServices {
  readonly files: FileService;
  readonly terminals: TerminalService;
  readonly permissions?: PermissionRules;
  /** Called when a turn begins; the agent gets the prompt when the promise settles. Never rejects, never takes long. */
  readonly beforeTurn?: (session: SessionKey) => Promise<void>;
  /** Text of a file that goes along with a message, or of its lines; undefined for what is no text, too large, or gone. */
  readonly readContext?: (uri: string) => Promise<string | undefined>;
}
