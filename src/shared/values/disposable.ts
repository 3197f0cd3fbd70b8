/** An object that owns a resource until `dispose` is called; `dispose` is idempotent and never throws. */
export interface IDisposable {
  dispose(): void;
}

/** Returns a disposable that runs `action` once, when it is first disposed. */
export function toDisposable(action: () => void): IDisposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      action();
    },
  };
}

/** Disposes its items in reverse order. An item added after disposal is disposed immediately. */
export class DisposableStore implements IDisposable {
  private readonly items = new Set<IDisposable>();
  private disposed = false;

  get isDisposed(): boolean {
    return this.disposed;
  }

  add<T extends IDisposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.add(item);
    return item;
  }

  /** Disposes and removes one item. */
  delete(item: IDisposable): void {
    if (this.items.delete(item)) item.dispose();
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    const items = [...this.items].reverse();
    this.items.clear();
    for (const item of items) item.dispose();
  }
}

/** Base class for objects that own disposables for their whole lifetime. */
export abstract class Disposable implements IDisposable {
  private readonly store = new DisposableStore();

  protected get isDisposed(): boolean {
    return this.store.isDisposed;
  }

  protected register<T extends IDisposable>(item: T): T {
    return this.store.add(item);
  }

  dispose(): void {
    this.store.dispose();
  }
}
