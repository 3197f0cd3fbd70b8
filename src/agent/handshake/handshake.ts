import type { AcpConnection } from '../../acp/wire/connection';
import type { InitializeInfo } from '../../acp/decode/decodeAgent';
import type { Dialect } from '../../acp/dialect/dialect';
import { answeredVersion, dialectOf, requestedDialect } from '../../acp/dialects';
import { asList, asNumber, asObject } from '../../shared/values/decodeValue';
import { errorCodes, ResponseError } from '../../acp/base/errors';
import { agentMethods } from '../../acp/wire/methods';
import { FailureError, versionNotSupported } from '../../session/failures';
import type { AgentOptions } from './agentOptions';
import { allOffered } from '../spec/offeredCapabilities';

/** The agent's answer to `initialize`, and its dialect. */
export interface Handshake {
  readonly dialect: Dialect;
  readonly info: InitializeInfo;
}

/** The agent doesn't support the version it was offered, and a new process or connection may be asked for the one before. */
export class OfferRefused extends Error {}

/**
 * Sends `initialize`, which determines the protocol version
 * (https://agentclientprotocol.com/protocol/initialization#version-negotiation); rejects with the agent's error or a
 * `FailureError`. An agent that answers an offer of a newer version with the usual one is asked again in its words,
 * because it has understood nothing of the offer. Rejects with `OfferRefused` if it takes another process to do so.
 */
export async function handshake(
  connection: AcpConnection,
  { name, version, offered = allOffered }: Pick<AgentOptions, 'name' | 'version' | 'offered'>,
  first: Dialect,
  signal: AbortSignal,
): Promise<Handshake> {
  const ask = async (dialect: Dialect): Promise<unknown> =>
    connection.request(agentMethods.initialize, dialect.initializeParams(version, offered), signal);
  const isOffer = first !== requestedDialect;
  let answer: unknown;
  try {
    answer = await ask(first);
    if (isOffer && answeredVersion(answer) === requestedDialect.version) {
      // A server accepts one `initialize` per connection.
      if (offered.isRemote === true) throw new OfferRefused('the usual version answered');
      answer = await ask(requestedDialect);
    }
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    const supported = supportedVersions(error);
    // Another process would give the same answer.
    if (supported && !supported.includes(requestedDialect.version)) {
      throw new FailureError(versionNotSupported(name, supported[0]));
    }
    if (isOffer) throw new OfferRefused(error.message);
    throw error;
  }
  const answered = answeredVersion(answer);
  const dialect = dialectOf(answered);
  if (!dialect || dialect.version > first.version) throw new FailureError(versionNotSupported(name, answered));
  return { dialect, info: dialect.decodeInitialize(answer) };
}

/** Returns the versions that an agent lists in its error for an unsupported one; undefined if it is another error. */
function supportedVersions({ code, data }: ResponseError<unknown>): readonly number[] | undefined {
  if (code !== errorCodes.unsupportedVersion) return undefined;
  const supported = asList(asObject(data)?.['supported'], asNumber);
  return supported?.length ? supported : undefined;
}
