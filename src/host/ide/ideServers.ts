import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentCapabilities } from '../../acp/decode/decodeAgent';
import type { McpServer } from '../../acp/shape/openingSetup';
import type { AgentSpec } from '../../agent/spec/agentSpec';
import type { SkippedServer } from '../../agent/mcp/serverSpec';
import { placeOf } from '../../agent/remote/remoteFolder';
import type { SessionKey } from '../../shared/values/ids';
import { Disposable, type IDisposable } from '../../shared/values/disposable';
import { once } from '../../shared/values/once';
import type { McpMessage, McpNotify, McpReply, McpService } from '../../session/services';
import type { Settings } from '../settings/settings';
import type { ReadSettings } from '../settings/settingTable';
import type { IdeServer, IdeServerOptions } from './ideServer';
import { editorServer, type AgentAsker, type ToolSession } from './tool';

export interface IdeServersOptions extends Omit<IdeServerOptions, 'asker'> {
  readonly settings: IdeServerOptions['settings'] &
    Pick<Settings, 'editorToolsOf'> &
    ReadSettings<'editorTools.enabled'>;
  readonly report: (error: unknown) => void;
}

/** What a session gets: the server, or why not, and its secrets. */
export interface OfferedServer {
  readonly servers: readonly McpServer[];
  readonly skipped: readonly SkippedServer[];
  readonly secrets: readonly string[];
}

/** Returns whether the user's settings offer the editor's tools to an agent. The choice for the agent precedes its `mcp`. */
export function isOffered(
  settings: Pick<Settings, 'editorToolsOf'>,
  { name, mcp }: Pick<AgentSpec, 'name' | 'mcp'>,
): boolean {
  const byMcp = mcp === undefined || (mcp !== false && mcp.includes(editorServer));
  return settings.editorToolsOf(name) ?? byMcp;
}

const nothing: OfferedServer = { servers: [], skipped: [], secrets: [] };

/** How an agent reaches the server: by its address, or through its own connection with Parley. */
type Door = 'http' | 'acp';

/**
 * Offers the editor's tools to agents as an MCP server. The server is loaded with the first session that gets it, and
 * each session has a token of its own.
 */
export class IdeServers extends Disposable implements McpService {
  private readonly options: IdeServersOptions;
  private readonly admissions = new Map<SessionKey, IDisposable>();
  /** The server and its tools are only code that sessions with tools need. */
  private readonly load = once(async () => {
    const { IdeServer } = await import('./ideServer');
    this.server = this.register(await IdeServer.open({ ...this.options, asker: this.asker }));
    return this.server;
  });
  private server: IdeServer | undefined;
  private asked: AgentAsker | undefined;
  private readonly asker = (): AgentAsker => {
    if (!this.asked) throw new Error('No agent can ask another one.');
    return this.asked;
  };

  constructor(options: IdeServersOptions) {
    super();
    this.options = options;
  }

  /** Lets agents ask others. */
  letAsk(asked: AgentAsker): void {
    this.asked = asked;
  }

  /** Returns the server for a session. `taken` are the names of its other servers. A token from before ends. */
  async offer(
    spec: AgentSpec,
    can: Pick<AgentCapabilities, 'mcpHttp' | 'mcpAcp'>,
    session: ToolSession,
    taken: readonly string[],
    signal: AbortSignal,
  ): Promise<OfferedServer> {
    const { session: key } = session.context;
    this.revoke(key);
    const door = doorFor(spec, can);
    if (!this.isOffered(spec) || !door || !vscode.workspace.isTrusted) return nothing;
    if (taken.includes(editorServer)) {
      const reason = l10n.t('another server has the same name');
      return { ...nothing, skipped: [{ name: editorServer, reason }] };
    }
    try {
      const server = await this.load();
      if (signal.aborted || this.isDisposed) return nothing;
      this.revoke(key);
      return door === 'http' ? this.overHttp(server, session) : this.overAcp(server, session);
    } catch (error) {
      // A session without the editor's tools is better than none.
      this.options.report(error);
      return { ...nothing, skipped: [{ name: editorServer, reason: l10n.t('its server couldn’t start') }] };
    }
  }

  /** Resolves to the port of the server, for an agent that reaches nothing else on this machine. Loads the server. */
  async portFor(spec: AgentSpec): Promise<number | undefined> {
    if (!this.isOffered(spec)) return undefined;
    return (await this.load()).port;
  }

  message(message: McpMessage, notify: McpNotify, signal: AbortSignal): Promise<McpReply> | undefined {
    return this.server?.acp.message(message, notify, signal);
  }

  private isOffered(spec: AgentSpec): boolean {
    const { settings } = this.options;
    return settings.get('editorTools.enabled') && isOffered(settings, spec);
  }

  private overHttp(server: IdeServer, session: ToolSession): OfferedServer {
    const admission = server.admitOverHttp(session);
    this.admissions.set(session.context.session, admission);
    const { url, token } = admission;
    const value = `Bearer ${token}`;
    const headers = [{ name: 'Authorization', value }];
    return { servers: [{ type: 'http', name: editorServer, url, headers }], skipped: [], secrets: [token, value] };
  }

  private overAcp(server: IdeServer, session: ToolSession): OfferedServer {
    const admission = server.admitOverAcp(session);
    this.admissions.set(session.context.session, admission);
    const { serverId } = admission;
    return { servers: [{ type: 'acp', name: editorServer, serverId }], skipped: [], secrets: [serverId] };
  }

  /** Ends a session's access, because its agent exited or it was closed. */
  revoke(key: SessionKey): void {
    this.admissions.get(key)?.dispose();
    this.admissions.delete(key);
  }

  override dispose(): void {
    for (const key of [...this.admissions.keys()]) this.revoke(key);
    super.dispose();
  }
}

/**
 * Returns how an agent reaches the tools; undefined if it can't. Prefers HTTP, because agents speak older revisions of MCP
 * there, too. An agent on another machine can't reach this one's loopback interface, and gets no tools unless its files
 * are these.
 */
export function doorFor(spec: AgentSpec, can: Pick<AgentCapabilities, 'mcpHttp' | 'mcpAcp'>): Door | undefined {
  const place = placeOf(spec);
  if (place === 'here' && can.mcpHttp) return 'http';
  return place !== 'elsewhere' && can.mcpAcp ? 'acp' : undefined;
}
