import type { SandboxPolicy, WrappedCommand } from '../../shared/limits/sandbox';
import { holdsNetwork } from '../../shared/limits/sandboxMode';

/** Quotes a word for a POSIX shell. */
export function shellWord(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Reads the messages of a forwarder until it listens or has exited: the command may connect at once. */
const untilListening = 'while read -r parley_line; do case "$parley_line" in *listening*) break ;; esac; done';

/** The port at which the library's proxy listens inside, on Linux. */
const innerProxyPort = 3128;

/**
 * Returns the line that a shell inside the sandbox runs. `limited` and `setEnvironment` precede the command. Without a network of its own,
 * a server of this machine is reached through the proxy: on Linux, a forwarder takes its place inside, because many programs
 * never use a proxy for `127.0.0.1`.
 */
export function innerLine(
  { file, args }: Pick<WrappedCommand, 'file' | 'args'>,
  setEnvironment: string,
  { mode, localPorts, askedPorts = [] }: Pick<SandboxPolicy, 'mode' | 'localPorts' | 'askedPorts'>,
  platform: NodeJS.Platform,
  limited = '',
): string {
  const command = `${limited}${setEnvironment}exec ${[file, ...args].map(shellWord).join(' ')}`;
  if (!holdsNetwork(mode)) return command;
  if (platform !== 'linux') return `export NO_PROXY= no_proxy=; ${command}`;
  // What agents start inside is reached directly. Addresses of private networks are asked about like all others.
  const direct = 'localhost,127.0.0.1,::1';
  const environment = `export NO_PROXY=${direct} no_proxy=${direct} NODE_USE_ENV_PROXY=1`;
  const ports = [...localPorts, ...askedPorts];
  if (ports.length === 0) return `${environment}; ${command}`;
  const user = 'parley_proxy="${HTTP_PROXY#*://}"; parley_proxy="${parley_proxy%@*}"';
  const forwarders = ports.map(
    (port) =>
      `{ socat -d -d TCP4-LISTEN:${port},bind=127.0.0.1,reuseaddr,fork ` +
      `"PROXY:localhost:127.0.0.1:${port},proxyport=${innerProxyPort},proxyauth=$parley_proxy" </dev/null 2>&1 >/dev/null & } | ` +
      untilListening,
  );
  return `${environment}; ${user}; ${forwarders.join('; ')}; unset parley_proxy; ${command}`;
}
