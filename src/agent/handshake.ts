import type { AcpConnection } from '../acp/connection';
import type { InitializeInfo } from '../acp/decodeAgent';
import type { Dialect } from '../acp/dialect';
import { answeredVersion, dialectOf, requestedDialect } from '../acp/dialects';
import { agentMethods } from '../acp/methods';
import { FailureError, versionNotSupported } from '../session/failures';
import type { AgentOptions } from './agentOptions';
import { allOffered } from './offeredCapabilities';

/** The agent's answer to `initialize`, and its dialect. */
export interface Handshake {
  readonly dialect: Dialect;
  readonly info: InitializeInfo;
}

/** Sends `initialize`, which determines the protocol version; rejects with the agent's error or a `FailureError`. */
export async function handshake(
  connection: AcpConnection,
  { name, version, offered = allOffered }: Pick<AgentOptions, 'name' | 'version' | 'offered'>,
  signal: AbortSignal,
): Promise<Handshake> {
  const params = requestedDialect.initializeParams(version, offered);
  const answer = await connection.request(agentMethods.initialize, params, signal);
  const answered = answeredVersion(answer);
  const dialect = dialectOf(answered);
  if (!dialect) throw new FailureError(versionNotSupported(name, answered));
  return { dialect, info: dialect.decodeInitialize(answer) };
}
