import type { AcpRequest } from '../base/method';
import type { ChannelConnection, Dialect } from './dialect';

interface LoginParams {
  readonly methodId: string;
  readonly _meta?: { [name: string]: unknown };
}

/** Returns how a version logs in and out: with these requests. */
export function loginsBy(
  logIn: AcpRequest<LoginParams, unknown>,
  logOut: AcpRequest<object, unknown>,
): Pick<Dialect, 'logIn' | 'logOut'> {
  return {
    logIn: async (connection, methodId, meta, signal) => {
      await connection.request(logIn, meta ? { methodId, _meta: { ...meta } } : { methodId }, signal);
    },
    logOut: async (connection: Pick<ChannelConnection, 'request'>) => {
      await connection.request(logOut, {});
    },
  };
}
