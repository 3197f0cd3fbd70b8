import type { ChannelConnection } from '../dialect/dialect';
import { agentMethods } from '../wire/methods';

/** `authenticate` (https://agentclientprotocol.com/protocol/authentication). */
export async function logIn(
  connection: Pick<ChannelConnection, 'request'>,
  methodId: string,
  meta: Readonly<Record<string, unknown>> | undefined,
  signal: AbortSignal,
): Promise<void> {
  const params = meta ? { methodId, _meta: { ...meta } } : { methodId };
  await connection.request(agentMethods.authenticate, params, signal);
}

/** `logout`. */
export async function logOut(connection: Pick<ChannelConnection, 'request'>): Promise<void> {
  await connection.request(agentMethods.logout, {});
}
