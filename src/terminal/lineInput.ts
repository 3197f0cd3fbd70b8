/** The effect of a key press on a command behind a pipe. */
export interface LineInputResult {
  /** The text to show at the cursor. */
  readonly echo: string;
  /** The text to send to the command, or an empty string. */
  readonly send: string;
  readonly action: 'none' | 'interrupt' | 'endInput';
}

/**
 * Replaces the line editing of a terminal for commands behind a pipe: echoes typed text, deletes with Backspace, sends with Enter, and
 * handles Ctrl+C, Ctrl+D, and Ctrl+U.
 */
export class LineInput {
  private line: string[] = [];

  /** Handles typed or pasted text from an editor terminal. */
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
