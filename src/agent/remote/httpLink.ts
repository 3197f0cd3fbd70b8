import * as l10n from '@vscode/l10n';
import type { IncomingMessage } from 'node:http';
import { Message } from 'vscode-jsonrpc/node';
import { compact } from '../../shared/values/decodeValue';
import { ConnectionClosedError, errorCodes } from '../../acp/base/errors';
import { messageLimit, MessageTransport } from '../../acp/wire/messageTransport';
import { parseLine, type ParsedLine } from '../../acp/wire/incoming';
import { agentMethods } from '../../acp/wire/methods';
import { isRecord } from '../../shared/values/isRecord';
import { EventStream, type EventStreamOptions } from './eventStream';
import { readBody, sendRequest } from './httpRequest';
import type { Link, LinkOptions } from './link';
import { goneLoss, hostOf, networkLoss, statusLoss, statusText } from './linkWords';
import type { LinkLoss, RemoteTarget } from './remoteTarget';

const connectionHeader = 'Acp-Connection-Id';
const sessionHeader = 'Acp-Session-Id';
/** How long a server may take to accept a message, in milliseconds. Its answer to a request has no limit. */
export const acceptPatience = 60_000;
/** How long a server may take to confirm the end of a connection, in milliseconds. */
const endPatience = 2_000;
/** How often to ask again for a session's stream that we ended, and when, in milliseconds. */
const [releaseAttempts, releaseInterval] = [20, 150];
/** Maximum length of a server's error text that is shown, in bytes. */
const errorTextLimit = 8 * 1024;

/** Methods that attach a session to this connection. */
const attaching: ReadonlySet<string> = new Set([agentMethods.loadSession.method, agentMethods.resumeSession.method]);

/** Methods for a session that need not be attached to this connection, and that don't attach it. */
const detached: ReadonlySet<string> = new Set([
  agentMethods.forkSession.method,
  agentMethods.deleteSession.method,
  agentMethods.archiveSession.method,
  agentMethods.unarchiveSession.method,
]);

/** The result of asking for a session's stream: it is open, or the status of the refusal. */
type StreamState = 'open' | number;

/** Why a stream has ended. */
type StreamEnd = Parameters<EventStreamOptions['onEnd']>[0];

/** A request that the server has received and not yet answered. */
interface Asked {
  readonly method: string;
  readonly session: string | undefined;
  /** Whether the session's stream was opened only for the answer. */
  readonly isBorrowed: boolean;
  /** Ends the wait for the server to accept the request, because its answer has arrived. */
  answered(): void;
}

/**
 * A Streamable HTTP connection: messages are posted, and answers arrive on one stream for the connection and one for
 * each session. A post is never repeated, because the server may have handled it even if its answer was lost.
 */
export class HttpLink implements Link {
  readonly transport: MessageTransport;
  readonly lost: Promise<LinkLoss>;
  private resolveLost!: (loss: LinkLoss) => void;
  private readonly target: RemoteTarget;
  private readonly options: LinkOptions;
  private connection: string | undefined;
  private hasEnded = false;
  private isPaused = false;
  private readonly streams = new Set<EventStream>();
  /** The open stream of each session. */
  private readonly streamOfSession = new Map<string, EventStream>();
  /** Sessions whose stream we ended. A server may notice that late, and refuse another one until then. */
  private readonly ended = new Set<string>();
  /** The closing of a session, until it is answered. */
  private readonly closing = new Map<string, { readonly done: Promise<void>; readonly end: () => void }>();
  private readonly requests = new Set<{ destroy(): void }>();
  private readonly sessions = new Map<string, Promise<StreamState>>();
  /** The last post of each session. Posts of one session follow each other, because the server keeps their order. */
  private readonly posts = new Map<string, Promise<unknown>>();
  private readonly asked = new Map<number | string, Asked>();
  /** The session of each open request of the agent, by its id. */
  private readonly askedOf = new Map<number | string, string>();

  constructor(target: RemoteTarget, options: LinkOptions) {
    this.target = target;
    this.options = options;
    this.lost = new Promise((resolve) => (this.resolveLost = resolve));
    this.transport = new MessageTransport({
      send: (message, text) => this.send(message, text),
      pause: (isPaused) => {
        this.isPaused = isPaused;
        for (const stream of this.streams) stream.pause(isPaused);
      },
    });
  }

  detach(): void {
    this.end({ kind: 'ended', reason: '' });
  }

  /** Ends a session's stream after everything that was sent for it, such as the end of its turn. */
  releaseSession(session: string): void {
    const before = this.posts.get(session) ?? Promise.resolve();
    const released = before.then(() => {
      this.endSessionStream(session);
      this.failRequests(session, { kind: 'ended', reason: '' });
    });
    this.posts.set(session, released);
    this.forgetPost(session, released);
  }

  async close(): Promise<void> {
    const { connection } = this;
    if (this.hasEnded) return;
    // What was sent last, such as the end of a session, still reaches the server.
    const posts = Promise.all(this.posts.values());
    await new Promise<void>((resolve) => {
      const timer = this.options.schedule(endPatience, resolve);
      void posts.then(() => {
        timer.dispose();
        resolve();
      });
    });
    this.end({ kind: 'ended', reason: '' });
    if (connection === undefined) return;
    const { request, response } = sendRequest(this.target, 'DELETE', { [connectionHeader]: connection });
    const timer = this.options.schedule(endPatience, () => request.destroy());
    await response.then((answer) => answer.resume()).catch(() => undefined);
    timer.dispose();
  }

  private send(message: Message, text: string): Promise<void> {
    if (this.hasEnded) return Promise.reject(new ConnectionClosedError());
    if (this.connection === undefined) return this.initialize(text);
    const session = this.sessionOf(message);
    const key = session ?? '';
    const before = this.posts.get(key) ?? Promise.resolve();
    const post = before.then(() => this.post(message, text, session));
    const settled = post.catch(() => undefined);
    this.posts.set(key, settled);
    this.forgetPost(key, settled);
    return post;
  }

  /** Later posts no longer have to wait for one that has settled. */
  private forgetPost(key: string, settled: Promise<unknown>): void {
    void settled.then(() => {
      if (this.posts.get(key) === settled) this.posts.delete(key);
    });
  }

  /** The first message creates the connection, and is the only one whose answer is the body of its response. */
  private async initialize(text: string): Promise<void> {
    const response = await this.answerTo(this.postRequest(text, {}), undefined);
    if (!response) return;
    const status = response.statusCode ?? 0;
    if (status !== 200) {
      this.refused(response, statusLoss(this.target.url, status));
      return;
    }
    const connection = response.headers['acp-connection-id'];
    const body = await readBody(response, messageLimit).catch((error: unknown) => {
      this.end(networkLoss(this.target.url, error));
      return undefined;
    });
    if (body === undefined) return;
    if (typeof connection !== 'string' || connection === '') {
      // An agent that refuses the first message creates no connection.
      const parsed = parseLine(body);
      if (fieldsOf(parsed)?.['error'] !== undefined) {
        this.transport.receive(body, parsed);
        return;
      }
      const reason = l10n.t(
        '{0} isn’t an ACP server: its answer has no connection ID. Check “url” in parley.agents.',
        hostOf(this.target.url),
      );
      this.end({ kind: 'refused', reason });
      return;
    }
    this.connection = connection;
    const state = await this.openStream(undefined);
    if (state === 'open') this.transport.receive(body);
    else this.end(statusLoss(this.target.url, state));
  }

  private async post(message: Message, text: string, session: string | undefined): Promise<void> {
    const isForUnattached =
      Message.isRequest(message) && (attaching.has(message.method) || detached.has(message.method));
    const isBorrowed =
      session !== undefined &&
      Message.isRequest(message) &&
      detached.has(message.method) &&
      !this.sessions.has(session);
    if (session !== undefined) {
      // The session's stream ends with the answer to its closing, so it's opened again after that.
      await this.closing.get(session)?.done;
      const state = await this.streamOf(session);
      this.requireOpen();
      // Some servers have a stream for a session only after it was loaded.
      const isLater = isForUnattached && (state === 403 || state === 404);
      if (state !== 'open' && !isLater) {
        this.refuse(message, state);
        return;
      }
    }
    if (session !== undefined && isClosing(message)) this.beginClosing(session);
    const headers = session === undefined ? {} : { [sessionHeader]: session };
    const sent = this.postRequest(text, headers);
    const answered = new Promise<void>((resolve) => {
      if (!Message.isRequest(message)) return;
      const id = message.id;
      if (id !== null) this.asked.set(id, { method: message.method, session, isBorrowed, answered: resolve });
    });
    const response = await this.answerTo(sent, answered);
    if (!response) {
      this.requireOpen();
      return;
    }
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return this.accepted(response);
    if (status === 401 || status === 403) {
      this.refused(response, statusLoss(this.target.url, status));
      return;
    }
    if (status === 404 || status === 410) {
      this.refused(response, goneLoss(this.target.url));
      return;
    }
    if (status === 409 && session !== undefined) this.sessions.delete(session);
    const body = await readBody(response, errorTextLimit).catch(() => '');
    if (Message.isRequest(message)) this.refuse(message, status, body);
    else this.end(statusLoss(this.target.url, status));
  }

  private requireOpen(): void {
    if (this.hasEnded) throw new ConnectionClosedError();
  }

  private postRequest(text: string, headers: Readonly<Record<string, string>>) {
    const open = sendRequest(
      this.target,
      'POST',
      {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'Content-Length': Buffer.byteLength(text),
        ...compact({ [connectionHeader]: this.connection }),
        ...headers,
      },
      text,
    );
    this.requests.add(open.request);
    void open.response.finally(() => this.requests.delete(open.request)).catch(() => undefined);
    return open;
  }

  /** Resolves to the response, or to undefined if the connection is lost or `answered` resolves first. */
  private async answerTo(
    { request, response }: ReturnType<typeof sendRequest>,
    answered: Promise<void> | undefined,
  ): Promise<IncomingMessage | undefined> {
    const wait = { isOver: false };
    const timer = this.options.schedule(acceptPatience, () => {
      wait.isOver = true;
      request.destroy();
    });
    try {
      const nothing = answered?.then(() => undefined);
      const first = await Promise.race<IncomingMessage | undefined>(nothing ? [response, nothing] : [response]);
      if (first) return first;
      // The response is still read, because its socket can't be used again otherwise.
      void response.then((late) => late.resume()).catch(() => undefined);
      return undefined;
    } catch (error) {
      const reason = l10n.t('{0} no longer answers.', hostOf(this.target.url));
      this.end(wait.isOver ? { kind: 'network', reason } : networkLoss(this.target.url, error));
      return undefined;
    } finally {
      timer.dispose();
    }
  }

  /** The body is empty; a server that answers in it is understood as well. */
  private async accepted(response: IncomingMessage): Promise<void> {
    if (!/\bjson\b/.test(response.headers['content-type'] ?? '')) {
      response.resume();
      return;
    }
    const body = await readBody(response, messageLimit).catch(() => '');
    if (body.trim() !== '') this.received(body, undefined);
  }

  /** Fails one request in the name of the agent; other messages have nobody who waits for an answer. */
  private refuse(message: Message, status: number, body = ''): void {
    if (!Message.isRequest(message)) {
      this.options.note?.(`A message wasn't sent: ${statusText(status)}.`);
      return;
    }
    const { id } = message;
    if (id !== null) this.asked.delete(id);
    if (status === 401) {
      this.end(statusLoss(this.target.url, status));
      return;
    }
    const host = hostOf(this.target.url);
    const text =
      status === 409
        ? l10n.t('Another client is connected to this session at {0}. Close it there and try again.', host)
        : l10n.t('{0} answered {1}.', host, statusText(status));
    const error = { code: errorCodes.internal, message: text, data: { status, details: body.trim() } };
    this.transport.receive(JSON.stringify({ jsonrpc: '2.0', id, error }));
  }

  private async streamOf(session: string): Promise<StreamState> {
    const known = this.sessions.get(session);
    if (known) return known;
    const opening = this.openReleasedStream(session);
    this.sessions.set(session, opening);
    const state = await opening;
    // Asked for again with the next message.
    if (state !== 'open' && this.sessions.get(session) === opening) this.sessions.delete(session);
    return state;
  }

  /** Asks again for a stream that the server believes to be in use, if it was ours. */
  private async openReleasedStream(session: string): Promise<StreamState> {
    let state = await this.openStream(session);
    for (let left = releaseAttempts; state === 409 && this.ended.has(session) && left > 0; left -= 1) {
      await new Promise<void>((resolve) => this.options.schedule(releaseInterval, resolve));
      if (this.hasEnded) return 0;
      state = await this.openStream(session);
    }
    this.ended.delete(session);
    return state;
  }

  private async openStream(session: string | undefined): Promise<StreamState> {
    const headers = {
      Accept: 'text/event-stream',
      [connectionHeader]: this.connection,
      ...compact({ [sessionHeader]: session }),
    };
    const open = sendRequest(this.target, 'GET', headers);
    this.requests.add(open.request);
    const response = await this.answerTo(open, undefined);
    this.requests.delete(open.request);
    if (!response) return 0;
    const status = response.statusCode ?? 0;
    if (status !== 200) {
      response.resume();
      return status;
    }
    const stream = new EventStream(response, {
      schedule: this.options.schedule,
      onText: (text) => this.received(text, session),
      onEnd: (reason) => {
        this.streams.delete(stream);
        if (session === undefined) this.streamEnded(reason);
        else this.sessionStreamEnded(session, stream, reason);
      },
    });
    this.streams.add(stream);
    if (session !== undefined) this.streamOfSession.set(session, stream);
    if (this.isPaused) stream.pause(true);
    return 'open';
  }

  /** Whatever the connection's stream had for us is lost with it, so everything is opened again. */
  private streamEnded(reason: StreamEnd): void {
    if (reason === 'tooLong') this.transport.receivedTooMuch();
    this.end(this.lossOf(reason));
  }

  /** What a session's stream had for us concerns no other session. */
  private sessionStreamEnded(session: string, stream: EventStream, reason: StreamEnd): void {
    if (this.streamOfSession.get(session) !== stream) return;
    this.streamOfSession.delete(session);
    this.sessions.delete(session);
    this.ended.add(session);
    if (reason === 'tooLong') {
      this.streamEnded(reason);
      return;
    }
    const loss = this.lossOf(reason);
    this.options.onSessionLost?.(session, loss);
    this.failRequests(session, loss);
  }

  /** The answers to a session's requests may have been in its stream. */
  private failRequests(session: string, { reason }: LinkLoss): void {
    for (const [id, asked] of [...this.asked]) {
      if (asked.session !== session) continue;
      this.asked.delete(id);
      asked.answered();
      const error = { code: errorCodes.internal, message: reason };
      this.transport.receive(JSON.stringify({ jsonrpc: '2.0', id, error }));
    }
  }

  private lossOf(reason: StreamEnd): LinkLoss {
    return reason === 'ended' ? goneLoss(this.target.url) : networkLoss(this.target.url, undefined);
  }

  private beginClosing(session: string): void {
    let end = () => {};
    const done = new Promise<void>((resolve) => (end = resolve));
    const timer = this.options.schedule(endPatience, () => this.endSessionStream(session));
    this.closing.set(session, {
      done,
      end: () => {
        timer.dispose();
        end();
      },
    });
  }

  /** Nothing more is expected for a session, and another client may want its stream. */
  private endSessionStream(session: string): void {
    const stream = this.streamOfSession.get(session);
    this.streamOfSession.delete(session);
    this.sessions.delete(session);
    if (stream) {
      this.streams.delete(stream);
      this.ended.add(session);
      stream.close();
    }
    this.closing.get(session)?.end();
    this.closing.delete(session);
  }

  private received(text: string, session: string | undefined): void {
    const parsed = parseLine(text);
    const message = fieldsOf(parsed);
    const id = message?.['id'];
    if (message && (typeof id === 'number' || typeof id === 'string')) {
      if (typeof message['method'] === 'string') {
        // The same request twice has one answer.
        if (this.askedOf.has(id)) return;
        this.askedOf.set(id, session ?? '');
      } else if (this.answered(id, message, () => this.transport.receive(text, parsed))) {
        return;
      }
    }
    this.transport.receive(text, parsed);
  }

  /** Returns whether the answer is handed over later, when its session's stream is open. */
  private answered(id: number | string, message: Fields, handOver: () => void): boolean {
    const asked = this.asked.get(id);
    if (!asked) return false;
    this.asked.delete(id);
    asked.answered();
    const isOver = asked.isBorrowed || asked.method === agentMethods.closeSession.method;
    if (isOver && asked.session !== undefined) this.endSessionStream(asked.session);
    const { result } = message;
    const created = isRecord(result) && typeof result['sessionId'] === 'string' ? result['sessionId'] : undefined;
    const session = attaching.has(asked.method) ? asked.session : isOpening(asked.method) ? created : undefined;
    if (session === undefined || message['error'] !== undefined || this.sessions.has(session)) return false;
    void this.streamOf(session).then(handOver);
    return true;
  }

  private sessionOf(message: Message): string | undefined {
    if (Message.isResponse(message)) {
      const { id } = message;
      if (id === null) return undefined;
      const session = this.askedOf.get(id);
      this.askedOf.delete(id);
      return session === '' ? undefined : session;
    }
    const { params } = message as { readonly params?: unknown };
    const id = isRecord(params) ? params['sessionId'] : undefined;
    return typeof id === 'string' ? id : undefined;
  }

  private refused(response: IncomingMessage, loss: LinkLoss): void {
    response.resume();
    this.end(loss);
  }

  private end(loss: LinkLoss): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const stream of this.streams) stream.close();
    for (const { end } of this.closing.values()) end();
    this.closing.clear();
    for (const request of this.requests) request.destroy();
    this.streams.clear();
    this.requests.clear();
    this.resolveLost(loss);
    this.transport.end();
  }
}

function isClosing(message: Message): boolean {
  return Message.isRequest(message) && message.method === agentMethods.closeSession.method;
}

function isOpening(method: string): boolean {
  return method === agentMethods.newSession.method || method === agentMethods.forkSession.method;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(parsed: ParsedLine): Fields | undefined {
  if (parsed.kind === 'deep') return { id: parsed.id };
  return parsed.kind === 'object' ? parsed.fields : undefined;
}
