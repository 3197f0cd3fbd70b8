// A remote agent: the server of the protocol's own SDK on loopback. Its sessions outlive its connections.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after } from 'node:test';
import { WebSocketServer } from 'ws';
import type * as Sdk from '@agentclientprotocol/sdk';
import type * as SecondSdk from '@agentclientprotocol/sdk/experimental/v2/unstable';

/** A session's conversation, as `session/load` replays it. */
interface Kept {
  readonly updates: object[];
}

/** What the agent does in a turn. `say` also keeps the text for later loads; it never fails. */
export interface RemoteTurn {
  readonly text: string;
  say(text: string): Promise<void>;
  /** As `say`, for any update. */
  tell(update: object): Promise<void>;
  /** Asks for a permission; resolves to the chosen option, or `undefined` if the connection is lost. */
  ask(): Promise<string | undefined>;
  readonly cancelled: Promise<void>;
}

export interface RemoteServerOptions {
  /** Defaults to answering "You said: …". */
  readonly onPrompt?: (turn: RemoteTurn) => Promise<void>;
  /** Returns a status to answer a request with, or undefined to let the agent answer. */
  readonly intercept?: (request: IncomingMessage) => number | undefined;
  readonly capabilities?: object;
  /** Whether the agent also speaks version 2 of the protocol. There, `ask` isn't available. */
  readonly speaksSecond?: boolean;
}

/** What one side of a test waits for until the other opens it. */
export function gate(): { readonly isOpen: Promise<void>; open(): void } {
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  return { isOpen, open: () => open() };
}

export class RemoteServer {
  /** The texts of all prompts that reached the agent, in order. */
  readonly prompts: string[] = [];
  /** `method path?` and interesting headers of each HTTP request. */
  readonly requests: { method: string; headers: IncomingMessage['headers'] }[] = [];
  readonly methods: { method: string; params: Record<string, unknown> }[] = [];
  readonly sessions = new Map<string, Kept>();
  intercept: RemoteServerOptions['intercept'];
  onPrompt: NonNullable<RemoteServerOptions['onPrompt']>;
  /** Added to the answer of the first message of a connection. */
  cookie: string | undefined;
  port = 0;
  private readonly sockets = new Set<Socket>();
  private readonly streams = new Map<string, ServerResponse>();
  private close: () => Promise<void> = () => Promise.resolve();
  private readonly capabilities: object;
  private readonly speaksSecond: boolean;
  /** Sends an update of a session to the connection that has it, by the session's ID. */
  private readonly attached = new Map<string, (update: object) => Promise<void>>();

  private constructor(options: RemoteServerOptions) {
    this.intercept = options.intercept;
    this.speaksSecond = options.speaksSecond ?? false;
    this.capabilities = options.capabilities ?? { loadSession: true, sessionCapabilities: { close: {} } };
    this.onPrompt = options.onPrompt ?? ((turn) => turn.say(`You said: ${turn.text}`));
  }

  /** For one test, at whose end it stops. */
  static async start(options: RemoteServerOptions = {}): Promise<RemoteServer> {
    const server = await RemoteServer.open(options);
    after(() => server.stop());
    return server;
  }

  /** Until `stop`. */
  static async open(options: RemoteServerOptions = {}): Promise<RemoteServer> {
    const server = new RemoteServer(options);
    await server.listen();
    return server;
  }

  get http(): string {
    return `http://127.0.0.1:${this.port}/acp`;
  }

  get ws(): string {
    return `ws://127.0.0.1:${this.port}/acp`;
  }

  /** Breaks every connection, as a network does. */
  drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Ends the HTTP stream of one session, and nothing else. */
  endStream(sessionId: string): void {
    this.streams.get(sessionId)?.destroy();
  }

  /** Starts again at the same port. Its sessions are kept, its connections are not. */
  async restart(): Promise<void> {
    await this.stop();
    await this.listen();
  }

  async stop(): Promise<void> {
    const closing = this.close();
    this.drop();
    await closing;
  }

  private async listen(): Promise<void> {
    // ES modules, so they can't be required.
    const { AcpServer } = await import('@agentclientprotocol/sdk/experimental/server');
    const node = await import('@agentclientprotocol/sdk/experimental/node');
    const sdk = await import('@agentclientprotocol/sdk');
    const second = await import('@agentclientprotocol/sdk/experimental/v2/unstable');
    const server = new AcpServer({
      createAgent: () =>
        this.speaksSecond
          ? second.agentProtocolRouter().withV1(this.agent(sdk)).withV2(this.secondAgent(second))
          : this.agent(sdk),
    });
    const handle = node.createNodeHttpHandler(server);
    const sockets = new WebSocketServer({ noServer: true });
    const upgrade = node.createNodeWebSocketUpgradeHandler(server, sockets);
    const web = createServer((request: IncomingMessage, response: ServerResponse) => {
      this.requests.push({ method: request.method ?? '', headers: request.headers });
      const streamOf = request.headers['acp-session-id'];
      if (request.method === 'GET' && typeof streamOf === 'string') this.streams.set(streamOf, response);
      const status = this.intercept?.(request);
      if (status !== undefined) {
        request.resume();
        response.writeHead(status).end('no');
        return;
      }
      if (this.cookie !== undefined) response.setHeader('Set-Cookie', this.cookie);
      handle(request, response);
    });
    sockets.on('headers', (headers) => {
      if (this.cookie !== undefined) headers.push(`Set-Cookie: ${this.cookie}`);
    });
    web.on('upgrade', (request, socket, head) => {
      this.requests.push({ method: 'UPGRADE', headers: request.headers });
      const status = this.intercept?.(request);
      if (status === undefined) upgrade(request, socket, head);
      else socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    });
    web.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => web.listen(this.port, '127.0.0.1', resolve));
    this.port = (web.address() as AddressInfo).port;
    this.close = async () => {
      await server.close();
      sockets.close();
      await new Promise((resolve) => web.close(resolve));
    };
  }

  private agent({ agent, methods, RequestError }: typeof Sdk) {
    const note = (method: string, params: unknown) => {
      this.methods.push({ method, params: params as Record<string, unknown> });
    };
    const cancels = new Map<string, () => void>();
    const attach = (sessionId: string, client: Sdk.AgentContext) =>
      this.attached.set(sessionId, (update) =>
        client.notify(methods.client.session.update, { sessionId, update } as never),
      );
    return agent({ name: 'remote' })
      .onRequest(methods.agent.initialize, ({ params }) => {
        note('initialize', params);
        return {
          protocolVersion: 1,
          agentInfo: { name: 'remote', version: '1' },
          agentCapabilities: this.capabilities,
        };
      })
      .onRequest(methods.agent.session.new, ({ params, client }) => {
        note('session/new', params);
        const sessionId = `s${this.sessions.size + 1}`;
        this.sessions.set(sessionId, { updates: [] });
        attach(sessionId, client);
        return { sessionId };
      })
      .onRequest(methods.agent.session.load, async ({ params, client }) => {
        note('session/load', params);
        if (!this.sessions.has(params.sessionId)) throw new RequestError(-32002, 'Session not found');
        attach(params.sessionId, client);
        for (const update of this.sessions.get(params.sessionId)?.updates ?? []) {
          await client.notify(methods.client.session.update, { sessionId: params.sessionId, update } as never);
        }
        return {};
      })
      .onRequest(methods.agent.session.close, ({ params }) => {
        note('session/close', params);
        return {};
      })
      .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
        note('session/prompt', params);
        const { sessionId, prompt } = params;
        const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
        this.prompts.push(text);
        const kept = this.sessions.get(sessionId) ?? { updates: [] };
        kept.updates.push({ sessionUpdate: 'user_message_chunk', content: { type: 'text', text } });
        const turn = { isCancelled: false };
        const cancelled = new Promise<void>((resolve) => {
          cancels.set(sessionId, () => {
            turn.isCancelled = true;
            resolve();
          });
        });
        const tell = async (update: object) => {
          kept.updates.push(update);
          await this.attached
            .get(sessionId)?.(update)
            .catch(() => undefined);
        };
        await this.onPrompt({
          text,
          cancelled,
          tell,
          say: (words) => tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } }),
          ask: async () => {
            const request = {
              sessionId,
              toolCall: { toolCallId: 't1', title: 'Run it', kind: 'execute' },
              options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
            };
            const answer = await client
              .request(methods.client.session.requestPermission, request as never)
              .catch(() => undefined);
            const outcome = answer?.outcome;
            return outcome?.outcome === 'selected' ? outcome.optionId : undefined;
          },
        });
        return { stopReason: turn.isCancelled ? 'cancelled' : 'end_turn' };
      })
      .onNotification(methods.agent.session.cancel, ({ params }) => cancels.get(params.sessionId)?.());
  }

  /** The agent in version 2: a prompt is answered at once, and updates say when its turn ends. */
  private secondAgent({ agent, methods }: typeof SecondSdk) {
    const note = (method: string, params: unknown) => {
      this.methods.push({ method, params: params as Record<string, unknown> });
    };
    const sessionUpdate = methods.client.session.update;
    return agent({ name: 'remote' })
      .onRequest(methods.agent.initialize, ({ params }) => {
        note('initialize', params);
        return {
          protocolVersion: 2 as const,
          info: { name: 'remote', version: '1' },
          capabilities: { session: {} },
        };
      })
      .onRequest(methods.agent.session.new, ({ params, client }) => {
        note('session/new', params);
        const sessionId = `s${this.sessions.size + 1}`;
        this.sessions.set(sessionId, { updates: [] });
        this.attached.set(sessionId, (update) => client.notify(sessionUpdate, { sessionId, update } as never));
        return { sessionId };
      })
      .onRequest(methods.agent.session.resume, async ({ params, client }) => {
        note('session/resume', params);
        const { sessionId } = params;
        this.attached.set(sessionId, (update) => client.notify(sessionUpdate, { sessionId, update } as never));
        for (const update of this.sessions.get(sessionId)?.updates ?? []) {
          await client.notify(sessionUpdate, { sessionId, update } as never);
        }
        return {};
      })
      .onRequest(methods.agent.session.close, ({ params }) => {
        note('session/close', params);
        return {};
      })
      .onRequest(methods.agent.session.prompt, ({ params }) => {
        note('session/prompt', params);
        const { sessionId, prompt } = params;
        const text = prompt.map((block) => ('text' in block ? String(block.text) : '')).join('');
        this.prompts.push(text);
        const { updates } = this.sessions.get(sessionId) ?? { updates: [] };
        const tell = async (update: object) => {
          updates.push(update);
          await this.attached
            .get(sessionId)?.(update)
            .catch(() => undefined);
        };
        const messageId = `u${this.prompts.length}`;
        const turn = async () => {
          await tell({ sessionUpdate: 'user_message', messageId, content: [{ type: 'text', text }] });
          await tell({ sessionUpdate: 'state_update', state: 'running', background: [] });
          const answer = { sessionUpdate: 'agent_message_chunk', messageId: `m${this.prompts.length}` };
          await this.onPrompt({
            text,
            cancelled: new Promise(() => undefined),
            tell,
            say: (words) => tell({ ...answer, content: { type: 'text', text: words } }),
            ask: () => Promise.resolve(undefined),
          });
          await tell({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn', background: [] });
        };
        void turn();
        return { messageId };
      });
  }
}
