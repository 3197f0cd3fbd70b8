/** How long something may take that a test waits for, in milliseconds. A busy machine takes its time. */
const patienceMs = 20_000;

/** Tells who waits that something has changed. */
export class Changes {
  private readonly waiting = new Set<() => void>();

  note(): void {
    for (const wake of [...this.waiting]) wake();
  }

  /** Resolves to what `find` returns once it is not undefined, looked for after each change. `what` says what was missing. */
  until<T>(find: () => T | undefined, what: () => string): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        end();
        resolve(found);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(what()));
      }, patienceMs);
      const end = () => {
        clearTimeout(timer);
        this.waiting.delete(look);
      };
      this.waiting.add(look);
      look();
    });
  }
}
