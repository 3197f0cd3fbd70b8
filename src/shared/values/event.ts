import { toDisposable, type IDisposable } from './disposable';

/** Subscribes a listener until the returned disposable is disposed. */
export type Event<T> = (listener: (value: T) => void) => IDisposable;

/** Calls listeners in order of subscription. A listener added or removed while firing takes effect the next time. */
export class Emitter<T> implements IDisposable {
  private listeners: ReadonlySet<(value: T) => void> = new Set();
  private disposed = false;

  readonly event: Event<T> = (listener) => {
    if (this.disposed) return toDisposable(() => undefined);
    // Wrapped, so that one function may subscribe twice.
    const own = (value: T) => {
      listener(value);
    };
    this.listeners = new Set([...this.listeners, own]);
    return toDisposable(() => {
      const rest = new Set(this.listeners);
      rest.delete(own);
      this.listeners = rest;
    });
  };

  fire(value: T): void {
    for (const listener of this.listeners) listener(value);
  }

  dispose(): void {
    this.disposed = true;
    this.listeners = new Set();
  }
}
