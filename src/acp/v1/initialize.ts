import type { AgentCapabilities, InitializeInfo } from '../decode/decodeAgent';
import { decodeAuthMethod } from '../decode/decodeAuth';
import { asList, asObject, type JsonObject } from '../../shared/values/decodeValue';
import type { OfferedCapabilities } from '../dialect/dialect';
import { agentInfo, isOn, sessionCapabilities } from '../dialect/initialized';
import { offersSuggestions } from '../dialect/newerParts';
import { decodeNesCapabilities, nesClientCapabilities } from '../decode/nesMessages';
import type { InitializeRequest } from '../schema';

/**
 * Returns the params of `initialize` that describe Parley. They contain only capabilities that work and that the user
 * hasn't turned off.
 */
export function initializeParams(
  version: string,
  { fs, terminal, isRemote = false, nes = false }: OfferedCapabilities,
): InitializeRequest {
  return {
    protocolVersion: 1,
    clientInfo: { name: 'parley-acp', title: 'Parley', version },
    clientCapabilities: {
      fs: { readTextFile: fs, writeTextFile: fs },
      terminal,
      session: { configOptions: { boolean: {} }, notices: {}, compaction: {}, ...offersSuggestions },
      // Without these, some agents offer fewer login methods, or none.
      auth: { terminal: !isRemote, _meta: { gateway: true } },
      elicitation: { form: {}, url: {} },
      // Several plans, also as text and as files.
      plan: {},
      // Subagents report in their own sessions.
      subagents: {},
      // Agents that run commands themselves stream them through tool calls.
      _meta: { terminal_output: true, 'terminal-auth': !isRemote },
      ...(nes ? nesClientCapabilities : {}),
    },
  };
}

/** Reads the response to `initialize`; a missing or malformed part counts as unsupported. */
export function decodeInitialize(value: unknown): InitializeInfo {
  const result = asObject(value);
  return {
    can: decodeCapabilities(asObject(result?.['agentCapabilities']), asObject(result?.['_meta'])),
    ...agentInfo(asObject(result?.['agentInfo'])),
    authMethods: asList(result?.['authMethods'], decodeAuthMethod) ?? [],
  };
}

function decodeCapabilities(agent: JsonObject | undefined, meta: JsonObject | undefined): AgentCapabilities {
  const prompt = asObject(agent?.['promptCapabilities']);
  const session = asObject(agent?.['sessionCapabilities']);
  const mcp = asObject(agent?.['mcpCapabilities']);
  const nes = decodeNesCapabilities(agent);
  const steering = asObject(meta?.['steering']) ?? asObject(asObject(agent?.['_meta'])?.['steering']);
  return {
    loadSession: isOn(agent?.['loadSession']),
    resume: isOn(session?.['resume']),
    list: isOn(session?.['list']),
    close: isOn(session?.['close']),
    ...sessionCapabilities(session, prompt),
    mcpStdio: true,
    mcpHttp: isOn(mcp?.['http']),
    mcpSse: isOn(mcp?.['sse']),
    mcpAcp: isOn(mcp?.['acp']),
    logout: isOn(asObject(agent?.['auth'])?.['logout']),
    authStatus: isOn(asObject(agent?.['auth'])?.['status']),
    providers: isOn(agent?.['providers']),
    steering: isOn(steering?.['supported']),
    ...(nes ? { nes } : {}),
  };
}
