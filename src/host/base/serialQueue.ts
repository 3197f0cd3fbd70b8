/**
 * Runs tasks with the same key one at a time, in the order of arrival. Different keys don't wait for each other. A
 * failed task doesn't stop the next. A key uses no memory once its tasks are done.
 */
export class SerialQueue {
  private readonly tails = new Map<string, Promise<void>>();

  /** Rejects with `signal.reason` if the signal aborts before the task starts. A started task runs to its end. */
  run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.tails.get(key) ?? Promise.resolve();
    return new Promise<T>((resolve, reject) => {
      const giveUp = () => {
        reject(reasonOf(signal));
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      const end = () => {
        if (this.tails.get(key) === tail) this.tails.delete(key);
      };
      const tail: Promise<void> = before.then(async () => {
        signal?.removeEventListener('abort', giveUp);
        if (signal?.aborted === true) {
          end();
          giveUp();
          return;
        }
        // Called before the promise settles, so that the caller sees the updated queue.
        await task().finally(end).then(resolve, reject);
      });
      this.tails.set(key, tail);
    });
  }

  /** Number of keys with running or waiting tasks. */
  get size(): number {
    return this.tails.size;
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error('Aborted');
}
