import { AbstractMessageWriter, type DataCallback, type Message } from 'vscode-jsonrpc/node';
import { ConnectionClosedError } from '../base/errors';
import { InboxReader } from './inboxReader';
import type { ParsedLine } from './incoming';
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

  /** Handles the JSON text of one message. `parsed` is the same text, if its owner had to look into it. */
  receive(text: string, parsed?: ParsedLine): void {
    if (!this.hasEnded) this.reader?.receive(text, parsed);
  }

  /** Reports a message that is longer than `messageLimit`, which ends the connection. */
  receivedTooMuch(): void {
    if (!this.hasEnded) this.reader?.receivedTooMuch();
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

class PushReader extends InboxReader {
  private readonly outlet: MessageOutlet;

  constructor(hooks: ReaderHooks, outlet: MessageOutlet) {
    super(hooks);
    this.outlet = outlet;
  }

  override listen(callback: DataCallback): { dispose(): void } {
    const listening = super.listen(callback);
    if (this.hasEnded) queueMicrotask(() => this.closeWhenDrained());
    return listening;
  }

  receive(text: string, parsed?: ParsedLine): void {
    // One frame or event is one message.
    this.readText(text, Buffer.byteLength(text), false, parsed);
  }

  receivedTooMuch(): void {
    this.refuse('', messageLimit, tooLong);
  }

  end(): void {
    this.hasEnded = true;
    if (this.isListening) this.closeWhenDrained();
  }

  protected override pauseInput(isPaused: boolean): void {
    this.outlet.pause(isPaused);
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
