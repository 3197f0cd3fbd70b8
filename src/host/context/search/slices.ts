/** The longest time that one slice of work keeps the extension host busy, in milliseconds. */
const sliceMs = 6;

/** Divides long work into slices, between which everything else in the extension host has its turn. */
export class Slices {
  private begunAt = performance.now();

  /** Returns whether the current slice has lasted long enough, so that `next` must be awaited. */
  get isOver(): boolean {
    return performance.now() - this.begunAt > sliceMs;
  }

  /** Lets other work run, and begins another slice. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.begunAt = performance.now();
  }
}
