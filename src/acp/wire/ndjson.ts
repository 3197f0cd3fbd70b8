import type { Readable, Writable } from 'node:stream';
import { AbstractMessageReader, AbstractMessageWriter, type DataCallback, type Message } from 'vscode-jsonrpc/node';
import { ConnectionClosedError } from '../base/errors';
import { Inbox } from './inbox';
import { readLine, type ErrorAnswer } from './incoming';
import { LineCutter } from './lineCutter';
import {
  tooLong,
  type ReaderHooks,
  type Transport,
  type TransportReader,
  type TransportWriter,
  type WriterHooks,
} from './transport';

/** The two streams to an agent. `input` is the agent's stdout, `output` its stdin. Not owned. */
export interface AcpStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Creates a transport over these streams, with one JSON message per line. */
export function ndjson({ input, output }: AcpStreams, limits: NdjsonLimits = {}): Transport {
  return {
    openReader: (hooks) => new NdjsonReader(input, hooks),
    openWriter: (hooks) => new NdjsonWriter(output, { ...limits, ...hooks }),
  };
}

export interface NdjsonReaderOptions extends ReaderHooks {
  /** Maximum length of a line in bytes. Defaults to 32 MiB. A longer line is an error and ends reading. */
  readonly lineLimit?: number;
  /** Number of undispatched messages at which the input is paused, and at which it resumes. */
  readonly highWaterMark?: number;
  readonly lowWaterMark?: number;
}

const refusedLineLimit = 1000;

/**
 * Reads one JSON message per line (https://agentclientprotocol.com/protocol/transports#stdio). Hands messages over one
 * at a time; the receiver calls `markDispatched` to get the next. The input is paused while too many messages wait. The
 * end of the input is reported when no messages are waiting.
 */
export class NdjsonReader extends AbstractMessageReader implements TransportReader {
  private readonly input: Readable;
  private readonly options: NdjsonReaderOptions;
  private readonly highWaterMark: number;
  private readonly lowWaterMark: number;
  private readonly cutter: LineCutter;
  private readonly inbox: Inbox;
  private callback: DataCallback | undefined;
  private isReading = false;
  private isPaused = false;
  private isHeld = false;
  private hasEnded = false;
  private hasClosed = false;

  constructor(input: Readable, options: NdjsonReaderOptions) {
    super();
    this.input = input;
    this.options = options;
    this.highWaterMark = options.highWaterMark ?? 2048;
    this.lowWaterMark = options.lowWaterMark ?? 512;
    this.cutter = new LineCutter({
      limit: options.lineLimit ?? 32 * 1024 * 1024,
      onLine: (line, bytes) => {
        this.onLine(line, bytes);
      },
      onTooLong: (beginning, bytes) => {
        this.refuse(beginning, bytes, tooLong);
        this.fireError(new Error('The agent sent a line that is longer than this client accepts.'));
        this.onEnd();
      },
    });
    this.inbox = new Inbox({
      dispatchNow: (message) => this.options.dispatchNow?.(message) === true,
      handOver: (message) => this.callback?.(message),
    });
    // Listens from the start and permanently, because a stream error without a listener would end the extension host.
    input.on('error', this.onInputError);
  }

  listen(callback: DataCallback): { dispose(): void } {
    this.callback = callback;
    this.isReading = true;
    this.input.on('data', this.onData);
    this.input.on('end', this.onEnd);
    this.input.on('close', this.onEnd);
    // The input may have ended before anything listened.
    if (this.input.readableEnded || this.input.destroyed) setImmediate(this.onEnd);
    return {
      dispose: () => {
        this.stop();
      },
    };
  }

  markDispatched(): void {
    this.inbox.markDispatched();
    this.flowAgain();
    this.closeWhenDrained();
  }

  hold(isHeld: boolean): void {
    if (this.isHeld === isHeld) return;
    this.isHeld = isHeld;
    if (isHeld && this.isReading) {
      this.isPaused = true;
      this.input.pause();
    }
    this.inbox.hold(isHeld);
    this.flowAgain();
    this.closeWhenDrained();
  }

  private flowAgain(): void {
    if (!this.isPaused || this.isHeld || this.inbox.size > this.lowWaterMark) return;
    this.isPaused = false;
    this.input.resume();
  }

  override dispose(): void {
    this.hasEnded = true;
    this.callback = undefined;
    this.stop();
    this.inbox.clear();
    super.dispose();
  }

  private readonly onData = (data: Buffer | string): void => {
    this.cutter.push(typeof data === 'string' ? Buffer.from(data) : data);
  };

  private onLine(line: string, bytes: number): void {
    const incoming = readLine(line, this.options.isPending);
    if (incoming.kind === 'blank') return;
    if (incoming.kind === 'refused') {
      // An incomplete last line has no sender left to respond to.
      this.refuse(line, bytes, incoming.reason, this.hasEnded ? undefined : incoming.answer);
      return;
    }
    if (incoming.before !== undefined) {
      this.refuse(incoming.before, Buffer.byteLength(incoming.before), 'words before a message');
    }
    this.options.onMessage?.(incoming.message, bytes);
    this.inbox.push(incoming.message);
    if (this.inbox.size >= this.highWaterMark && !this.isPaused) {
      this.isPaused = true;
      this.input.pause();
    }
  }

  private refuse(line: string, bytes: number, reason: string, answer?: ErrorAnswer): void {
    // Copy the text, because a slice would keep the whole line in memory.
    const shown = Buffer.from(line.slice(0, refusedLineLimit).trimEnd()).toString();
    this.options.onRefused?.({ line: shown, bytes, reason, ...(answer === undefined ? {} : { answer }) });
  }

  private readonly onInputError = (error: Error): void => {
    if (this.isReading) this.fireError(error);
    this.onEnd();
  };

  private readonly onEnd = (): void => {
    if (this.hasEnded) return;
    this.hasEnded = true;
    // The last line needs no line break.
    this.cutter.flush();
    this.stop();
    this.closeWhenDrained();
  };

  private closeWhenDrained(): void {
    if (!this.hasEnded || this.hasClosed || this.inbox.size > 0) return;
    this.hasClosed = true;
    this.fireClose();
  }

  /** Stops reading but lets the input flow, so that a process that still writes isn't blocked forever. */
  private stop(): void {
    if (!this.isReading) return;
    this.isReading = false;
    this.cutter.stop();
    this.input.off('data', this.onData);
    this.input.off('end', this.onEnd);
    this.input.off('close', this.onEnd);
    this.input.resume();
  }
}

/** How much output may wait for an agent that doesn't read, and for how long. */
export interface NdjsonLimits {
  /**
   * Number of waiting bytes at which the writer is blocked. Defaults to 8 MiB. It is unblocked when half of them are
   * written.
   */
  readonly blockedAt?: number;
  /** Maximum number of waiting bytes besides one message. Defaults to 64 MiB. */
  readonly waitingLimit?: number;
  /** How long a blocked writer waits for the agent to read anything, in milliseconds. Defaults to 60,000. */
  readonly patienceMs?: number;
}

export type NdjsonWriterOptions = NdjsonLimits & WriterHooks;

/**
 * Writes one JSON message per line, in the order of the calls. `write` resolves when the stream has accepted the line,
 * which a full stream does only after `drain`, and rejects with `ConnectionClosedError` if the stream ends first.
 */
export class NdjsonWriter extends AbstractMessageWriter implements TransportWriter {
  private readonly output: Writable;
  private readonly options: NdjsonWriterOptions;
  private readonly blockedAt: number;
  private waiting: { readonly line: string; readonly bytes: number; resolve(): void; reject(error: Error): void }[] =
    [];
  private waitingBytes = 0;
  private isFull = false;
  private isBlocked = false;
  private patience: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;

  constructor(output: Writable, options: NdjsonWriterOptions = {}) {
    super();
    this.output = output;
    this.options = options;
    this.blockedAt = options.blockedAt ?? 8 * 1024 * 1024;
    output.on('error', this.onOutputError);
    output.on('close', this.onOutputClose);
    output.on('drain', this.onDrain);
  }

  get isWritable(): boolean {
    return !this.isClosed && !this.output.destroyed && !this.output.writableEnded;
  }

  write(message: Message): Promise<void> {
    if (!this.isWritable) return Promise.reject(new ConnectionClosedError());
    let text: string;
    try {
      text = JSON.stringify(message);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
    const bytes = Buffer.byteLength(text);
    this.options.onWrite?.(message, bytes);
    const line = `${text}\n`;
    if (!this.isFull) {
      this.isFull = !this.output.write(line);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ line, bytes, resolve, reject });
      this.waitingBytes += bytes;
      // A single message of any size may wait.
      const isTooMuch = this.waitingBytes > (this.options.waitingLimit ?? 64 * 1024 * 1024) && this.waiting.length > 1;
      if (isTooMuch) this.giveUp();
      else if (this.waitingBytes >= this.blockedAt) this.setBlocked(true);
    });
  }

  end(): void {
    this.output.end();
  }

  override dispose(): void {
    this.close();
    this.output.off('close', this.onOutputClose);
    this.output.off('drain', this.onDrain);
    super.dispose();
  }

  private readonly onDrain = (): void => {
    this.isFull = false;
    const waiting = this.waiting;
    let sent = 0;
    for (const item of waiting) {
      this.isFull = !this.output.write(item.line);
      this.waitingBytes -= item.bytes;
      item.resolve();
      sent++;
      if (this.isFull) break;
    }
    this.waiting = waiting.slice(sent);
    if (!this.isBlocked) return;
    const isBlocked = this.waitingBytes > this.blockedAt / 2;
    this.setBlocked(isBlocked);
    // The agent has read something.
    if (isBlocked) this.bePatient();
  };

  private setBlocked(isBlocked: boolean): void {
    const hasChanged = isBlocked !== this.isBlocked;
    this.isBlocked = isBlocked;
    if (!hasChanged) return;
    if (isBlocked) this.bePatient();
    else clearTimeout(this.patience);
    this.options.onBlocked?.(isBlocked);
  }

  private bePatient(): void {
    clearTimeout(this.patience);
    this.patience = setTimeout(() => {
      this.giveUp();
    }, this.options.patienceMs ?? 60_000);
  }

  private giveUp(): void {
    if (this.isClosed) return;
    this.onOutputClose();
    this.options.onGivenUp?.();
  }

  /** A pipe without a reader (EPIPE) only means a lost connection. The listener is never removed. */
  private readonly onOutputError = (error: Error): void => {
    if (this.isClosed) return;
    this.fireError(error);
    this.onOutputClose();
  };

  private readonly onOutputClose = (): void => {
    if (this.isClosed) return;
    this.close();
    this.fireClose();
  };

  private close(): void {
    this.isClosed = true;
    const waiting = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    // Messages that the agent already sent are still read.
    this.setBlocked(false);
    for (const item of waiting) item.reject(new ConnectionClosedError());
  }
}
