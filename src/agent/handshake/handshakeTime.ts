import type { AcpConnection } from '../../acp/wire/connection';
import { requestedDialect } from '../../acp/dialects';
import type { IDisposable } from '../../shared/values/disposable';
import { FailureError, handshakeTimedOut } from '../../session/failures';
import type { AgentOptions } from './agentOptions';
import type { AgentLaunch } from '../process/agentProcess';
import type { Dialect } from '../../acp/dialect/dialect';
import { handshake, OfferRefused, type Handshake } from './handshake';

/** How long an agent may take to answer `initialize`, in milliseconds. */
export const handshakeTimeout = 60_000;
/** How long an agent may be silent about an offer of a newer protocol version before it is asked for the usual one. */
export const offerTimeout = 20_000;
/** The same as `handshakeTimeout` for an agent that a package manager may have to download first. */
export const downloadTimeout = 180_000;

/** How long the user can be asked to keep waiting, in milliseconds. */
export const longestStart = 1_800_000;

/** Asks the user whether to keep waiting for a start that takes `seconds`. Returns whether there is anyone to ask. */
export type AskToWait = (seconds: number, mayDownload: boolean) => boolean;

/** Returns whether a program, or one of its chain, is started through a package manager that may have to download it. */
export function mayDownload({ command, args, chain = [] }: Pick<AgentLaunch, 'command' | 'args' | 'chain'>): boolean {
  if (chain.some(mayDownload)) return true;
  // On Windows, `npx` is Node with the script of npx.
  const names = [command, args[0] ?? ''].map((path) => path.split(/[\\/]/).at(-1) ?? '');
  return names.some((name) => /^(npx|npm|pnpx|pnpm|yarn|bunx|uvx|uv|pipx|docker|podman)(-cli\.js|\.\w+)?$/i.test(name));
}

/**
 * Performs the handshake, which begins with the version `first`; rejects with a `FailureError` if the agent stays silent,
 * and then calls `logTail`. An agent that stays silent about an offer has refused it. If the user is there to
 * decide (`askToWait`), a slow agent isn't given up.
 */
export async function handshakeWithTimeout(
  connection: AcpConnection,
  options: Pick<AgentOptions, 'name' | 'version' | 'offered' | 'schedule'>,
  launch: AgentLaunch,
  logTail: () => string,
  first: Dialect,
  signal: AbortSignal,
  askToWait: AskToWait = () => false,
): Promise<Handshake> {
  const isSlow = mayDownload(launch);
  const isOffer = first !== requestedDialect;
  const ms = isSlow ? downloadTimeout : isOffer ? offerTimeout : handshakeTimeout;
  const timedOut = new AbortController();
  let waited = 0;
  let timer: IDisposable | undefined;
  const wait = () => {
    timer = options.schedule(ms, () => {
      waited += ms;
      if (!isOffer && waited < longestStart && askToWait(waited / 1000, isSlow)) wait();
      else timedOut.abort();
    });
  };
  wait();
  try {
    return await handshake(connection, options, first, AbortSignal.any([signal, timedOut.signal]));
  } catch (error) {
    if (!timedOut.signal.aborted || signal.aborted) throw error;
    if (isOffer) throw new OfferRefused('no answer');
    throw new FailureError(handshakeTimedOut(options.name, waited / 1000, logTail(), isSlow));
  } finally {
    timer?.dispose();
  }
}
