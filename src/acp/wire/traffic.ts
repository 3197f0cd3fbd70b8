import { Disposable } from '../../shared/values/disposable';
import { createRedactor, type Redactor } from './redact';

/**
 * The origin of an entry: a message that Parley sent or received, a line that isn't a message, or a remark by Parley.
 */
export type TrafficDirection = 'send' | 'receive' | 'noise' | 'note';

/** One entry of the log. `message` is the live message, shared with its handlers: read it, but never change it. */
export interface TrafficEntry {
  readonly direction: TrafficDirection;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly message: unknown;
  /** Size of the message as transmitted. */
  readonly bytes: number;
}

/** Replaces a message that is too large to keep. */
export interface TrafficSummary {
  readonly summary: string;
  readonly id?: unknown;
  readonly method?: unknown;
}

export interface TrafficLogOptions {
  /** Maximum number of entries. Defaults to 4,000. */
  readonly maxEntries?: number;
  /** Maximum number of bytes, as transmitted. Defaults to 4 MiB. */
  readonly maxBytes?: number;
  /** Size above which a message is kept as a summary, in bytes. Defaults to 64 KiB. */
  readonly maxMessageBytes?: number;
  /** Removes secrets from the output of `export`. */
  readonly redactor?: Redactor;
  readonly now?: () => number;
}

/**
 * Keeps the latest messages of one connection and drops the oldest first. Recording takes constant time and never
 * serializes a message; secrets are removed on export.
 */
export class TrafficLog extends Disposable {
  private readonly maxEntries: number;
  private readonly maxBytes: number;
  private readonly maxMessageBytes: number;
  private readonly redactor: Redactor;
  private readonly now: () => number;
  /** A ring buffer: the oldest entry is at `first`, followed by the others, `count` in total, wrapping around. */
  private ring: (TrafficEntry | undefined)[] = [];
  private first = 0;
  private count = 0;
  private bytes = 0;

  constructor(options: TrafficLogOptions = {}) {
    super();
    this.maxEntries = Math.max(1, options.maxEntries ?? 4000);
    this.maxBytes = options.maxBytes ?? 4 * 1024 * 1024;
    this.maxMessageBytes = Math.min(options.maxMessageBytes ?? 64 * 1024, this.maxBytes);
    this.redactor = options.redactor ?? createRedactor([]);
    this.now = options.now ?? Date.now;
  }

  get size(): number {
    return this.count;
  }

  /** Number of bytes kept, as transmitted. */
  get byteSize(): number {
    return this.bytes;
  }

  record(direction: TrafficDirection, message: unknown, bytes: number): void {
    const kept = bytes > this.maxMessageBytes ? summarize(message, bytes) : message;
    const entry: TrafficEntry = { direction, at: this.now(), message: kept, bytes };
    if (this.count === this.maxEntries) this.dropFirst();
    const index = this.first + this.count;
    this.ring[index >= this.maxEntries ? index - this.maxEntries : index] = entry;
    this.count++;
    this.bytes += this.cost(entry);
    while (this.bytes > this.maxBytes) this.dropFirst();
  }

  /** Records a remark, such as that the connection closed. */
  note(text: string): void {
    this.record('note', text, text.length);
  }

  /** Returns the entries, oldest first. */
  entries(): readonly TrafficEntry[] {
    const entries: TrafficEntry[] = [];
    for (let offset = 0; offset < this.count; offset++) {
      const entry = this.ring[(this.first + offset) % this.maxEntries];
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  /**
   * Returns one line of JSON per entry, oldest first, without secrets: `{ at, direction, bytes, message }`, with `at`
   * in ISO 8601.
   */
  export(): string {
    return this.entries()
      .map((entry) => `${this.exportEntry(entry)}\n`)
      .join('');
  }

  /** Returns one entry in the format of `export`, without the line break. */
  exportEntry(entry: TrafficEntry): string {
    const { direction, bytes } = entry;
    const message = this.redactor.redact(entry.message);
    return JSON.stringify({ at: new Date(entry.at).toISOString(), direction, bytes, message });
  }

  clear(): void {
    this.ring = [];
    this.first = 0;
    this.count = 0;
    this.bytes = 0;
  }

  private cost(entry: TrafficEntry): number {
    return entry.bytes > this.maxMessageBytes ? summaryCost : entry.bytes;
  }

  private dropFirst(): void {
    const entry = this.ring[this.first];
    if (entry !== undefined) this.bytes -= this.cost(entry);
    this.ring[this.first] = undefined;
    this.first = this.first + 1 === this.maxEntries ? 0 : this.first + 1;
    this.count--;
  }
}

/** Number of bytes that a summary adds to the log's size. */
const summaryCost = 256;

/** Describes a large message without keeping any large part of it. */
function summarize(message: unknown, bytes: number): TrafficSummary {
  const size = `${(bytes / 1024).toFixed(0)} KiB, not kept`;
  if (typeof message === 'string') return { summary: `${copyOf(message.slice(0, 200))}… (${size})` };
  if (typeof message !== 'object' || message === null) return { summary: size };
  const { id, method, params } = message as Readonly<Record<string, unknown>>;
  const kind = updateKind(params);
  return {
    summary: kind === undefined ? size : `${kind} (${size})`,
    ...(isShort(id) ? { id } : {}),
    ...(isShort(method) ? { method } : {}),
  };
}

function updateKind(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null || !('update' in params)) return undefined;
  const { update } = params;
  if (typeof update !== 'object' || update === null || !('sessionUpdate' in update)) return undefined;
  return typeof update.sessionUpdate === 'string' ? update.sessionUpdate.slice(0, 100) : undefined;
}

/** Copies a text to its own memory, because a slice would keep its whole parent alive. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

function isShort(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.length <= 200);
}
