import { stripVTControlCharacters } from 'node:util';

/** Keeps the last `limit` UTF-16 units of an endless text and drops the rest. */
export class TextTail {
  private readonly limit: number;
  private text = '';
  private wasCut = false;

  constructor(limit: number) {
    this.limit = limit;
  }

  append(text: string): void {
    this.text += text;
    // Cut rarely, so that many small chunks don't copy the whole tail each time.
    if (this.text.length > 2 * this.limit) this.cut();
  }

  /**
   * Returns the kept text without terminal escapes; starts at the beginning of a line unless the last line alone is
   * over the limit.
   */
  toString(): string {
    if (this.text.length > this.limit) this.cut();
    if (!this.wasCut) return stripVTControlCharacters(this.text);
    const lineStart = this.text.indexOf('\n') + 1;
    const whole = lineStart > 0 && lineStart < this.text.length ? this.text.slice(lineStart) : this.text;
    // Half of a surrogate pair at the cut isn't a character.
    return stripVTControlCharacters(whole.replace(/^[\uDC00-\uDFFF]/, ''));
  }

  private cut(): void {
    this.text = this.text.slice(-this.limit);
    this.wasCut = true;
  }
}
