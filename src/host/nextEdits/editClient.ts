import * as vscode from 'vscode';
import { AbstractMessageReader, AbstractMessageWriter, type DataCallback, type Message } from 'vscode-jsonrpc/node';
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn } from 'vscode-languageclient';
import type { Agent } from '../../agent/connection/agent';
import { LanguageServer, type AcceptedCommand } from '../../nes/languageServer';
import { NesSession, type NesSurroundings } from '../../nes/nesSession';
import type { Log } from '../log/log';

/**
 * The suggestions of one agent: the editor's language client, which knows how to keep a server's documents in step, with
 * a server in this process that passes everything to the agent.
 */
export class EditClient {
  readonly session: NesSession;
  private readonly server: LanguageServer;
  private readonly client: LanguageClient;

  private constructor(session: NesSession, server: LanguageServer, client: LanguageClient) {
    this.session = session;
    this.server = server;
    this.client = client;
  }

  /** Starts a session with the agent and a client for it; rejects if the agent refuses. */
  static async start(
    agent: Agent,
    name: string,
    surroundings: NesSurroundings,
    log: Log,
    accepted: AcceptedCommand,
  ): Promise<EditClient> {
    const can = agent.can?.nes;
    if (!can) throw new Error('The agent has no next edit suggestions');
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const [first] = folders;
    const session = await NesSession.start(agent, can, surroundings, {
      ...(first ? { workspaceUri: first.uri.toString() } : {}),
      workspaceFolders: folders.map(({ uri, name: folder }) => ({ uri: uri.toString(), name: folder })),
    });
    const server = new LanguageServer(session, accepted);
    const transports = { reader: new ServerReader(server), writer: new ServerWriter(server), detached: true };
    const client = new LanguageClient('parley.nextEdits', name, () => Promise.resolve(transports), {
      documentSelector: [{ scheme: 'file' }],
      outputChannel: quietChannel(name, log),
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
      },
    });
    const started = new EditClient(session, server, client);
    try {
      await client.start();
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  /** Fires with suggestions that aren't at the cursor. */
  get onDidSuggestAway(): LanguageServer['onDidSuggestAway'] {
    return this.server.onDidSuggestAway;
  }

  /** Removes the client and ends the agent's session. Never rejects. */
  async stop(): Promise<void> {
    const ended = this.session.end();
    await this.client.dispose().catch(() => undefined);
    this.server.dispose();
    await ended;
  }
}

/** Messages of the server for the client. */
class ServerReader extends AbstractMessageReader {
  private readonly server: LanguageServer;

  constructor(server: LanguageServer) {
    super();
    this.server = server;
  }

  listen(callback: DataCallback): vscode.Disposable {
    const subscription = this.server.onDidSend((message) => callback(message));
    return new vscode.Disposable(() => subscription.dispose());
  }
}

/** Messages of the client for the server. */
class ServerWriter extends AbstractMessageWriter {
  private readonly server: LanguageServer;

  constructor(server: LanguageServer) {
    super();
    this.server = server;
  }

  write(message: Message): Promise<void> {
    this.server.receive(message);
    return Promise.resolve();
  }

  end(): void {
    this.fireClose();
  }
}

/** Keeps the client from creating an output channel, and from tracing what the user types. */
function quietChannel(name: string, log: Log): vscode.LogOutputChannel {
  const nothing = () => undefined;
  const warn = (message: string | Error) => log.warn(`Next edit suggestions of ${name}: ${String(message)}`);
  const channel = {
    name,
    logLevel: vscode.LogLevel.Off,
    onDidChangeLogLevel: () => new vscode.Disposable(nothing),
    error: warn,
    warn: warn,
    info: nothing,
    debug: nothing,
    trace: nothing,
    append: nothing,
    appendLine: nothing,
    replace: nothing,
    clear: nothing,
    show: nothing,
    hide: nothing,
    dispose: nothing,
  };
  return channel;
}
