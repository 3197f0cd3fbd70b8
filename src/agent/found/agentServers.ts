import { posix, win32 } from 'node:path';
import { toEnvironment, toStrings } from '../base/settingValues';
import { isRecord } from '../../shared/values/isRecord';
import { parseJsonWithComments } from '../base/jsonc';
import type { Searched } from './places';

/** A file of another editor that can define agents. */
export interface ForeignSettings {
  readonly editor: string;
  readonly path: string;
}

/** An agent of another editor's settings. */
export interface ForeignAgent {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The names of variables whose values look like keys. Their values are in `secrets` only. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** Returns the files in which other editors store the agents that their user defined. */
export function foreignSettings({ platform, home, env }: Searched): readonly ForeignSettings[] {
  const isWindows = platform === 'win32';
  const path = isWindows ? win32 : posix;
  const config = isWindows
    ? (env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'))
    : platform === 'linux' && env['XDG_CONFIG_HOME']?.startsWith('/')
      ? env['XDG_CONFIG_HOME']
      : path.join(home, '.config');
  return [
    { editor: 'Zed', path: path.join(config, isWindows ? 'Zed' : 'zed', 'settings.json') },
    { editor: 'JetBrains', path: path.join(home, '.jetbrains', 'acp.json') },
  ];
}

/**
 * Reads the agents of a settings file: the block `agent_servers`. Skips entries without a command, which are agents that
 * the other editor installs itself. Throws if the text isn't JSON, with or without comments.
 */
export function decodeAgentServers(text: string): readonly ForeignAgent[] {
  const settings = parseJsonWithComments(text);
  const block = isRecord(settings) ? settings['agent_servers'] : undefined;
  if (!isRecord(block)) return [];
  return Object.entries(block)
    .slice(0, 200)
    .flatMap(([name, entry]) => decodeEntry(name.trim(), entry) ?? []);
}

function decodeEntry(name: string, entry: unknown): ForeignAgent | undefined {
  if (name === '' || !isRecord(entry)) return undefined;
  const { command } = entry;
  const args = toStrings(entry['args']);
  const env = toEnvironment(entry['env']);
  if (typeof command !== 'string' || command.trim() === '' || !args || !env) return undefined;
  const all = Object.entries(env);
  return {
    name,
    command: command.trim(),
    args,
    env: Object.fromEntries(all.filter(([key, value]) => !looksSecret(key, value))),
    secrets: Object.fromEntries(all.filter(([key, value]) => looksSecret(key, value))),
  };
}

const secretNames = /(^|_)(API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PAT|CREDENTIALS?|AUTH)(_|$)/i;
const secretValues = /^(sk-|gh[opsu]_|github_pat_|xox[abp]-|AIza|AKIA|eyJ|glpat-)|:\/\/[^/\s]*:[^/\s]*@/;

/** Returns whether a variable looks like a key or a token, which must not be written to settings. */
export function looksSecret(name: string, value: string): boolean {
  // An empty value and a reference to another variable contain no secret.
  if (value === '' || /^\$\{?[\w:]+\}?$/.test(value)) return false;
  return secretNames.test(name) || secretValues.test(value);
}
