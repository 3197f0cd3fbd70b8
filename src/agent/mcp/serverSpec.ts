import * as l10n from '@vscode/l10n';
import { asObject, asString, type JsonObject } from '../../acp/decodeValue';
import { toEnvironment, toStrings } from '../agentSpec';

/** How an MCP server is reached, as somebody wrote it down: variables are not expanded yet. */
export type McpTransport =
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** A file of further variables, which those of `env` override. */
      readonly envFile?: string;
      readonly cwd?: string;
    }
  | { readonly type: 'http' | 'sse'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** An MCP server that agents are to be offered. */
export interface McpServerSpec {
  readonly name: string;
  /** The setting or the file that names it, for people. */
  readonly origin: string;
  /** What `${workspaceFolder}` means in it; that of the session when absent. */
  readonly folder?: string;
  readonly transport: McpTransport;
}

/** An MCP server that an agent is not offered, and why, worded to follow a colon. */
export interface SkippedServer {
  readonly name: string;
  readonly reason: string;
}

/** The servers of one place that can be used, and the others. */
export interface ParsedServers {
  readonly servers: readonly McpServerSpec[];
  readonly skipped: readonly SkippedServer[];
}

/**
 * Reads server name → `{ command, args?, env? }` or `{ type?, url, headers? }`, in all the forms that editors write. A bad entry is
 * left out and the others are kept; one that its owner has disabled is passed over.
 */
export function parseServers(value: unknown, origin: string, folder?: string): ParsedServers {
  const servers: McpServerSpec[] = [];
  const skipped: SkippedServer[] = [];
  for (const [key, entry] of Object.entries(asObject(value) ?? {})) {
    const name = key.trim();
    const object = asObject(entry);
    if (object?.['disabled'] === true || object?.['enabled'] === false) continue;
    const transport = object ? parseTransport(object) : l10n.t('must be an object with a command or a URL');
    if (name === '') skipped.push({ name: key, reason: l10n.t('missing name') });
    else if (typeof transport === 'string') skipped.push({ name, reason: transport });
    else servers.push({ name, origin, transport, ...(folder === undefined ? {} : { folder }) });
  }
  return { servers, skipped };
}

/**
 * One list out of several, the closest first. Of servers with one name the closest is used; another one is told, unless it is the
 * same, or its name was given on purpose: by the first list, which is the user's own.
 */
export function joinServers([own, ...others]: readonly ParsedServers[]): ParsedServers {
  const servers = new Map<string, McpServerSpec>((own?.servers ?? []).map((server) => [server.name, server]));
  const chosen = new Set(servers.keys());
  const skipped = [...(own?.skipped ?? [])];
  for (const list of others) {
    skipped.push(...list.skipped.filter(({ name }) => !servers.has(name)));
    for (const server of list.servers) {
      const closer = servers.get(server.name);
      if (!closer) servers.set(server.name, server);
      else if (!chosen.has(server.name) && !isSame(closer, server)) {
        const reason = l10n.t('{0} defines another server with this name', closer.origin);
        skipped.push({ name: `${server.name} (${server.origin})`, reason });
      }
    }
  }
  return { servers: [...servers.values()], skipped };
}

function isSame(one: McpServerSpec, other: McpServerSpec): boolean {
  return JSON.stringify(one.transport) === JSON.stringify(other.transport) && one.folder === other.folder;
}

/** The transport, or the reason why there is none. */
function parseTransport(entry: JsonObject): McpTransport | string {
  const type = asString(entry['type'])?.toLowerCase();
  const url = asString(entry['url'])?.trim();
  const isRemote = type === undefined ? entry['command'] === undefined && url !== undefined : type !== 'stdio';
  if (!isRemote) return parseProgram(entry);
  const kind = type === undefined || /^(streamable[-_]?)?http$/.test(type) ? 'http' : type;
  if (kind !== 'http' && kind !== 'sse') return l10n.t('unknown type {0}', kind);
  if (url === undefined || url === '') return l10n.t('missing URL');
  const headers = toEnvironment(named(entry['headers']));
  return headers === undefined
    ? l10n.t('“headers” must be an object with string values')
    : { type: kind, url, headers };
}

function parseProgram(entry: JsonObject): McpTransport | string {
  const command = asString(entry['command'])?.trim();
  if (command === undefined || command === '') return l10n.t('missing command');
  const args = toStrings(entry['args']);
  if (args === undefined) return l10n.t('“args” must be an array of strings');
  const env = toEnvironment(named(entry['env']));
  if (env === undefined) return l10n.t('“env” must be an object with string values');
  const [envFile, cwd] = [asString(entry['envFile']), asString(entry['cwd'])];
  return { type: 'stdio', command, args, env, ...(envFile ? { envFile } : {}), ...(cwd ? { cwd } : {}) };
}

/** Some editors write `[{ name, value }]` where others write an object, as the protocol itself does. */
function named(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const pairs = value.map((item: unknown) => [asString(asObject(item)?.['name']) ?? '', asObject(item)?.['value']]);
  return Object.fromEntries(pairs) as unknown;
}
