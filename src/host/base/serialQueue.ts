/**
 * Runs tasks of one key one after the other, in the order in which they came; different keys do not wait for each
 * other. A task that fails does not stop the next. Nothing is kept for a key once its tasks are done.
 */
export class SerialQueue {
  private readonly tails = new Map<string, Promise<void>>();

  /** Rejects with `signal.reason` when the signal aborts before the task began; a task that began runs to its end. */
  run<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key) ?? Promise.resolve();
    return new Promise<T>((resolve, reject) => {
      const giveUp = () => {
        reject(reasonOf(signal));
      };
      signal.addEventListener('abort', giveUp, { once: true });
      const end = () => {
        if (this.tails.get(key) === tail) this.tails.delete(key);
      };
      const tail: Promise<void> = before.then(async () => {
        signal.removeEventListener('abort', giveUp);
        if (signal.aborted) {
          end();
          giveUp();
          return;
        }
        // Called before the caller hears, who then finds the queue as it is.
        await task().finally(end).then(resolve, reject);
      });
      this.tails.set(key, tail);
    });
  }

  /** Number of keys with tasks that run or wait. */
  get size(): number {
    return this.tails.size;
  }
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('Aborted');
}
