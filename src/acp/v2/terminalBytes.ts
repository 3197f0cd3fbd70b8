/** Decodes the output of one terminal, whose bytes arrive in pieces that may split a character. */
export class TerminalBytes {
  private decoder = new TextDecoder();

  /** Returns the text of more bytes, in base64. A character that isn't complete yet comes with the next ones. */
  append(data: string): string {
    return this.decoder.decode(Buffer.from(data, 'base64'), { stream: true });
  }

  /** Returns the text of bytes that replace all earlier ones. */
  replace(data: string): string {
    this.decoder = new TextDecoder();
    return this.append(data);
  }

  /** Returns the rest of a character that will never be complete. */
  end(): string {
    const rest = this.decoder.decode();
    this.decoder = new TextDecoder();
    return rest;
  }
}
