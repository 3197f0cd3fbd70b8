import type { MessageId, SessionId, TerminalId, ToolCallId } from '../../shared/values/ids';
import type { AskedCall } from '../../rules/requestedAction';
import type { PermissionOption, RequestWords } from '../../shared/transcript/transcript';
import type { AcpConnection } from '../wire/connection';
import type { AgentCapabilities, InitializeInfo, OpenedSession } from '../decode/decodeAgent';
import type { ElicitationParams, ElicitationResponse } from '../decode/decodeElicitation';
import type { OpeningSetup, OpenMethod } from '../shape/openingSetup';
import type { SessionChannel } from '../shape/sessionChannel';
import type { SessionUpdate, ToolCallFields } from '../shape/sessionUpdate';
import type { TurnCounter } from '../shape/turnCounter';
import type { UsedIds } from '../shape/usedIds';

/**
 * One version of the protocol. This interface hides everything whose shape depends on the version: messages at start,
 * session updates, prompts and ends of turns, and the agent's requests to the client. `dialects.ts` lists the versions.
 */
export interface Dialect {
  /** The number of the version in `initialize`. */
  readonly version: number;
  /** Returns the params of `initialize` that describe Parley; `clientVersion` is Parley's version. */
  initializeParams(clientVersion: string, offered: OfferedCapabilities): object;
  /** Reads the response to `initialize`; a missing or malformed part counts as unsupported. */
  decodeInitialize(answer: unknown): InitializeInfo;
  /** Registers the requests for files and terminals that this version has and the user offers. */
  serveEditor(
    connection: Pick<AcpConnection, 'onRequest'>,
    sessions: EditorSessions,
    offered: OfferedCapabilities,
  ): void;
  /** Rewrites an update in an agent-specific form to the form of this version; returns all others unchanged. */
  normalizeUpdate(update: unknown, quirks: UpdateQuirks): unknown;
  /**
   * Logs the user in with one of the agent's methods and the user's input in `meta`; resolves when the agent is done.
   */
  logIn(
    connection: Pick<ChannelConnection, 'request'>,
    methodId: string,
    meta: Readonly<Record<string, unknown>> | undefined,
    signal: AbortSignal,
  ): Promise<void>;
  logOut(connection: Pick<ChannelConnection, 'request'>): Promise<void>;
  /** Sends the request that opens a session and reads the response; rejects as requests do. */
  openSession(
    connection: Pick<ChannelConnection, 'request'>,
    can: AgentCapabilities | undefined,
    how: OpenMethod,
    setup: OpeningSetup,
    signal: AbortSignal,
  ): Promise<OpenedSession>;
  /**
   * Returns the updates to show from those that arrived before the session opened; with `kept`, those of a replay whose
   * conversation is shown already.
   */
  updatesToShow(
    updates: readonly unknown[],
    method: OpenMethod['method'] | 'kept',
    quirks: UpdateQuirks,
  ): readonly unknown[];
  /**
   * Creates a reader for the updates of one session from one agent process. The session keeps `turns` and `ids` when
   * the process ends.
   */
  createReader(turns: TurnCounter, ids: UsedIds): UpdateReader;
  /** Creates a session's channel to its agent over this connection. */
  createChannel(connection: ChannelConnection, sessionId: SessionId, options: ChannelOptions): SessionChannel;
}

/** The parts of the editor that are offered to an agent: its files and its terminals, each as a whole. */
export interface OfferedCapabilities {
  readonly fs: boolean;
  readonly terminal: boolean;
  /** The agent is on another machine, so its login programs can't be run here. */
  readonly isRemote?: boolean;
  /** Whether the user wants next edit suggestions. */
  readonly nes?: boolean;
}

/** How one agent's updates differ from the protocol. */
export interface UpdateQuirks {
  /** Parts of replayed texts that were written for the agent's model. */
  readonly replayNoise: RegExp | undefined;
  /** Matches a message that replaces a `current_mode_update`; its first group is the new mode. */
  readonly modeAsText: RegExp | undefined;
  /** Match messages that the agent, not its model, sends as parts of an answer, each as a whole: a remark, and why the turn fails. */
  readonly ownWords?: { readonly remark: RegExp; readonly failure: RegExp };
}

export type ChannelConnection = Pick<AcpConnection, 'request' | 'notify'>;

/** Resolves to the current text of an attached URI; undefined if it is binary, too large, or no longer exists. */
export type ReadContext = (uri: string) => Promise<string | undefined>;

/** Options of a channel besides its connection. */
export interface ChannelOptions {
  readonly can?: Pick<AgentCapabilities, 'image' | 'audio' | 'embeddedContext' | 'steering'> | undefined;
  readonly redact: (text: string) => string;
  /** Each prompt waits for this promise. */
  readonly beforeTurn?: () => Promise<void> | undefined;
  readonly readContext?: ReadContext | undefined;
}

/**
 * Upgrades one agent process's reports about a session or a subagent to `SessionUpdate`s. Remembers which ids the
 * process has used.
 */
export interface UpdateReader {
  /** Call when a prompt is sent: later updates belong to a new turn. */
  turnBegan(): void;
  turnEnded(): void;
  /** Call when another entry is added to the transcript: a chunk without an id begins a new message. */
  breakText(): void;
  /**
   * Call before a session is opened. `isSame`: the agent continues the session of an earlier process, so its ids may be
   * those of the transcript.
   */
  continueSession(isSame: boolean): void;
  /**
   * A call that an earlier connection reported goes on in this one. `id` is its id in the transcript, `terminalId` the
   * terminal in which the agent shows its output.
   */
  continueCall(wireId: ToolCallId, id: ToolCallId, terminalId: TerminalId | undefined): void;
  /** Returns the transcript's id of a call that the agent refers to. */
  callId(wireId: ToolCallId): ToolCallId;
  /** Returns the agent's id of a call in the transcript. */
  wireCallId(id: ToolCallId): ToolCallId;
  /** Returns the agent's id of a terminal in the transcript. */
  wireTerminalId(id: TerminalId): TerminalId;
  /** Returns the transcript's id of the user message that a response names, whether it was reported or not. */
  claimMessage(wireId: MessageId): MessageId;
  /** Creates the reader of a subagent's session, with its own turns and ids; never repeats an id used here. */
  ofSubagent(): UpdateReader;
  /** Upgrades `params.update` of one `session/update`; never throws, whatever the value is. */
  upgrade(update: unknown): readonly SessionUpdate[];
  /**
   * Upgrades the params of a `session/request_permission`; throws the error to send to the agent if they are malformed.
   */
  upgradePermission(params: unknown): UpgradedPermission;
}

/** A permission request about one tool call. */
export interface UpgradedPermission {
  readonly toolCallId: ToolCallId;
  /** The details in the request, applied on top of the call's earlier details. */
  readonly updates: readonly SessionUpdate[];
  readonly options: readonly PermissionOption[];
  readonly subject: PermissionSubject;
  /** The agent's own words for the request, if it has any. */
  readonly words?: RequestWords;
  /** The call exists only for this request, so nothing else reports its end. */
  readonly isOwnCall?: boolean;
  /** Questions that the agent asks through this request, if the options alone don't express them. */
  readonly form?: PermissionForm;
  /** Returns the response for the agent: the chosen option, or undefined if the request was withdrawn. */
  answer(optionId: string | undefined): object;
}

/** A form in place of a permission request. */
export interface PermissionForm {
  readonly params: ElicitationParams;
  /** Returns the response to the request for this form response. */
  answer(response: ElicitationResponse): object;
}

/** The tool call details in a permission request itself. */
export interface PermissionSubject extends AskedCall {
  readonly fields: ToolCallFields;
}

/** The sessions of a connection, for requests about files and terminals. `params` are those of the request. */
export interface EditorSessions {
  /** Serves a request in its session. Waits briefly if the session may be announced soon; rejects if it is unknown. */
  serve<T>(params: unknown, serve: (session: EditorSession) => T | Promise<T>): Promise<T>;
  /** Returns the session of a request; throws if it is unknown. */
  find(params: unknown): EditorSession;
}

/** The editor's services for one session. Rejections are sent to the agent as errors. */
export interface EditorSession {
  readTextFile(
    file: { readonly path: string; readonly line?: number; readonly limit?: number },
    signal: AbortSignal,
  ): Promise<string>;
  writeTextFile(file: { readonly path: string; readonly content: string }, signal: AbortSignal): Promise<void>;
  readonly terminals: EditorTerminals;
}

/** How a command exited: an exit code, or the name of the signal. */
export interface CommandExit {
  readonly exitCode?: number;
  readonly signal?: string;
}

/** A command that an agent wants to run. */
export interface CommandParams {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. Defaults to the session's folder. */
  readonly cwd?: string;
  readonly outputByteLimit?: number;
}

/** The commands that the editor runs for one session. */
export interface EditorTerminals {
  create(command: CommandParams, signal: AbortSignal): Promise<TerminalId>;
  output(terminalId: TerminalId): { readonly output: string; readonly truncated: boolean; readonly exit?: CommandExit };
  waitForExit(terminalId: TerminalId, signal: AbortSignal): Promise<CommandExit>;
  kill(terminalId: TerminalId): Promise<void>;
  release(terminalId: TerminalId): Promise<void>;
}
