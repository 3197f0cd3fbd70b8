import type { AgentCapabilities, InitializeInfo } from '../decodeAgent';
import { decodeAuthMethod } from '../decodeAuth';
import { asList, asObject, asString, type JsonObject } from '../decodeValue';
import type { OfferedCapabilities } from '../dialect';
import type { InitializeRequest } from '../schema';

/** What Parley tells agents about itself; it names nothing that does not work, and nothing that the user has turned off. */
export function initializeParams(version: string, { fs, terminal }: OfferedCapabilities): InitializeRequest {
  return {
    protocolVersion: 1,
    clientInfo: { name: 'parley-acp', title: 'Parley', version },
    clientCapabilities: {
      fs: { readTextFile: fs, writeTextFile: fs },
      terminal,
      session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
      // Without these some agents offer fewer ways to log in, or none.
      auth: { terminal: true, _meta: { gateway: true } },
      elicitation: { form: {}, url: {} },
      // Unstable: several plans, also as text and as files.
      plan: {},
      // Unstable: what subagents say and do comes as sessions of their own.
      subagents: {},
      // Agents that run commands themselves stream them through tool calls.
      _meta: { terminal_output: true, 'terminal-auth': true },
    },
  };
}

/** Reads the answer to `initialize`; a missing or malformed part counts as "no". */
export function decodeInitialize(value: unknown): InitializeInfo {
  const result = asObject(value);
  const info = asObject(result?.['agentInfo']);
  return {
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
