import type { Message } from 'vscode-jsonrpc/node';

export interface InboxOptions {
  /** Handles a message immediately and returns true, or returns false so that it is handed over. */
  readonly dispatchNow: (message: Message) => boolean;
  /** Receives a message that needs a turn of the event loop; call `markDispatched` when it has been dispatched. */
  readonly handOver: (message: Message) => void;
}

/**
 * Messages that have arrived and are not yet dispatched. They leave strictly in order, and only one is handed over at a
 * time: vscode-jsonrpc keeps its queue by id and method, and would lose one of two messages with the same id.
 */
export class Inbox {
  private readonly options: InboxOptions;
  private queue: Message[] = [];
  /** Index of the next message. Shifting a long array would cost its length each time. */
  private next = 0;
  private isBusy = false;
  private isHeld = false;

  constructor(options: InboxOptions) {
    this.options = options;
  }

  /** Number of messages not yet dispatched, including the one handed over. */
  get size(): number {
    return this.queue.length - this.next + (this.isBusy ? 1 : 0);
  }

  push(message: Message): void {
    if (this.size === 0 && !this.isHeld && this.options.dispatchNow(message)) return;
    this.queue.push(message);
    this.pump();
  }

  /** Marks the message handed over last as dispatched. */
  markDispatched(): void {
    this.isBusy = false;
    this.pump();
  }

  /** Pauses dispatching while `isHeld` is true. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    this.pump();
  }

  /** Drops all waiting messages. */
  clear(): void {
    this.queue = [];
    this.next = 0;
  }

  private pump(): void {
    while (!this.isBusy && !this.isHeld) {
      const message = this.queue[this.next];
      if (message === undefined) return;
      this.next++;
      if (this.next === this.queue.length) this.clear();
      if (this.options.dispatchNow(message)) continue;
      this.isBusy = true;
      this.options.handOver(message);
    }
  }
}
