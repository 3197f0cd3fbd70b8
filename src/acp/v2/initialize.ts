import type { AgentCapabilities, InitializeInfo } from '../decode/decodeAgent';
import { decodeAuthMethod, type AuthMethod } from '../decode/decodeAuth';
import { asList, asObject, asString, isAbsent, type JsonObject } from '../../shared/values/decodeValue';
import type { OfferedCapabilities } from '../dialect/dialect';
import { agentInfo, isOn, sessionCapabilities } from '../dialect/initialized';
import { offersSuggestionsInSession } from '../dialect/newerParts';
import type { InitializeRequest } from './schema';

/**
 * Returns the params of `initialize` that describe Parley (https://agentclientprotocol.com/protocol/v2/initialization).
 * Everything else that version 2 asks of a client isn't announced, and it has no place for files and terminals of the
 * editor.
 */
export function initializeParams(version: string, { isRemote = false }: OfferedCapabilities): InitializeRequest {
  return {
    protocolVersion: 2,
    info: { name: 'parley-acp', title: 'Parley', version },
    capabilities: {
      // Without `terminal`, some agents offer fewer login methods, or none.
      auth: { ...(isRemote ? {} : { terminal: {} }), _meta: { gateway: true } },
      elicitation: { form: {}, url: {} },
      ...offersSuggestionsInSession,
      // Agents that know it send a login's own command.
      _meta: { 'terminal-auth': !isRemote },
    },
  };
}

/** Reads the response to `initialize`; a missing or malformed part counts as unsupported. */
export function decodeInitialize(value: unknown): InitializeInfo {
  const result = asObject(value);
  const authMethods = asList(result?.['authMethods'], decodeMethod) ?? [];
  return {
    can: decodeCapabilities(asObject(result?.['capabilities']), asList(result?.['authMethods'], asObject) ?? []),
    ...agentInfo(asObject(result?.['info'])),
    authMethods,
  };
}

function decodeCapabilities(agent: JsonObject | undefined, methods: readonly JsonObject[]): AgentCapabilities {
  const session = asObject(agent?.['session']);
  const prompt = asObject(session?.['prompt']);
  const mcp = asObject(session?.['mcp']);
  const auth = asObject(agent?.['auth']);
  // With sessions, an agent supports all of these.
  const hasSessions = session !== undefined;
  return {
    loadSession: hasSessions,
    resume: hasSessions,
    list: hasSessions,
    close: hasSessions,
    ...sessionCapabilities(session, prompt),
    mcpStdio: isOn(mcp?.['stdio']),
    mcpHttp: isOn(mcp?.['http']),
    mcpSse: false,
    mcpAcp: isOn(mcp?.['acp']),
    logout: methods.length > 0,
    authStatus: isOn(auth?.['status']),
    providers: isOn(agent?.['providers']),
    // Every agent takes prompts while it works, so nobody needs the convention.
    steering: false,
  };
}

/** Reads a login method. It has another name for its id here, and a list of variables. */
function decodeMethod(value: unknown): AuthMethod | undefined {
  const method = asObject(value);
  if (!method || isAbsent(method['type'])) return undefined;
  const variables = asList(method['env'], asObject) ?? [];
  const env = Object.fromEntries(variables.map((variable) => [asString(variable['name']) ?? '', variable['value']]));
  return decodeAuthMethod({ ...method, id: method['methodId'], env });
}
