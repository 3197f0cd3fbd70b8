/**
 * Decodes bytes that arrive in chunks. A character split across two chunks is returned with the second one; invalid UTF-8 becomes U+FFFD.
 */
export class Utf8Decoder {
  private readonly decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

  decode(bytes: Uint8Array): string {
    return this.decoder.decode(bytes, { stream: true });
  }

  /** Returns U+FFFD for an incomplete character at the end, or an empty string. */
  end(): string {
    return this.decoder.decode();
  }
}
