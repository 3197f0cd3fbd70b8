/**
 * Turns bytes that arrive in pieces into text: a character split over two pieces comes out whole, with the second one;
 * bytes that are no UTF-8 become U+FFFD.
 */
export class Utf8Decoder {
  private readonly decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

  decode(bytes: Uint8Array): string {
    return this.decoder.decode(bytes, { stream: true });
  }

  /** What is left when no more bytes come: U+FFFD for a character that never ended, else nothing. */
  end(): string {
    return this.decoder.decode();
  }
}
