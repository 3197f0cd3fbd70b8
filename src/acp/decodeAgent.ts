import { decodeAuthMethod, type AuthMethod } from './decodeAuth';
import { decodeSessionSettings } from './decodeConfig';
import { asList, asObject, asString, type JsonObject } from './decodeValue';
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
  /** Undefined when the answer names no version. */
  readonly protocolVersion: number | undefined;
  readonly can: AgentCapabilities;
  /** How the agent calls itself, for programs and for people; empty when it does not say. */
  readonly agentName: string;
  readonly agentTitle: string;
  readonly agentVersion: string;
  readonly authMethods: readonly AuthMethod[];
}

/** Reads the answer to `initialize`; a missing or malformed part counts as "no". */
export function decodeInitialize(value: unknown): InitializeInfo {
  const result = asObject(value);
  const info = asObject(result?.['agentInfo']);
  const version = result?.['protocolVersion'];
  return {
    protocolVersion: typeof version === 'number' && Number.isInteger(version) ? version : undefined,
    can: decodeCapabilities(asObject(result?.['agentCapabilities']), asObject(result?.['_meta'])),
    agentName: asString(info?.['name']) ?? '',
    agentTitle: asString(info?.['title']) ?? asString(info?.['name']) ?? '',
    agentVersion: asString(info?.['version']) ?? '',
    authMethods: asList(result?.['authMethods'], decodeAuthMethod) ?? [],
  };
}

function decodeCapabilities(agent: JsonObject | undefined, meta: JsonObject | undefined): AgentCapabilities {
  const prompt = asObject(agent?.['promptCapabilities']);
  const session = asObject(agent?.['sessionCapabilities']);
  const mcp = asObject(agent?.['mcpCapabilities']);
  const steering = asObject(meta?.['steering']) ?? asObject(asObject(agent?.['_meta'])?.['steering']);
  return {
    loadSession: isOn(agent?.['loadSession']),
    resume: isOn(session?.['resume']),
    list: isOn(session?.['list']),
    close: isOn(session?.['close']),
    delete: isOn(session?.['delete']),
    fork: isOn(session?.['fork']),
    archive: isOn(session?.['archive']),
    setTitle: isOn(session?.['title']),
    sessionStatus: isOn(session?.['status']),
    additionalDirectories: isOn(session?.['additionalDirectories']),
    systemPrompt: isOn(session?.['systemPrompt']),
    systemPromptOverride: isOn(asObject(asObject(session?.['systemPrompt'])?.['mode'])?.['override']),
    image: isOn(prompt?.['image']),
    audio: isOn(prompt?.['audio']),
    embeddedContext: isOn(prompt?.['embeddedContext']),
    mcpHttp: isOn(mcp?.['http']),
    mcpSse: isOn(mcp?.['sse']),
    logout: isOn(asObject(agent?.['auth'])?.['logout']),
    authStatus: isOn(asObject(agent?.['auth'])?.['status']),
    providers: isOn(agent?.['providers']),
    steering: isOn(steering?.['supported']),
  };
}

/** Some capabilities are booleans, some are objects whose presence says yes; both forms are taken for both. */
function isOn(value: unknown): boolean {
  return value === true || asObject(value) !== undefined;
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
