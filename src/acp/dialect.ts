import type { SessionId, TerminalId, ToolCallId } from '../shared/ids';
import type { PermissionOption, ToolKind } from '../shared/transcript';
import type { AcpConnection } from './connection';
import type { AgentCapabilities, InitializeInfo, OpenedSession } from './decodeAgent';
import type { ElicitationParams, ElicitationResponse } from './decodeElicitation';
import type { OpeningSetup, OpenMethod } from './openingSetup';
import type { SessionChannel } from './sessionChannel';
import type { SessionUpdate, ToolCallFields } from './sessionUpdate';
import type { TurnCounter } from './turnCounter';
import type { UsedIds } from './usedIds';

/**
 * One version of the protocol. Everything that has another shape in another version is behind this interface: what is said when an
 * agent starts, how its sessions report what happens, how prompts are sent and turns end, and what the agent may ask of the client.
 * `dialects.ts` lists the versions.
 */
export interface Dialect {
  /** The number of the version in `initialize`. */
  readonly version: number;
  /** What Parley tells agents about itself in `initialize`; `clientVersion` is Parley's. */
  initializeParams(clientVersion: string, offered: OfferedCapabilities): object;
  /** Reads the answer to `initialize`; a missing or malformed part counts as "no". */
  decodeInitialize(answer: unknown): InitializeInfo;
  /** Registers the requests for files and terminals, as far as this version has them and the user offers them. */
  serveEditor(
    connection: Pick<AcpConnection, 'onRequest'>,
    sessions: EditorSessions,
    offered: OfferedCapabilities,
  ): void;
  /** Rewrites an update that the agent sends in a form of its own as the one of this version; returns all others as they are. */
  normalizeUpdate(update: unknown, quirks: UpdateQuirks): unknown;
  /** Logs the user in by one of the agent's ways, with what they entered in `meta`; resolves when the agent has done it. */
  logIn(
    connection: Pick<ChannelConnection, 'request'>,
    methodId: string,
    meta: Readonly<Record<string, unknown>> | undefined,
    signal: AbortSignal,
  ): Promise<void>;
  logOut(connection: Pick<ChannelConnection, 'request'>): Promise<void>;
  /** Sends the request that opens a session, and reads the answer; rejects as requests do. */
  openSession(
    connection: Pick<ChannelConnection, 'request'>,
    can: AgentCapabilities | undefined,
    how: OpenMethod,
    setup: OpeningSetup,
    signal: AbortSignal,
  ): Promise<OpenedSession>;
  /** Returns the updates to show from those that arrived before the session opened. */
  updatesToShow(updates: readonly unknown[], method: OpenMethod['method'], quirks: UpdateQuirks): readonly unknown[];
  /** Reads what happens in one session of one agent process. The session keeps `turns` and `ids` when the process ends. */
  createReader(turns: TurnCounter, ids: UsedIds): UpdateReader;
  /** A session's way to its agent over this connection. */
  createChannel(connection: ChannelConnection, sessionId: SessionId, options: ChannelOptions): SessionChannel;
}

/** The parts of the editor that an agent is offered: its files and its terminals, each as a whole. */
export interface OfferedCapabilities {
  readonly fs: boolean;
  readonly terminal: boolean;
}

/** Where the updates of one agent differ from the protocol. */
export interface UpdateQuirks {
  /** Parts of the texts of a replay that were made for the agent's model. */
  readonly replayNoise: RegExp | undefined;
  /** A message that says the new mode, in its first group, in place of a `current_mode_update`. */
  readonly modeAsText: RegExp | undefined;
}

export type ChannelConnection = Pick<AcpConnection, 'request' | 'notify'>;

/** The text that an attached URI stands for now; undefined for what is no text, too large, or gone. */
export type ReadContext = (uri: string) => Promise<string | undefined>;

/** What a channel needs beside its connection. */
export interface ChannelOptions {
  readonly can?: Pick<AgentCapabilities, 'image' | 'audio' | 'embeddedContext' | 'steering'> | undefined;
  readonly redact: (text: string) => string;
  /** Each prompt waits for it. */
  readonly beforeTurn?: () => Promise<void> | undefined;
  readonly readContext?: ReadContext | undefined;
}

/**
 * Upgrades what one agent process reports of one session, or of one of its subagents, to the shapes of `SessionUpdate`. It remembers
 * which ids the process has used.
 */
export interface UpdateReader {
  /** A prompt is sent: what follows belongs to a new turn. */
  turnBegan(): void;
  turnEnded(): void;
  /** Something else is in the transcript now: a chunk without an id begins a new message. */
  breakText(): void;
  /** The id in the transcript of a call that the agent names. */
  callId(wireId: ToolCallId): ToolCallId;
  /** The reader of a subagent's session: turns and ids of its own, but no id that is used here. */
  ofSubagent(): UpdateReader;
  /** Upgrades `params.update` of one `session/update`; never throws, whatever it is. */
  upgrade(update: unknown): readonly SessionUpdate[];
  /** Upgrades the params of a `session/request_permission`; throws what the agent is to be told of malformed ones. */
  upgradePermission(params: unknown): UpgradedPermission;
}

/** A permission request about one tool call. */
export interface UpgradedPermission {
  readonly toolCallId: ToolCallId;
  /** The details of the request, put over what is known of the call. */
  readonly updates: readonly SessionUpdate[];
  readonly options: readonly PermissionOption[];
  readonly subject: PermissionSubject;
  /** Questions that the agent asks by this request, where the options alone don't say them. */
  readonly form?: PermissionForm;
  /** The answer for the agent: the option that was chosen, or undefined for a request that was withdrawn. */
  answer(optionId: string | undefined): object;
}

/** A form in the place of a permission request. */
export interface PermissionForm {
  readonly params: ElicitationParams;
  /** The answer to the request when the form has this one. */
  answer(response: ElicitationResponse): object;
}

/** What a permission request itself says of its tool call. */
export interface PermissionSubject {
  readonly fields: ToolCallFields;
  /** Undefined when the agent names none, `unknown` for one that the protocol doesn't have. */
  readonly kind: ToolKind | 'unknown' | undefined;
  /** Parts that the decoder skipped: fields that the protocol doesn't have, and malformed content. */
  readonly strangeParts: readonly unknown[];
}

/** The sessions of a connection, as requests for files and terminals reach them. `params` are those of the request. */
export interface EditorSessions {
  /** Serves a request in the session that it names, and waits shortly if that may be announced soon; rejects if it is unknown. */
  serve<T>(params: unknown, serve: (session: EditorSession) => T | Promise<T>): Promise<T>;
  /** The session that a request names; throws if it is unknown. */
  find(params: unknown): EditorSession;
}

/** What the editor does for one session. What it rejects with is the error that the agent gets. */
export interface EditorSession {
  readTextFile(
    file: { readonly path: string; readonly line?: number; readonly limit?: number },
    signal: AbortSignal,
  ): Promise<string>;
  writeTextFile(file: { readonly path: string; readonly content: string }, signal: AbortSignal): Promise<void>;
  readonly terminals: EditorTerminals;
}

/** How a command ended: an exit code, or the name of the signal that ended it. */
export interface CommandExit {
  readonly exitCode?: number;
  readonly signal?: string;
}

/** A command that an agent wants to run. */
export interface CommandParams {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; the session's folder when absent. */
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
