import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { WireLog } from './wireLog';
import type { Message } from './wireSchema';

export type Params = Readonly<Record<string, unknown>>;

/** Answers a request of the client's, or hears a notification; `silent` as a result answers nothing. */
export type Handler = (params: Params, agent: ScriptedAgent, message: Message) => unknown;

/** A result that is never sent. */
export const silent = Symbol('silent');

/** An error that a handler throws and the client receives. */
export class AgentError extends Error {
  readonly error: Message;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.error = { code, message, ...(data === undefined ? {} : { data }) };
  }
}

/** How an agent process introduced itself to the case. */
export interface Hello {
  readonly pid: number;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** One process of the scripted agent, as the case that plays its part sees it. */
export class ScriptedAgent {
  readonly log = new WireLog();
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  hello!: Hello;
  hasStdinEnded = false;
  children: number[] = [];
  hasEnded = false;
  private readonly socket: Socket;
  private readonly handlers: Map<string, Handler>;
  private readonly wakers: (() => void)[] = [];
  private requests = 0;
  private sessions = 0;

  constructor(socket: Socket, handlers: Readonly<Record<string, Handler>>, onHello: (agent: ScriptedAgent) => void) {
    this.socket = socket;
    this.handlers = new Map(Object.entries({ ...this.defaults, ...handlers }));
    socket.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      socket.on('close', () => {
        this.hasEnded = true;
        this.wake();
        resolve();
      });
    });
    createInterface({ input: socket }).on('line', (line) => {
      const { hello, heard, child, stdinEnded } = JSON.parse(line) as {
        readonly hello?: Hello;
        readonly heard?: string;
        readonly child?: number;
        readonly stdinEnded?: boolean;
      };
      if (hello) {
        this.hello = hello;
        onHello(this);
      }
      if (child !== undefined) this.children.push(child);
      if (stdinEnded) this.hasStdinEnded = true;
      if (heard !== undefined) for (const message of this.log.push(Buffer.from(heard, 'base64'))) this.handle(message);
      this.wake();
    });
  }

  /** What the agent has heard so far, in order. */
  get heard(): readonly Message[] {
    return this.log.messages;
  }

  /** Methods of the calls heard so far, in order. */
  get calls(): readonly unknown[] {
    return this.heard.map(({ method }) => method).filter((method) => method !== undefined);
  }

  /** Sets how a method is answered from now on. */
  on(method: string, handler: Handler): void {
    this.handlers.set(method, handler);
  }

  /** Makes the process do something; see scriptedAgent.mjs. */
  act(command: Readonly<Record<string, unknown>>): void {
    if (!this.socket.destroyed) this.socket.write(`${JSON.stringify(command)}\n`);
  }

  /** Writes bytes to its standard output, in pieces of `split` bytes if told. */
  write(bytes: string | Buffer, split?: number): void {
    this.act({ write: Buffer.from(bytes as string).toString('base64'), ...(split === undefined ? {} : { split }) });
  }

  /** Sends messages in one piece. */
  send(...messages: readonly Message[]): void {
    for (const { id, method, result } of messages) {
      if (id !== undefined && typeof method === 'string') this.log.asked.set(id, method);
      if ((result as Params | undefined)?.['protocolVersion'] === 2) this.log.version = 2;
    }
    this.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  }

  /** Sends one `session/update`. */
  update(update: Message, sessionId = 's1'): void {
    this.send({ method: 'session/update', params: { sessionId, update } });
  }

  /** Says a piece of an answer. */
  say(text: string, sessionId = 's1'): void {
    this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }, sessionId);
  }

  /** Sends a request; returns its id at once. */
  ask(method: string, params: Params = {}, id: unknown = `r${++this.requests}`): unknown {
    this.send({ id, method, params });
    return id;
  }

  /** Sends a request about the session and resolves to the whole answer. */
  async request(method: string, params: Params = {}): Promise<Message> {
    return this.answer(this.ask(method, { sessionId: 's1', ...params }));
  }

  /** Sends a request and resolves to its result; fails on an error. */
  async result(method: string, params: Params = {}): Promise<Params> {
    const { result, error } = await this.request(method, params);
    if (error) throw new Error(`${method} was answered ${JSON.stringify(error)}`);
    return result as Params;
  }

  /** Sends a request and resolves to the code of the error that it is answered with. */
  async errorCode(method: string, params: Params = {}): Promise<unknown> {
    const { error } = await this.request(method, params);
    return (error as Params | undefined)?.['code'];
  }

  /** The answer to the request with this very id, now or later. */
  answer(id: unknown): Promise<Message> {
    return this.hears(
      (message) => message['method'] === undefined && message['id'] === id,
      `the answer to ${JSON.stringify(id)}`,
    );
  }

  /** The `count`th call of this method, now or later. */
  async call(method: string, count = 1): Promise<Message> {
    const calls = () => this.heard.filter((message) => message['method'] === method);
    await this.until(() => calls().length >= count, `call ${count} of ${method}`);
    return calls()[count - 1]!;
  }

  /** The first message that matches, now or later. */
  async hears(matches: (message: Message) => boolean, what = 'a message'): Promise<Message> {
    await this.until(() => this.heard.some(matches), what);
    return this.heard.find(matches)!;
  }

  /** Resolves when all that was said so far has been dispatched: a request is answered in its turn. */
  async catchUp(): Promise<void> {
    await this.answer(this.ask('_conformance/catch_up'));
  }

  /** Resolves when the condition holds; it is looked at after each thing that the process tells. */
  async until(holds: () => boolean, what: string): Promise<void> {
    while (!holds()) {
      if (this.hasEnded) throw new Error(`The agent ended before ${what}. It heard ${JSON.stringify(this.heard)}`);
      await new Promise<void>((resolve) => this.wakers.push(resolve));
    }
  }

  private wake(): void {
    for (const waker of this.wakers.splice(0)) waker();
  }

  private handle(message: Message): void {
    const { id, method, params } = message;
    if (typeof method !== 'string') return;
    const handler = this.handlers.get(method);
    const answer = (fields: Message) => id !== undefined && this.send({ id, ...fields });
    if (!handler) {
      answer({ error: { code: -32601, message: `Method not found: ${method}` } });
      return;
    }
    Promise.resolve()
      .then(() => handler(params as Params, this, message))
      .then(
        (result) => result !== silent && answer({ result: result === undefined ? {} : result }),
        (error: unknown) => {
          const wire = error instanceof AgentError ? error.error : { code: -32603, message: String(error) };
          answer({ error: wire });
        },
      );
  }

  private readonly defaults: Readonly<Record<string, Handler>> = {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] }),
    'session/new': () => ({ sessionId: `s${++this.sessions}` }),
    'session/prompt': () => ({ stopReason: 'end_turn' }),
    'session/cancel': () => undefined,
    '$/cancel_request': () => undefined,
  };
}
