import * as l10n from '@vscode/l10n';
import { asObject, asString, compact, type JsonObject } from '../../shared/values/decodeValue';
import { toEnvironment, toStrings } from '../base/settingValues';

/** How an MCP server is reached, as written in the settings, with variables not yet expanded. */
export type McpTransport =
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** A file of additional variables, overridden by those of `env`. */
      readonly envFile?: string;
      readonly cwd?: string;
    }
  | { readonly type: 'http' | 'sse'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** An MCP server to offer to agents. */
export interface McpServerSpec {
  readonly name: string;
  /** The setting or file that defines the server, for display. */
  readonly origin: string;
  /** The value of `${workspaceFolder}` in it. Defaults to the session's folder. */
  readonly folder?: string;
  readonly transport: McpTransport;
}

/** An MCP server that an agent isn't offered, and the reason, worded to follow a colon. */
export interface SkippedServer {
  readonly name: string;
  readonly reason: string;
}

/** The valid servers of one source, and the skipped ones. */
export interface ParsedServers {
  readonly servers: readonly McpServerSpec[];
  readonly skipped: readonly SkippedServer[];
}

/**
 * Reads server name → `{ command, args?, env? }` or `{ type?, url, headers? }`, in all formats of editors. Skips and
 * reports invalid entries, keeps the others, and ignores disabled ones.
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
    else servers.push({ name, origin, transport, ...compact({ folder }) });
  }
  return { servers, skipped };
}

/**
 * Joins several lists into one, the closest first. Of servers with the same name, the closest is used. Another one is
 * reported unless it is equal, or its name was overridden intentionally by the first list, which is the user's own.
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

/** Returns the transport, or the reason why there is none. */
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

/** Some editors write `[{ name, value }]`, as the protocol does, where others write an object. */
function named(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const pairs = value.map((item: unknown) => [asString(asObject(item)?.['name']) ?? '', asObject(item)?.['value']]);
  return Object.fromEntries(pairs) as unknown;
}
