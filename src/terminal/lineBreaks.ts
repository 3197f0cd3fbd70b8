/**
 * Restores the line breaks that a program wrote: a terminal turns each `\n` into `\r\n`. A `\r` that returns to the start of a line stays,
 * and repeated ones count once. A `\r` at the end of a chunk is held back until the next chunk.
 */
export class LineBreaks {
  private waiting = '';

  /** Returns the chunk up to where its line breaks are certain. */
  push(text: string): string {
    const all = (this.waiting + text).replace(/\r+\n?/g, (found) => (found.endsWith('\n') ? '\n' : '\r'));
    this.waiting = all.endsWith('\r') ? '\r' : '';
    return this.waiting === '' ? all : all.slice(0, -1);
  }

  /** Returns the held-back text at the end of the output. */
  end(): string {
    const rest = this.waiting;
    this.waiting = '';
    return rest;
  }
}
