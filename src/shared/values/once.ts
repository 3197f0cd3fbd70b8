/** Calls `make` on first use and returns the same promise from then on. A failure is retried on the next call. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined;
  return () =>
    (promise ??= make().catch((error: unknown) => {
      promise = undefined;
      throw error;
    }));
}
