import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../shared/values/attempt';

/** Matches the names of variables for servers of models. */
export const serverVariable = /(?:_BASE_URL|_API_BASE|_ENDPOINT|_API_URL|_BASEURL)$/;

/** Returns the servers that the user's environment names as those of models. */
export function configuredServers(env: Readonly<Record<string, string>>) {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!serverVariable.test(name) || !URL.canParse(value)) return [];
    const { protocol, hostname, port } = new URL(value);
    if (protocol !== 'https:' && protocol !== 'http:') return [];
    return [{ host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80), isLocal: isLocal(hostname) }];
  });
}

function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}

/** Returns the port of a server on this machine; undefined for every other address, and for text that isn't one. */
export function localPort(address: string): number | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port } = new URL(address);
  if (!/^(?:https?|wss?):$/.test(protocol) || !isLocal(hostname)) return undefined;
  return Number(port) || (/s:$/.test(protocol) ? 443 : 80);
}

/** Where the settings of agents are, in their own folders. */
const settingsFiles = ['toml', 'json', 'jsonc', 'yaml', 'yml'].flatMap((kind) =>
  ['config', 'settings', 'opencode', 'models'].map((name) => `${name}.${kind}`),
);
/** Larger files have conversations, and no settings. */
const largestSettings = 1_000_000;
/** How many servers an agent's settings have at most: each has a process in each command. */
const mostServers = 8;
/** Local servers of models that agents find by their names alone. */
const usualPorts: readonly (readonly [RegExp, number])[] = [
  [/["'= :]ollama\b/i, 11_434],
  [/["'= :]lm[-_]?studio\b/i, 1234],
];

/**
 * Returns the ports of servers on this machine that an agent's own settings name: local models, and MCP servers. The agent can write
 * there, so nothing may be open because of it.
 */
export function portsInSettings(state: readonly string[]): number[] {
  const files = state.flatMap((path) => [path, ...settingsFiles.map((name) => join(path, name))]);
  return [...new Set(files.flatMap((path) => portsIn(textOf(path))))].slice(0, mostServers);
}

function portsIn(text: string): number[] {
  const addresses = text.match(/\b(?:https?|wss?):\/\/(?:localhost|127\.[\d.]{5,11}|\[::1\])(?::\d{1,5})?/g) ?? [];
  const usual = usualPorts.flatMap(([name, port]) => (name.test(text) ? [port] : []));
  return [...addresses.flatMap((address) => localPort(address) ?? []), ...usual];
}

function textOf(path: string): string {
  return (
    attempt(() => {
      const found = statSync(path);
      return found.isFile() && found.size <= largestSettings ? readFileSync(path, 'utf8') : '';
    }) ?? ''
  );
}
