import { AbstractMessageReader, AbstractMessageWriter, type DataCallback, type Message } from 'vscode-jsonrpc/node';
import { ConnectionClosedError } from '../base/errors';
import { Inbox } from './inbox';
import { readLine } from './incoming';
import {
  tooLong,
  type ReaderHooks,
  type Transport,
  type TransportReader,
  type TransportWriter,
  type WriterHooks,
} from './transport';

/** Where a `MessageTransport` sends its messages. */
export interface MessageOutlet {
  /** Sends a message and its JSON text. Resolves when the other side has accepted it. */
  send(message: Message, text: string): Promise<void>;
  /** Called when too many received messages wait, and again when they don't. */
  pause(isPaused: boolean): void;
}

const highWaterMark = 2048;
const lowWaterMark = 512;
const refusedLimit = 1000;
/** Maximum length of one received message, in UTF-16 units. */
export const messageLimit = 32 * 1024 * 1024;

/**
 * A transport whose messages arrive whole, one JSON text at a time, such as events of a stream or frames of a socket.
 * Its owner calls `receive` for each of them and `end` when there will be no more.
 */
export class MessageTransport implements Transport {
  private readonly outlet: MessageOutlet;
  private reader: PushReader | undefined;
  private writer: OutletWriter | undefined;
  private hasEnded = false;

  constructor(outlet: MessageOutlet) {
    this.outlet = outlet;
  }

  openReader(hooks: ReaderHooks): TransportReader {
    this.reader = new PushReader(hooks, this.outlet);
    if (this.hasEnded) this.reader.end();
    return this.reader;
  }

  openWriter(hooks: WriterHooks = {}): TransportWriter {
    this.writer = new OutletWriter(hooks, this.outlet);
    if (this.hasEnded) this.writer.end();
    return this.writer;
  }

  /** Handles the JSON text of one message. */
  receive(text: string): void {
    if (!this.hasEnded) this.reader?.receive(text);
  }

  /** Reports a message that is longer than `messageLimit`, which ends the connection. */
  receivedTooMuch(): void {
    if (!this.hasEnded) this.reader?.refuse('', messageLimit, tooLong);
    this.end();
  }

  /** Closes both directions; received messages are still handled. */
  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.writer?.end();
    this.reader?.end();
  }
}

class PushReader extends AbstractMessageReader implements TransportReader {
  private readonly hooks: ReaderHooks;
  private readonly outlet: MessageOutlet;
  private readonly inbox: Inbox;
  private callback: DataCallback | undefined;
  private isListening = false;
  private isHeld = false;
  private isPaused = false;
  private hasEnded = false;
  private hasClosed = false;

  constructor(hooks: ReaderHooks, outlet: MessageOutlet) {
    super();
    this.hooks = hooks;
    this.outlet = outlet;
    this.inbox = new Inbox({
      dispatchNow: (message) => this.hooks.dispatchNow?.(message) === true,
      handOver: (message) => this.callback?.(message),
    });
    this.inbox.hold(true);
  }

  listen(callback: DataCallback): { dispose(): void } {
    this.callback = callback;
    this.isListening = true;
    this.inbox.hold(this.isHeld);
    if (this.hasEnded) queueMicrotask(() => this.closeWhenDrained());
    return { dispose: () => (this.callback = undefined) };
  }

  receive(text: string): void {
    const bytes = Buffer.byteLength(text);
    const incoming = readLine(text, this.hooks.isPending);
    if (incoming.kind === 'blank') return;
    if (incoming.kind === 'refused') {
      const { answer, reason } = incoming;
      this.refuse(text, bytes, reason, answer);
      return;
    }
    // One frame or event is one message.
    if (incoming.before !== undefined) {
      this.refuse(text, bytes, 'words before a message');
      return;
    }
    this.hooks.onMessage?.(incoming.message, bytes);
    this.inbox.push(incoming.message);
    if (this.inbox.size >= highWaterMark) this.pause(true);
  }

  refuse(
    text: string,
    bytes: number,
    reason: string,
    answer?: Parameters<NonNullable<ReaderHooks['onRefused']>>[0]['answer'],
  ): void {
    // Copy the text, because a slice would keep the whole message in memory.
    const line = Buffer.from(text.slice(0, refusedLimit).trimEnd()).toString();
    this.hooks.onRefused?.({ line, bytes, reason, ...(answer === undefined ? {} : { answer }) });
  }

  markDispatched(): void {
    this.inbox.markDispatched();
    this.afterDispatch();
  }

  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    if (isHeld) this.pause(true);
    this.inbox.hold(isHeld || !this.isListening);
    this.afterDispatch();
  }

  end(): void {
    this.hasEnded = true;
    if (this.isListening) this.closeWhenDrained();
  }

  override dispose(): void {
    this.hasEnded = true;
    this.callback = undefined;
    this.inbox.clear();
    super.dispose();
  }

  private afterDispatch(): void {
    if (!this.isHeld && this.inbox.size <= lowWaterMark) this.pause(false);
    this.closeWhenDrained();
  }

  private pause(isPaused: boolean): void {
    if (this.isPaused === isPaused) return;
    this.isPaused = isPaused;
    this.outlet.pause(isPaused);
  }

  private closeWhenDrained(): void {
    if (!this.hasEnded || this.hasClosed || this.inbox.size > 0) return;
    this.hasClosed = true;
    this.fireClose();
  }
}

class OutletWriter extends AbstractMessageWriter implements TransportWriter {
  private readonly hooks: WriterHooks;
  private readonly outlet: MessageOutlet;
  private isClosed = false;

  constructor(hooks: WriterHooks, outlet: MessageOutlet) {
    super();
    this.hooks = hooks;
    this.outlet = outlet;
  }

  get isWritable(): boolean {
    return !this.isClosed;
  }

  write(message: Message): Promise<void> {
    if (this.isClosed) return Promise.reject(new ConnectionClosedError());
    let text: string;
    try {
      text = JSON.stringify(message);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
    this.hooks.onWrite?.(message, Buffer.byteLength(text));
    return this.outlet.send(message, text);
  }

  end(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.fireClose();
  }

  override dispose(): void {
    this.isClosed = true;
    super.dispose();
  }
}
