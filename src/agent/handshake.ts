import type { AcpConnection } from '../acp/connection';
import { decodeInitialize, type InitializeInfo } from '../acp/decodeAgent';
import { agentMethods } from '../acp/methods';
import type { InitializeRequest } from '../acp/schema';
import { FailureError, versionNotSupported } from '../session/failures';
import type { AgentOptions } from './agentOptions';
import { allOffered, type OfferedCapabilities } from './offeredCapabilities';

/** The protocol version Parley speaks (https://agentclientprotocol.com/protocol/initialization#protocol-version). */
export const protocolVersion = 1;

/** What Parley tells agents about itself; it names nothing that does not work, and nothing that the user has turned off. */
export function initializeParams(version: string, { fs, terminal }: OfferedCapabilities): InitializeRequest {
  return {
    protocolVersion,
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

/** `initialize` and the check of the agreed version; rejects with the agent's error or a `FailureError`. */
export async function shakeHands(
  connection: AcpConnection,
  { name, version, offered = allOffered }: Pick<AgentOptions, 'name' | 'version' | 'offered'>,
  signal: AbortSignal,
): Promise<InitializeInfo> {
  const params = initializeParams(version, offered);
  const answer: unknown = await connection.request(agentMethods.initialize, params, signal);
  const info = decodeInitialize(answer);
  if (info.protocolVersion !== protocolVersion) {
    throw new FailureError(versionNotSupported(name, info.protocolVersion));
  }
  return info;
}
