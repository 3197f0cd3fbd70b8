import type { AuthMethod } from './decodeAuth';
import { decodeSessionSettings } from './decodeConfig';
import { decodeCommands } from './decodeUpdate';
import { asObject, asString } from '../../shared/values/decodeValue';
import type { NesCapabilities } from './nesMessages';
import type { SessionId } from '../../shared/values/ids';
import type { AvailableCommand, ConfigOption } from '../../shared/transcript/transcript';

/**
 * An agent's capabilities, requested once at `initialize`. The rest of the client reads this and never the raw
 * response.
 */
export interface AgentCapabilities {
  readonly loadSession: boolean;
  readonly resume: boolean;
  readonly list: boolean;
  readonly close: boolean;
  readonly delete: boolean;
  readonly fork: boolean;
  readonly archive: boolean;
  /** Accepts a title from the user. */
  readonly setTitle: boolean;
  /** Reports whether it has a session in memory. */
  readonly sessionStatus: boolean;
  readonly additionalDirectories: boolean;
  /** Says which options a session would start with, and takes their first values when one is opened. */
  readonly sessionOptions: boolean;
  /** Accepts a text that extends its instructions, or with `systemPromptOverride` replaces them. */
  readonly systemPrompt: boolean;
  readonly systemPromptOverride: boolean;
  readonly image: boolean;
  readonly audio: boolean;
  readonly embeddedContext: boolean;
  readonly mcpStdio: boolean;
  readonly mcpHttp: boolean;
  readonly mcpSse: boolean;
  /** Reaches MCP servers through this connection: `mcp/message`. */
  readonly mcpAcp: boolean;
  readonly logout: boolean;
  /** Reports who is logged in on request. */
  readonly authStatus: boolean;
  /** Lists its model providers and lets them be configured. */
  readonly providers: boolean;
  /** Accepts a message for the running turn through `_session/steering`, a convention outside the schema. */
  readonly steering: boolean;
  /** What it wants to know for next edit suggestions; absent if it has none. */
  readonly nes?: NesCapabilities;
}

/** The response to `initialize` (https://agentclientprotocol.com/protocol/initialization), with defaults filled in. */
export interface InitializeInfo {
  readonly can: AgentCapabilities;
  /** The agent's name, for programs and for display; empty if missing. */
  readonly agentName: string;
  readonly agentTitle: string;
  readonly agentVersion: string;
  readonly authMethods: readonly AuthMethod[];
}

/** The contents of a response to `session/new`, `session/load`, or `session/resume`. */
export interface OpenedSession {
  readonly sessionId: SessionId | undefined;
  readonly configOptions: readonly ConfigOption[];
  /** Absent if the response has none, because most agents report them in an update. */
  readonly availableCommands?: readonly AvailableCommand[];
}

/** Reads a response to `session/new`, `load`, or `resume`; the latter two may be empty or `null`. */
export function decodeOpened(value: unknown): OpenedSession {
  const sessionId = asString(asObject(value)?.['sessionId']);
  const availableCommands = decodeCommands(asObject(value)?.['availableCommands']);
  return {
    // An empty id can't identify a session.
    sessionId: sessionId ? (sessionId as SessionId) : undefined,
    configOptions: decodeSessionSettings(value),
    ...(availableCommands ? { availableCommands } : {}),
  };
}
