import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import { resolveServers, type McpTransports, type ResolvedServers } from '../../agent/mcp/resolveServers';
import { joinServers, parseServers, type McpServerSpec, type ParsedServers } from '../../agent/mcp/serverSpec';
import { localPort } from '../../sandbox/agents/configuredServers';
import type { AskInChat } from '../consent/chatQuestion';
import type { Settings } from '../settings/settings';
import type { ReadSettings } from '../settings/settingTable';
import { McpConsent } from './mcpConsent';
import { readMcpFiles, userMcpJson, type McpFile } from './mcpFiles';
import { McpInputs } from './mcpInputs';

export interface McpServersOptions {
  readonly settings: Pick<Settings, 'mcpServers' | 'mcpServersOfUser'> & ReadSettings<'mcp.useMcpJson'>;
  readonly memory: vscode.Memento;
  readonly secrets: vscode.SecretStorage;
  readonly globalStorage: vscode.Uri;
  /** The environment of the user's terminal programs. */
  readonly environment: () => Promise<{ readonly env: Readonly<Record<string, string>> }>;
}

/** How many ports of servers a sandbox has at most: each has a process in each command. */
const mostPorts = 8;

/** The MCP servers of a session: those of `parley.mcpServers` and, if the user agrees, those of `mcp.json`. */
export class McpServers {
  private readonly options: McpServersOptions;
  private readonly consent: McpConsent;
  private readonly inputs: McpInputs;

  constructor(options: McpServersOptions) {
    this.options = options;
    this.consent = new McpConsent(options.memory);
    this.inputs = new McpInputs(options.secrets);
  }

  /**
   * Returns the servers for a session, filtered by the agent's capabilities. May ask the user with `ask` in the
   * session's chat. `folders` are all folders of the session, its own first.
   */
  async get(
    { mcp }: AgentSpec,
    can: McpTransports,
    folders: readonly string[],
    ask: AskInChat,
    signal: AbortSignal,
  ): Promise<ResolvedServers> {
    if (!vscode.workspace.isTrusted) return { servers: [], skipped: [], secrets: [] };
    const isWanted = ({ name }: { readonly name: string }) =>
      mcp === undefined || (mcp !== false && mcp.includes(name));
    const wanted = ({ servers, skipped }: ParsedServers): ParsedServers => ({
      servers: servers.filter(isWanted),
      skipped: skipped.filter(isWanted),
    });
    const [folder = homedir()] = folders;
    const own = wanted(parseServers(this.options.settings.mcpServers(vscode.Uri.file(folder)), 'parley.mcpServers'));
    const files = this.options.settings.get('mcp.useMcpJson') === 'never' ? [] : await this.readFiles(folders);
    const { servers, skipped } = joinServers([own, ...files.map(wanted)]);
    const allowed = await this.allowed(servers, own.servers, files, ask, signal);
    const resolved = await resolveServers(allowed.servers, can, {
      workspaceFolder: folder,
      workspaceFolders: (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ name, path: uri.fsPath })),
      userHome: homedir(),
      environment: this.options.environment,
      readTextFile: (path) => readFile(path, 'utf8'),
      askInput: (server, id) => this.askInput(files, server, id, signal),
    });
    return { ...resolved, skipped: [...skipped, ...allowed.skipped, ...resolved.skipped] };
  }

  /**
   * Resolves to the ports of servers on this machine that sessions in these folders may get: those of the user's own settings, and the
   * others, which a workspace could name.
   */
  async portsFor(
    { mcp }: AgentSpec,
    folders: readonly string[],
  ): Promise<{ readonly ofUser: readonly number[]; readonly others: readonly number[] }> {
    const { settings, globalStorage } = this.options;
    if (!vscode.workspace.isTrusted || mcp === false) return { ofUser: [], others: [] };
    const [folder = homedir()] = folders;
    const files = settings.get('mcp.useMcpJson') === 'never' ? [] : await this.readFiles(folders);
    const ownPath = userMcpJson(globalStorage);
    const ofUser = portsOf([
      ...parseServers(settings.mcpServersOfUser, '').servers,
      ...files.flatMap(({ path, servers }) => (path === ownPath ? servers : [])),
    ]);
    const all = portsOf([
      ...parseServers(settings.mcpServers(vscode.Uri.file(folder)), '').servers,
      ...files.flatMap(({ servers }) => servers),
    ]);
    return { ofUser, others: all.filter((port) => !ofUser.includes(port)) };
  }

  /** Forgets what the user entered and agreed to. The next session asks again. */
  async forgetAnswers(): Promise<void> {
    await Promise.all([this.inputs.forget(), this.consent.forget()]);
  }

  private readFiles(folders: readonly string[]): Promise<readonly McpFile[]> {
    return readMcpFiles(folders, userMcpJson(this.options.globalStorage));
  }

  /** Without the user's agreement, only servers of the settings are used. */
  private async allowed(
    servers: readonly McpServerSpec[],
    own: readonly McpServerSpec[],
    files: readonly McpFile[],
    ask: AskInChat,
    signal: AbortSignal,
  ): Promise<ParsedServers> {
    const ofFiles = servers.filter((server) => !own.includes(server));
    if (ofFiles.length === 0 || this.options.settings.get('mcp.useMcpJson') === 'always')
      return { servers, skipped: [] };
    const paths = files.filter(({ servers: named }) => named.some((one) => ofFiles.includes(one)));
    const answerTo = await this.consent.get(
      ofFiles,
      paths.map(({ path }) => path),
      ask,
      signal,
    );
    const reason = l10n.t('not approved yet; new sessions will ask again');
    return {
      servers: servers.filter((server) => !ofFiles.includes(server) || answerTo(server) === 'yes'),
      skipped: ofFiles.flatMap((server) => (answerTo(server) === undefined ? [{ name: server.name, reason }] : [])),
    };
  }

  private askInput(
    files: readonly McpFile[],
    server: McpServerSpec,
    id: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const file = files.find(({ servers }) => servers.includes(server));
    const input = file?.inputs.find((one) => one.id === id);
    return file && input ? this.inputs.get(file.path, input, server, signal) : Promise.resolve(undefined);
  }
}

function portsOf(servers: readonly McpServerSpec[]): readonly number[] {
  const ports = servers.flatMap(({ transport }) =>
    transport.type === 'stdio' ? [] : (localPort(transport.url) ?? []),
  );
  return [...new Set(ports)].slice(0, mostPorts);
}
