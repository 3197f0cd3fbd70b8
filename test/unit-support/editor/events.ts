// Events, cancellation, and what is disposed of, as the editor has them. The contract says how (test/contract/events.ts).

type Listener<T> = (event: T) => unknown;

interface Disposes {
  dispose(): unknown;
}

/**
 * What happens to an error that a listener throws. The editor logs it, and the others are told all the same. In tests, it ends as an error
 * that nobody catches, so that the test fails.
 */
export const listenerErrors = { areExpected: false };

function report(error: unknown): void {
  if (listenerErrors.areExpected) return;
  setImmediate(() => {
    throw error;
  });
}

export class Disposable {
  private end: (() => unknown) | undefined;

  static from(...all: readonly Disposes[]): Disposable {
    return new Disposable(() => {
      for (const one of all) one.dispose();
    });
  }

  constructor(end: () => unknown) {
    this.end = end;
  }

  dispose(): void {
    const { end } = this;
    this.end = undefined;
    end?.();
  }
}

interface Delivery<T> {
  readonly event: T;
  readonly left: (readonly [Listener<T>])[];
}

export class EventEmitter<T = unknown> {
  /** Each in a list of its own, so that a function that listens twice is told twice. */
  private readonly listeners = new Set<readonly [Listener<T>]>();
  private current: Delivery<T> | undefined;
  private isDisposed = false;

  readonly event = (listener: Listener<T>, self?: unknown, held?: Disposes[]): Disposable => {
    const own = [self === undefined ? listener : listener.bind(self)] as const;
    if (!this.isDisposed) this.listeners.add(own);
    const end = new Disposable(() => this.listeners.delete(own));
    held?.push(end);
    return end;
  };

  fire(event: T): void {
    // All hear of the event before they hear of the one that a listener causes.
    this.deliver();
    this.current = { event, left: [...this.listeners] };
    this.deliver();
  }

  dispose(): void {
    this.isDisposed = true;
    this.listeners.clear();
  }

  private deliver(): void {
    const { current } = this;
    for (let next = current?.left.shift(); current && next; next = current.left.shift()) {
      if (!this.listeners.has(next)) continue;
      try {
        next[0](current.event);
      } catch (error) {
        report(error);
      }
    }
  }
}

export class CancellationTokenSource {
  private readonly cancelled = new EventEmitter<undefined>();
  private isDisposed = false;
  readonly token = {
    isCancellationRequested: false,
    onCancellationRequested: (listener: () => unknown, self?: unknown): Disposable => {
      if (!this.token.isCancellationRequested) return this.cancelled.event(listener, self);
      const soon = setTimeout(() => listener.call(self));
      return new Disposable(() => clearTimeout(soon));
    },
  };

  cancel(): void {
    if (this.token.isCancellationRequested) return;
    this.token.isCancellationRequested = true;
    if (!this.isDisposed) this.cancelled.fire(undefined);
  }

  dispose(): void {
    this.isDisposed = true;
    this.cancelled.dispose();
  }
}
