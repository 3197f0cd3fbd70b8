import type { Message } from 'vscode-jsonrpc/node';
import { WebSocket } from 'ws';
import { compact } from '../../shared/values/decodeValue';
import { ConnectionClosedError } from '../../acp/base/errors';
import { messageLimit, MessageTransport } from '../../acp/wire/messageTransport';
import type { IDisposable } from '../../shared/values/disposable';
import type { Link, LinkOptions } from './link';
import { goneLoss, hostOf, networkLoss, statusLoss } from './linkWords';
import type { LinkLoss, RemoteTarget } from './remoteTarget';
import * as l10n from '@vscode/l10n';

/** How often the connection is checked, in milliseconds. A check without an answer until the next one ends it. */
export const pingInterval = 20_000;
/** How long a server may take to accept the connection, and to close it, in milliseconds. */
const [openPatience, closePatience] = [30_000, 1_000];

/** A connection with one JSON-RPC message per text frame. */
export class WebSocketLink implements Link {
  readonly transport: MessageTransport;
  readonly lost: Promise<LinkLoss>;
  private resolveLost!: (loss: LinkLoss) => void;
  private readonly target: RemoteTarget;
  private readonly options: LinkOptions;
  private readonly socket: WebSocket;
  private readonly opened: Promise<void>;
  private pinging: IDisposable | undefined;
  private isAnswered = true;
  private hasEnded = false;

  constructor(target: RemoteTarget, options: LinkOptions) {
    this.target = target;
    this.options = options;
    this.lost = new Promise((resolve) => (this.resolveLost = resolve));
    const url = new URL(target.url);
    const cookie = target.cookies.header(url);
    this.socket = new WebSocket(url, {
      headers: { ...target.headers, ...compact({ Cookie: cookie }) },
      handshakeTimeout: openPatience,
      maxPayload: messageLimit,
      // A frame of a few kilobytes could otherwise become one of any size.
      perMessageDeflate: false,
      followRedirects: false,
    });
    this.transport = new MessageTransport({
      send: (_message: Message, text: string) => this.send(text),
      pause: (isPaused) => {
        if (isPaused) this.socket.pause();
        else this.socket.resume();
      },
    });
    this.opened = new Promise((resolve) => {
      this.socket.once('open', () => resolve());
      void this.lost.then(() => resolve());
    });
    this.socket.on('upgrade', (response) => target.cookies.store(url, response.headers['set-cookie']));
    this.socket.on('unexpected-response', (request, response) => {
      target.cookies.store(url, response.headers['set-cookie']);
      this.end(statusLoss(target.url, response.statusCode ?? 0));
      request.destroy();
    });
    this.socket.on('error', (error) => {
      if ('code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') this.transport.receivedTooMuch();
      this.end(networkLoss(target.url, error));
    });
    this.socket.on('close', () => this.end(goneLoss(target.url)));
    this.socket.on('open', () => this.checkLater());
    this.socket.on('pong', () => (this.isAnswered = true));
    this.socket.on('message', (data: Buffer, isBinary) => {
      this.isAnswered = true;
      if (isBinary) options.note?.('A binary frame was ignored.');
      else this.transport.receive(data.toString('utf8'));
    });
  }

  detach(): void {
    this.end({ kind: 'ended', reason: '' });
    this.socket.terminate();
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.socket.once('close', () => resolve());
    });
    if (this.socket.readyState === WebSocket.CLOSED) return;
    this.end({ kind: 'ended', reason: '' });
    this.socket.close(1000);
    const timer = this.options.schedule(closePatience, () => this.socket.terminate());
    await closed;
    timer.dispose();
  }

  private async send(text: string): Promise<void> {
    await this.opened;
    if (this.hasEnded) throw new ConnectionClosedError();
    await new Promise<void>((resolve, reject) => {
      this.socket.send(text, (error) => {
        if (error) reject(new ConnectionClosedError());
        else resolve();
      });
    });
  }

  /** A sleeping laptop or a broken network ends no socket by itself. */
  private checkLater(): void {
    this.pinging = this.options.schedule(pingInterval, () => {
      if (!this.isAnswered) {
        const reason = l10n.t('{0} no longer answers.', hostOf(this.target.url));
        this.end({ kind: 'network', reason });
        return;
      }
      this.isAnswered = false;
      this.socket.ping();
      this.checkLater();
    });
  }

  private end(loss: LinkLoss): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.pinging?.dispose();
    this.resolveLost(loss);
    this.transport.end();
    if (loss.kind !== 'ended') this.socket.terminate();
  }
}
