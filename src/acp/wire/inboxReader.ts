import { AbstractMessageReader, type DataCallback } from 'vscode-jsonrpc/node';
import { Inbox } from './inbox';
import { admit, parseLine, type ErrorAnswer, type ParsedLine } from './incoming';
import type { ReaderHooks, TransportReader } from './transport';

/** How many messages may wait before the input is paused, and until it flows again. */
export interface WaterMarks {
  readonly high: number;
  readonly low: number;
}

const usualMarks: WaterMarks = { high: 2048, low: 512 };
/** How much of a refused text is kept, in UTF-16 units. */
const refusedLimit = 1000;

/**
 * Reads JSON texts as messages and hands them over one at a time; the receiver calls `markDispatched` to get the next.
 * The input is paused while too many messages wait. The end of the input is reported when no messages are waiting.
 */
export abstract class InboxReader extends AbstractMessageReader implements TransportReader {
  private readonly hooks: ReaderHooks;
  private readonly marks: WaterMarks;
  private readonly inbox: Inbox;
  private callback: DataCallback | undefined;
  private isHeld = false;
  private hasClosed = false;
  protected isListening = false;
  protected isPaused = false;
  protected hasEnded = false;

  constructor(hooks: ReaderHooks, marks: Partial<WaterMarks> = {}) {
    super();
    this.hooks = hooks;
    this.marks = { ...usualMarks, ...marks };
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
    return { dispose: () => (this.callback = undefined) };
  }

  markDispatched(): void {
    this.inbox.markDispatched();
    this.flowAgain();
  }

  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    if (isHeld) this.pause(true);
    this.inbox.hold(isHeld || !this.isListening);
    this.flowAgain();
  }

  override dispose(): void {
    this.hasEnded = true;
    this.callback = undefined;
    this.inbox.clear();
    super.dispose();
  }

  /** Pauses the source of the texts, or lets it flow again. */
  protected abstract pauseInput(isPaused: boolean): void;

  /** Handles a text. `mayFollowWords` says whether a message may be behind words that a program printed. */
  protected readText(text: string, bytes: number, mayFollowWords: boolean, parsed: ParsedLine = parseLine(text)): void {
    const incoming = admit(parsed, this.hooks.isPending);
    if (incoming.kind === 'blank') return;
    if (incoming.kind === 'refused') {
      // An incomplete last text has no sender left to respond to.
      this.refuse(text, bytes, incoming.reason, this.hasEnded ? undefined : incoming.answer);
      return;
    }
    if (incoming.before !== undefined) {
      const refused = mayFollowWords ? incoming.before : text;
      this.refuse(refused, Buffer.byteLength(refused), 'words before a message');
      if (!mayFollowWords) return;
    }
    this.hooks.onMessage?.(incoming.message, bytes);
    this.inbox.push(incoming.message);
    if (this.inbox.size >= this.marks.high) this.pause(true);
  }

  protected refuse(text: string, bytes: number, reason: string, answer?: ErrorAnswer): void {
    // Copy the text, because a slice would keep the whole message in memory.
    const line = Buffer.from(text.slice(0, refusedLimit).trimEnd()).toString();
    this.hooks.onRefused?.({ line, bytes, reason, ...(answer && { answer }) });
  }

  protected closeWhenDrained(): void {
    if (!this.hasEnded || this.hasClosed || this.inbox.size > 0) return;
    this.hasClosed = true;
    this.fireClose();
  }

  private flowAgain(): void {
    if (!this.isHeld && this.inbox.size <= this.marks.low) this.pause(false);
    this.closeWhenDrained();
  }

  private pause(isPaused: boolean): void {
    if (this.isPaused === isPaused) return;
    this.isPaused = isPaused;
    this.pauseInput(isPaused);
  }
}
