import { hidden } from '../../acp/base/redactText';

/** Maximum length of a logged line, in UTF-16 units. */
const lineLimit = 8 * 1024;
/** Maximum number of lines in one private key. */
const keyLimit = 500;

/**
 * Passes on a chunked text as whole lines, so that a secret in a line is complete when it is searched for. Of a line
 * that is too long, only the beginning is passed on; of a private key, only its first line.
 */
export class LineLog {
  private readonly log: (lines: string) => void;
  private rest = '';
  /** The current line was too long, so the rest of it is dropped. */
  private isCut = false;
  /** Number of lines of the private key so far; 0 outside a key. */
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
    this.emit(lines);
  }

  /** Passes on an incomplete line as a whole one. */
  flush(): void {
    const lines: string[] = [];
    this.take(lines);
    this.emit(lines);
  }

  private grow(part: string): void {
    if (this.isCut) return;
    this.rest += part;
    if (this.rest.length <= lineLimit) return;
    // Cut at the last space, because a secret cut in the middle wouldn't be recognized.
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

  private emit(lines: readonly string[]): void {
    if (lines.length > 0) this.log(lines.join('\n'));
  }
}
