import type { Message } from 'vscode-jsonrpc/node';

export interface InboxOptions {
  /** Handles a message at once and returns true, or returns false to have it handed over. */
  readonly dispatchNow: (message: Message) => boolean;
  /** Takes a message that needs a turn of the event loop; `markDispatched` is called when it had it. */
  readonly handOver: (message: Message) => void;
}

/**
 * Messages that arrived and are not dispatched yet. They leave strictly in order, and of those that are handed over never
 * two at once: vscode-jsonrpc keeps its queue by id and method, and would lose one of two with the same id.
 */
export class Inbox {
  private readonly options: InboxOptions;
  private queue: Message[] = [];
  /** Index of the next message; shifting a long array would cost its length each time. */
  private next = 0;
  private isBusy = false;
  private isHeld = false;

  constructor(options: InboxOptions) {
    this.options = options;
  }

  /** Messages not dispatched yet, the one handed over included. */
  get size(): number {
    return this.queue.length - this.next + (this.isBusy ? 1 : 0);
  }

  push(message: Message): void {
    if (this.size === 0 && !this.isHeld && this.options.dispatchNow(message)) return;
    this.queue.push(message);
    this.pump();
  }

  /** The message handed over last is dispatched. */
  markDispatched(): void {
    this.isBusy = false;
    this.pump();
  }

  /** While it holds, messages stay where they are. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    this.pump();
  }

  /** Forgets what waits. */
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
