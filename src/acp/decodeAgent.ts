import type { AuthMethod } from './decodeAuth';
import { decodeSessionSettings } from './decodeConfig';
import { asObject, asString } from './decodeValue';
import type { SessionId } from '../shared/ids';
import type { ConfigOption } from '../shared/transcript';

/** What an agent can do, asked for once at `initialize`. Everything else of the client asks this and never the raw answer. */
export interface AgentCapabilities {
  readonly loadSession: boolean;
  readonly resume: boolean;
  readonly list: boolean;
  readonly close: boolean;
  readonly delete: boolean;
  readonly fork: boolean;
  readonly archive: boolean;
  /** Takes a title that the user gave. */
  readonly setTitle: boolean;
  /** Tells whether it has a session in memory. */
  readonly sessionStatus: boolean;
  readonly additionalDirectories: boolean;
  /** Takes a text for its instructions, and with `systemPromptOverride` also in their place. */
  readonly systemPrompt: boolean;
  readonly systemPromptOverride: boolean;
  readonly image: boolean;
  readonly audio: boolean;
  readonly embeddedContext: boolean;
  readonly mcpHttp: boolean;
  readonly mcpSse: boolean;
  readonly logout: boolean;
  /** Tells who is logged in when asked. */
  readonly authStatus: boolean;
  /** Lets the providers of its models be seen and set. */
  readonly providers: boolean;
  /** Takes a message into a running turn by `_session/steering`, a convention outside the schema. */
  readonly steering: boolean;
}

/** The answer to `initialize` (https://agentclientprotocol.com/protocol/initialization), defaults filled in. */
export interface InitializeInfo {
  readonly can: AgentCapabilities;
  /** How the agent calls itself, for programs and for people; empty when it does not say. */
  readonly agentName: string;
  readonly agentTitle: string;
  readonly agentVersion: string;
  readonly authMethods: readonly AuthMethod[];
}

/** What an answer to `session/new`, `session/load` or `session/resume` brings. */
export interface OpenedSession {
  readonly sessionId: SessionId | undefined;
  readonly configOptions: readonly ConfigOption[];
}

/** Reads an answer to `session/new`, `load` or `resume`; the latter two may be empty or `null`. */
export function decodeOpened(value: unknown): OpenedSession {
  const sessionId = asString(asObject(value)?.['sessionId']);
  return {
    // An empty id would be no address for anything.
    sessionId: sessionId ? (sessionId as SessionId) : undefined,
    configOptions: decodeSessionSettings(value),
  };
}
