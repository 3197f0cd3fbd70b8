import * as l10n from '@vscode/l10n';
import { isRecord } from '../../shared/values/isRecord';
import type { CommandLine } from './commandLine';
import { toEnvironment, toStrings } from '../base/settingValues';

/**
 * Programs between Parley and an agent, which may change messages (https://agentclientprotocol.com/rfds/proxy-chains).
 * The conductor starts them and the agent, and connects them. To Parley, it is the agent.
 */
export interface ProxyChain {
  readonly conductor: CommandLine;
  /** At least one; the first is next to Parley. */
  readonly proxies: readonly CommandLine[];
  /** The variables of all proxies. None contradicts another, or the agent's. */
  readonly env: Readonly<Record<string, string>>;
}

/** The conductor of the protocol's own project. The commands of the chain follow its arguments. */
export const defaultConductor: CommandLine = { command: 'agent-client-protocol-conductor', args: ['agent'] };

/**
 * Reads `proxies` and `conductor` of an agent's entry. Returns undefined if there are no proxies, and the reason, worded
 * to follow a colon, if they are invalid. All programs of a chain get the same variables, because the conductor passes
 * its own on, and a value on a command line isn't secret.
 */
export function toProxyChain(
  entry: Readonly<Record<string, unknown>>,
  agentEnv: Readonly<Record<string, string>>,
): ProxyChain | undefined | string {
  const { proxies: listed, conductor: named } = entry;
  if (listed === undefined || listed === null) return undefined;
  if (!Array.isArray(listed)) return l10n.t('“proxies” must be an array of objects with a command');
  if (listed.length === 0) return undefined;
  const conductor = named === undefined || named === null ? defaultConductor : toConductor(named);
  if (!conductor) return l10n.t('“conductor” must be a program, or an object with “command” and “args”');
  const proxies: CommandLine[] = [];
  const env: Record<string, string> = {};
  for (const item of listed as readonly unknown[]) {
    const proxy = toCommand(item);
    const own = toEnvironment(isRecord(item) ? item['env'] : undefined);
    if (!proxy || !own) return l10n.t('each of “proxies” must be an object with “command”, “args”, and “env”');
    for (const [name, value] of Object.entries(own)) {
      if ((agentEnv[name] ?? env[name] ?? value) !== value) {
        return l10n.t('all programs of a chain share their environment variables, but “{0}” has two values', name);
      }
      env[name] = value;
    }
    proxies.push(proxy);
  }
  return { conductor, proxies, env };
}

/**
 * Returns the arguments for the conductor: one command line per program of the chain, the agent's last. Words are quoted
 * so that a POSIX shell and simple parsers split them in the same way.
 */
export function conductorArgs(conductor: CommandLine, chain: readonly CommandLine[]): readonly string[] {
  return [...conductor.args, ...chain.map(({ command, args }) => [command, ...args].map(quoted).join(' '))];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

function toConductor(value: unknown): CommandLine | undefined {
  if (typeof value === 'string') return toCommand({ command: value, args: defaultConductor.args });
  return toCommand(isRecord(value) && value['args'] === undefined ? { ...value, args: defaultConductor.args } : value);
}

function toCommand(value: unknown): CommandLine | undefined {
  if (!isRecord(value)) return undefined;
  const { command } = value;
  const args = toStrings(value['args']);
  return typeof command === 'string' && command.trim() !== '' && args ? { command: command.trim(), args } : undefined;
}
