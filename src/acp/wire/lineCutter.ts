export interface LineCutterOptions {
  /** Maximum length of a line in bytes, without its line break. */
  readonly limit: number;
  /** Receives a whole line without its line break, and its length in bytes. */
  readonly onLine: (line: string, bytes: number) => void;
  /** Receives the beginning of a line over the limit, for display; the cutter accepts no more input after it. */
  readonly onTooLong: (beginning: string, bytes: number) => void;
}

const newline = 10;
const byteOrderMark = 0xfeff;
/** Maximum number of bytes to decode from a line that is too long. */
const shownBytes = 2000;

/**
 * Cuts a UTF-8 stream into lines. A line is joined and decoded once, when it is complete, so characters may be split
 * across chunks and the cost is linear in the line's length. A byte order mark at the start is dropped.
 */
export class LineCutter {
  private readonly options: LineCutterOptions;
  /** The beginning of an incomplete line. */
  private parts: Buffer[] = [];
  private partsLength = 0;
  private isAtStart = true;
  private isStopped = false;

  constructor(options: LineCutterOptions) {
    this.options = options;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      // A listener may stop the cutter at any line.
      if (this.isStopped) return;
      if (this.partsLength === 0 && end - start <= this.options.limit) {
        this.emit(chunk.toString('utf8', start, end), end - start);
      } else {
        this.keep(chunk.subarray(start, end));
        this.flush();
      }
      start = end + 1;
    }
    if (start < chunk.length && !this.isStopped) this.keep(chunk.subarray(start));
  }

  /** Emits the incomplete line as a whole one. */
  flush(): void {
    if (this.isStopped) return;
    const bytes = this.partsLength;
    const line = this.take().toString('utf8');
    if (bytes > 0) this.emit(line, bytes);
  }

  /** Drops the incomplete line and stops emitting. */
  stop(): void {
    this.isStopped = true;
    this.take();
  }

  private keep(part: Buffer): void {
    this.parts.push(part);
    this.partsLength += part.length;
    if (this.partsLength <= this.options.limit) return;
    const bytes = this.partsLength;
    const beginning = Buffer.concat(this.parts, shownBytes).toString('utf8', 0, Math.min(bytes, shownBytes));
    this.stop();
    this.options.onTooLong(beginning, bytes);
  }

  private take(): Buffer {
    const line = Buffer.concat(this.parts, this.partsLength);
    this.parts = [];
    this.partsLength = 0;
    return line;
  }

  private emit(line: string, bytes: number): void {
    const hasMark = this.isAtStart && line.charCodeAt(0) === byteOrderMark;
    this.isAtStart = false;
    this.options.onLine(hasMark ? line.slice(1) : line, bytes);
  }
}
