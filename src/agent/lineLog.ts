import { hidden } from '../acp/redactText';

/** Longest line that is logged, in UTF-16 units. */
const lineLimit = 8 * 1024;
/** Most lines of one private key. */
const keyLimit = 500;

/**
 * Hands on whole lines of a text that comes in pieces, so that a secret in one is whole when it is looked for. Of a line that is too
 * long only the beginning is handed on, and of a private key only its first line.
 */
export class LineLog {
  private readonly log: (lines: string) => void;
  private rest = '';
  /** The present line was too long: what follows of it is dropped. */
  private isCut = false;
  /** Lines of the private key so far; 0 outside of one. */
  private keyLines = 0;

  constructor(log: (lines: string) => void) {
    this.log = log;
  }

  push(text: string): void {
    const parts = text.split('\n');
    const last = parts.pop() ?? '';
    const lines: string[] = [];
    for (const part of parts) {
      this.grow(part);
      this.take(lines);
    }
    this.grow(last);
    this.tell(lines);
  }

  /** Hands on what has come of a line as a whole one. */
  flush(): void {
    const lines: string[] = [];
    this.take(lines);
    this.tell(lines);
  }

  private grow(part: string): void {
    if (this.isCut) return;
    this.rest += part;
    if (this.rest.length <= lineLimit) return;
    // To the last space: what was cut in the middle might be a secret that nobody recognises.
    const cut = this.rest.lastIndexOf(' ', lineLimit);
    this.rest = `${this.rest.slice(0, Math.max(cut, 0))}…`;
    this.isCut = true;
  }

  private take(lines: string[]): void {
    const line = this.rest.trimEnd();
    this.rest = '';
    this.isCut = false;
    if (this.keyLines > 0) {
      this.keyLines =
        /-----END [A-Z0-9 ]{0,40}PRIVATE KEY/.test(line) || this.keyLines > keyLimit ? 0 : this.keyLines + 1;
      return;
    }
    const key = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?!.*-----END )/.exec(line);
    if (key) this.keyLines = 1;
    if (line !== '') lines.push(key ? line.slice(0, key.index) + hidden : line);
  }

  private tell(lines: readonly string[]): void {
    if (lines.length > 0) this.log(lines.join('\n'));
  }
}
