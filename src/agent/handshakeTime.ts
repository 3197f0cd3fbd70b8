import type { AcpConnection } from '../acp/connection';
import { FailureError, handshakeTimedOut } from '../session/failures';
import type { AgentOptions } from './agentOptions';
import type { AgentLaunch } from './agentProcess';
import { handshake, type Handshake } from './handshake';

/** How long an agent may take to answer `initialize`, in milliseconds. */
export const handshakeTimeout = 60_000;
/** The same for an agent that a package manager may have to download first. */
export const downloadTimeout = 180_000;

/** Returns whether a program, or one of its chain, is started through a package manager that may have to download it. */
export function mayDownload({ command, args, chain = [] }: Pick<AgentLaunch, 'command' | 'args' | 'chain'>): boolean {
  if (chain.some(mayDownload)) return true;
  // On Windows, `npx` is Node with the script of npx.
  const names = [command, args[0] ?? ''].map((path) => path.split(/[\\/]/).at(-1) ?? '');
  return names.some((name) => /^(npx|npm|pnpx|pnpm|yarn|bunx|uvx|uv|pipx|docker|podman)(-cli\.js|\.\w+)?$/i.test(name));
}

/** Performs the handshake; rejects with a `FailureError` if the agent stays silent, and then calls `logTail`. */
export async function handshakeWithTimeout(
  connection: AcpConnection,
  options: Pick<AgentOptions, 'name' | 'version' | 'offered' | 'schedule'>,
  launch: AgentLaunch,
  logTail: () => string,
  signal: AbortSignal,
): Promise<Handshake> {
  const isSlow = mayDownload(launch);
  const ms = isSlow ? downloadTimeout : handshakeTimeout;
  const timedOut = new AbortController();
  const timer = options.schedule(ms, () => timedOut.abort());
  try {
    return await handshake(connection, options, AbortSignal.any([signal, timedOut.signal]));
  } catch (error) {
    if (!timedOut.signal.aborted || signal.aborted) throw error;
    throw new FailureError(handshakeTimedOut(options.name, ms / 1000, logTail(), isSlow));
  } finally {
    timer.dispose();
  }
}
