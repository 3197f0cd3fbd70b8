import { posix, win32 } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { AgentCapabilities } from '../../acp/decode/decodeAgent';
import type { McpServer } from '../../acp/shape/openingSetup';
import { SpawnFailure } from '../process/agentProcess';
import { reservedVariable } from '../base/reservedVariables';
import { expandHome, locateProgram, withoutPrompt, type LaunchContext } from '../launch/launch';
import { expandVariables, type ExpandedText } from '../base/variables';
import type { McpServerSpec, McpTransport, SkippedServer } from './serverSpec';

/** Where servers are resolved, and the sources for the variables in their settings. */
export interface McpContext extends Omit<LaunchContext, 'askInput'> {
  /** Absolute. */
  readonly workspaceFolder: string;
  readonly readTextFile: (path: string) => Promise<string>;
  /**
   * Resolves to the user's input for `${input:ID}` of this server; undefined if there is no such input or the user
   * entered nothing.
   */
  readonly askInput: (server: McpServerSpec, id: string) => Promise<string | undefined>;
}

/** The MCP servers that an agent is offered, and those that are skipped. */
export interface ResolvedServers {
  readonly servers: readonly McpServer[];
  readonly skipped: readonly SkippedServer[];
  /** Values that must not appear in a log. */
  readonly secrets: readonly string[];
}

/** The transports of MCP servers that an agent supports. */
export type McpTransports = Pick<AgentCapabilities, 'mcpStdio' | 'mcpHttp' | 'mcpSse'>;

/** The reason for skipping a server, worded to follow a colon. */
class NotUsable extends Error {}

/**
 * Resolves the entries of `mcpServers` for an agent with these capabilities
 * (https://agentclientprotocol.com/protocol/session-setup#mcp-servers): variables expanded, commands absolute, lists
 * always present. Doesn't ask the user for values of skipped servers.
 */
export async function resolveServers(
  specs: readonly McpServerSpec[],
  can: McpTransports,
  context: McpContext,
): Promise<ResolvedServers> {
  const servers: McpServer[] = [];
  const skipped: SkippedServer[] = [];
  const secrets = new Set<string>();
  // Resolve one after the other, because each may ask the user.
  for (const spec of specs) {
    try {
      servers.push(await resolveServer(spec, can, context, secrets));
    } catch (error) {
      if (!(error instanceof NotUsable || error instanceof SpawnFailure)) throw error;
      skipped.push({ name: spec.name, reason: error.message.replace(/\.$/, '') });
    }
  }
  // Folders appear in every message, so hiding them would make the log useless.
  for (const folder of [...context.workspaceFolders.map(({ path }) => path), context.userHome]) secrets.delete(folder);
  secrets.delete(context.workspaceFolder);
  return { servers, skipped, secrets: [...secrets].filter((secret) => secret !== '') };
}

async function resolveServer(
  spec: McpServerSpec,
  can: McpTransports,
  context: McpContext,
  secrets: Set<string>,
): Promise<McpServer> {
  const { name, transport } = spec;
  const isSupported = { stdio: can.mcpStdio, http: can.mcpHttp, sse: can.mcpSse }[transport.type];
  if (!isSupported) {
    throw new NotUsable(l10n.t('the agent doesn’t support {0} servers', transport.type));
  }
  const expand = await expander(spec, context, secrets);
  if (transport.type === 'stdio') return { name, ...(await program(spec, transport, context, expand, secrets)) };
  const url = expand(transport.url);
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new NotUsable(l10n.t('“url” must be a web address'));
  const headers = pairs(transport.headers, expand);
  // `Bearer abc` is a secret, and so is `abc`.
  for (const { value } of headers) secrets.add(value).add(value.split(' ').at(-1) ?? '');
  return { type: transport.type, name, url, headers };
}

async function program(
  spec: McpServerSpec,
  transport: McpTransport & { readonly type: 'stdio' },
  context: McpContext,
  expand: (text: string) => string,
  secrets: Set<string>,
) {
  const isWindows = (context.platform ?? process.platform) === 'win32';
  const path = isWindows ? win32 : posix;
  const folder = spec.folder ?? context.workspaceFolder;
  const absolute = (text: string) => path.resolve(folder, expandHome(expand(text), context.userHome));
  const cwd = transport.cwd === undefined ? folder : absolute(transport.cwd);
  const env = new Map<string, string>();
  if (transport.envFile !== undefined) {
    const file = absolute(transport.envFile);
    const text = await context.readTextFile(file).catch(() => {
      throw new NotUsable(l10n.t('couldn’t read its environment file {0}', file));
    });
    const variables = parseEnvFile(text);
    // The user agreed to a server that only refers to the file, and the file may have changed since.
    const reserved = reservedVariable(variables);
    if (reserved !== undefined) {
      throw new NotUsable(l10n.t('its environment file sets {0}, which controls what runs. Set it in “env”', reserved));
    }
    for (const [name, value] of Object.entries(variables)) env.set(name, value);
  }
  for (const { name, value } of pairs(transport.env, expand)) env.set(name, value);
  for (const value of env.values()) secrets.add(value);
  const { env: userEnv } = await context.environment();
  const command = expandHome(expand(transport.command), context.userHome);
  const args = withoutPrompt(command, transport.args.map(expand));
  const found = await locate(command, args, { ...userEnv, ...Object.fromEntries(env) }, cwd, context);
  return {
    ...(cwd === context.workspaceFolder ? found : startedIn(cwd, found, isWindows)),
    env: [...env].map(([name, value]) => ({ name, value })),
  };
}

async function locate(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
  context: McpContext,
): Promise<{ command: string; args: string[] }> {
  try {
    const found = await locateProgram({ command, args, env, cwd }, context.platform, context.files);
    // Agents quote arguments themselves, so arguments already quoted for cmd.exe would be quoted twice.
    if (found.windowsVerbatimArguments) throw new NotUsable(l10n.t('{0} is a batch file', command));
    return { command: found.command, args: [...found.args] };
  } catch (error) {
    if (!(error instanceof SpawnFailure) || error.kind !== 'notFound') throw error;
    throw new NotUsable(l10n.t('program {0} wasn’t found', error.command));
  }
}

/** The protocol has no field for a server's folder, and agents start servers in the session's folder. */
function startedIn(cwd: string, { command, args }: { command: string; args: string[] }, isWindows: boolean) {
  if (isWindows) throw new NotUsable(l10n.t('the protocol can’t set its folder, {0}', cwd));
  return { command: '/bin/sh', args: ['-c', 'cd "$1" && shift && exec "$@"', 'sh', cwd, command, ...args] };
}

/** Returns a function that expands the texts of one server. May ask the user first. */
async function expander(spec: McpServerSpec, context: McpContext, secrets: Set<string>) {
  const inputs: Record<string, string> = {};
  for (const [, id = ''] of JSON.stringify(spec.transport).matchAll(/\$\{input:([^{}"]+)\}/g)) {
    if (id in inputs) continue;
    const value = await context.askInput(spec, id);
    if (value === undefined) throw new NotUsable(l10n.t('no value was entered for “{0}”', id));
    inputs[id] = value;
    secrets.add(value);
  }
  const { env } = await context.environment();
  const isWindows = (context.platform ?? process.platform) === 'win32';
  const variables = {
    workspaceFolders: context.workspaceFolders,
    userHome: context.userHome,
    env,
    inputs,
    workspaceFolder: spec.folder ?? context.workspaceFolder,
    envIsCaseSensitive: !isWindows,
    pathSeparator: isWindows ? '\\' : '/',
  };
  return (text: string) => requireKnown(expandVariables(text, variables));
}

function requireKnown({ text, unknown: [first] }: ExpandedText): string {
  if (first === undefined) return text;
  throw new NotUsable(l10n.t('{0} can’t be resolved', first));
}

function pairs(values: Readonly<Record<string, string>>, expand: (text: string) => string) {
  return Object.entries(values).map(([name, value]) => ({ name, value: expand(value) }));
}

/** Parses a file of `NAME=value` lines, as used by `envFile`; supports comments, quotes, and `export`. */
export function parseEnvFile(text: string): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line);
    const [, name, value = ''] = match ?? [];
    if (name !== undefined) env[name] = unquote(value);
  }
  return env;
}

function unquote(value: string): string {
  const quoted = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(value);
  if (!quoted) return value.replace(/\s+#.*$/, '');
  const [, quote, inner = ''] = quoted;
  return quote === '"' ? inner.replace(/\\([nrt"\\])/g, (_match, letter: string) => escapes[letter] ?? letter) : inner;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
