/**
 * Gives output the line breaks that its program meant: a terminal makes `\r\n` of each `\n`. A `\r` that starts its line again stays,
 * and several do what one does. A `\r` at the end of a piece waits for what comes after it.
 */
export class LineBreaks {
  private waiting = '';

  /** The piece as far as it is certain. */
  push(text: string): string {
    const all = (this.waiting + text).replace(/\r+\n?/g, (found) => (found.endsWith('\n') ? '\n' : '\r'));
    this.waiting = all.endsWith('\r') ? '\r' : '';
    return this.waiting === '' ? all : all.slice(0, -1);
  }

  /** What still waits when no more comes. */
  end(): string {
    const rest = this.waiting;
    this.waiting = '';
    return rest;
  }
}
