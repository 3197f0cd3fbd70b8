import type { Readable, Writable } from 'node:stream';
import { AbstractMessageWriter, type DataCallback, type Message } from 'vscode-jsonrpc/node';
import { ConnectionClosedError } from '../base/errors';
import { InboxReader } from './inboxReader';
import { compact } from '../../shared/values/decodeValue';
import { LineCutter } from './lineCutter';
import { tooLong, type ReaderHooks, type Transport, type TransportWriter, type WriterHooks } from './transport';

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

/** Reads one JSON message per line (https://agentclientprotocol.com/protocol/transports#stdio). */
export class NdjsonReader extends InboxReader {
  private readonly input: Readable;
  private readonly cutter: LineCutter;
  private isReading = false;

  constructor(input: Readable, options: NdjsonReaderOptions) {
    super(options, compact({ high: options.highWaterMark, low: options.lowWaterMark }));
    this.input = input;
    this.cutter = new LineCutter({
      limit: options.lineLimit ?? 32 * 1024 * 1024,
      onLine: (line, bytes) => {
        this.readText(line, bytes, true);
      },
      onTooLong: (beginning, bytes) => {
        this.refuse(beginning, bytes, tooLong);
        this.fireError(new Error('The agent sent a line that is longer than this client accepts.'));
        this.onEnd();
      },
    });
    // Listens from the start and permanently, because a stream error without a listener would end the extension host.
    input.on('error', this.onInputError);
  }

  override listen(callback: DataCallback): { dispose(): void } {
    super.listen(callback);
    this.isReading = true;
    this.input.on('data', this.onData);
    this.input.on('end', this.onEnd);
    this.input.on('close', this.onEnd);
    if (this.isPaused) this.input.pause();
    // The input may have ended before anything listened.
    if (this.input.readableEnded || this.input.destroyed) setImmediate(this.onEnd);
    return {
      dispose: () => {
        this.stop();
      },
    };
  }

  override dispose(): void {
    this.hasEnded = true;
    this.stop();
    super.dispose();
  }

  protected override pauseInput(isPaused: boolean): void {
    if (!this.isReading) return;
    if (isPaused) this.input.pause();
    else this.input.resume();
  }

  private readonly onData = (data: Buffer | string): void => {
    this.cutter.push(typeof data === 'string' ? Buffer.from(data) : data);
  };

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
