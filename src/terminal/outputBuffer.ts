/** The limit in bytes if the agent specifies none. */
export const defaultOutputLimit = 8 * 1024 * 1024;
/** The maximum limit in bytes, whatever the agent specifies, because one response must carry the output. */
export const maximumOutputLimit = 16 * 1024 * 1024;

/** Joins chunks up to this many UTF-16 units, so that a program that prints single characters costs no more. */
const joinBelow = 16_384;

interface Piece {
  text: string;
  bytes: number;
}

/**
 * Stores the last part of a command's output, at most `limit` bytes in UTF-8. The excess is removed from the front at a character boundary,
 * so slightly less may be kept (https://agentclientprotocol.com/protocol/terminals).
 */
export class OutputBuffer {
  private readonly limit: number;
  private pieces: Piece[] = [];
  /** Index of the first chunk still kept. Earlier ones are removed in bulk from time to time. */
  private first = 0;
  /** UTF-16 units already removed from the first chunk. Its `bytes` count only the rest. */
  private offset = 0;
  private bytes = 0;
  private dropped = false;

  constructor(limit: number = defaultOutputLimit) {
    this.limit = Math.min(Math.max(0, Math.floor(limit)), maximumOutputLimit);
  }

  /** Whether output was removed from the front. */
  get truncated(): boolean {
    return this.dropped;
  }

  /** Appends text, which must not contain half a surrogate pair. Takes amortized constant time per character. */
  append(text: string): void {
    if (text === '') return;
    const bytes = Buffer.byteLength(text);
    const last = this.pieces.at(-1);
    if (last !== undefined && last.text.length + text.length <= joinBelow) {
      last.text += text;
      last.bytes += bytes;
    } else {
      this.pieces.push({ text, bytes });
    }
    this.bytes += bytes;
    if (this.bytes > this.limit) this.trim();
  }

  /** Returns all kept output. */
  read(): string {
    return this.pieces
      .slice(this.first)
      .map((piece, index) => (index === 0 ? piece.text.slice(this.offset) : piece.text))
      .join('');
  }

  clear(): void {
    this.pieces = [];
    this.first = 0;
    this.offset = 0;
    this.bytes = 0;
  }

  private trim(): void {
    this.dropped = true;
    let excess = this.bytes - this.limit;
    while (excess > 0) {
      const head = this.pieces[this.first];
      if (head === undefined) break;
      if (head.bytes <= excess) {
        excess -= head.bytes;
        this.bytes -= head.bytes;
        this.dropFirst();
      } else {
        excess -= this.cutFirst(head, excess);
      }
    }
  }

  /** Cuts whole characters from the first chunk until at least `excess` bytes are removed. Returns the number of bytes removed. */
  private cutFirst(head: Piece, excess: number): number {
    let gone = 0;
    while (gone < excess && this.offset < head.text.length) {
      const code = head.text.codePointAt(this.offset) ?? 0;
      gone += utf8Length(code);
      this.offset += code > 0xffff ? 2 : 1;
    }
    head.bytes -= gone;
    this.bytes -= gone;
    if (head.bytes <= 0) this.dropFirst();
    return gone;
  }

  private dropFirst(): void {
    this.first += 1;
    this.offset = 0;
    if (this.first === this.pieces.length) {
      this.pieces = [];
      this.first = 0;
    } else if (this.first > 64 && this.first * 2 > this.pieces.length) {
      this.pieces.splice(0, this.first);
      this.first = 0;
    }
  }
}

function utf8Length(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}
