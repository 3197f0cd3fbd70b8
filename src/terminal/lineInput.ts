/** What a key press means for a command behind a pipe. */
export interface LineInputResult {
  /** To show where the user types. */
  readonly echo: string;
  /** To send to the command; empty for nothing. */
  readonly send: string;
  readonly action: 'none' | 'interrupt' | 'endInput';
}

/**
 * Stands in for the line editing that a terminal does for commands and a pipe does not: shows what is typed, erases
 * with Backspace, sends with Enter, and knows Ctrl+C, Ctrl+D and Ctrl+U.
 */
export class LineInput {
  private line: string[] = [];

  /** Takes what an editor terminal reports as typed or pasted. */
  type(data: string): LineInputResult {
    let echo = '';
    let send = '';
    const keys = data.replaceAll(/\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/gsu, '').replaceAll('\r\n', '\r');
    for (const key of keys) {
      switch (key) {
        case '\r':
        case '\n':
          send += `${this.line.join('')}\n`;
          echo += '\r\n';
          this.line = [];
          break;
        case '\x7f':
        case '\b': {
          if (this.line.pop() !== undefined) echo += '\b \b';
          break;
        }
        case '\x15':
          echo += '\b \b'.repeat(this.line.length);
          this.line = [];
          break;
        case '\x03':
          this.line = [];
          return { echo: `${echo}^C\r\n`, send, action: 'interrupt' };
        case '\x04':
          if (this.line.length === 0) return { echo, send, action: 'endInput' };
          send += this.line.join('');
          this.line = [];
          break;
        default:
          if (key < ' ' && key !== '\t') break;
          this.line.push(key);
          echo += key;
      }
    }
    return { echo, send, action: 'none' };
  }
}
