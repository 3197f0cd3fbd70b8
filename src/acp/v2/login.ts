import type { ChannelConnection } from '../dialect/dialect';
import { methods } from './methods';

/** `auth/login` (https://agentclientprotocol.com/protocol/v2/authentication). */
export async function logIn(
  connection: Pick<ChannelConnection, 'request'>,
  methodId: string,
  meta: Readonly<Record<string, unknown>> | undefined,
  signal: AbortSignal,
): Promise<void> {
  await connection.request(methods.logIn, meta ? { methodId, _meta: { ...meta } } : { methodId }, signal);
}

/** `auth/logout`. */
export async function logOut(connection: Pick<ChannelConnection, 'request'>): Promise<void> {
  await connection.request(methods.logOut, {});
}
