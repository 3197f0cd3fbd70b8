/** What to do with queries to the terminal, because its answers would be typed into the command. */
export interface EscapeFilterOptions {
  /** `keep` if a running command may query its terminal; `drop` for recorded output. */
  readonly queries: 'keep' | 'drop';
}

/** Characters that may begin a sequence: ESC, the C1 controls, and ENQ, which queries the terminal's name. */
const special = /[\x05\x1b\x80-\x9f]/gu;
/** Private modes in which the terminal sends input on its own: mouse and focus reports. */
const reportingModes = new Set(['9', '1000', '1001', '1002', '1003', '1004', '1005', '1006', '1015', '1016']);
/** Maximum length of a control sequence. Longer ones aren't control sequences. */
const longestSequence = 256;

type State =
  | { readonly in: 'text' }
  /** After ESC. `held` is the sequence up to here. */
  | { readonly in: 'escape'; held: string }
  | { readonly in: 'control'; held: string }
  /** Inside a dropped string. A string that should be short also ends with its line, in case its terminator is missing. */
  | { readonly in: 'string'; readonly ends: 'line' | 'terminator'; escaped: boolean };

/**
 * Removes sequences from a command's output that may affect more than the terminal's own screen: titles, links, the clipboard,
 * notifications, images, color tables, and all other OSC, DCS, APC, PM, and SOS strings, window operations, and printing. Colors, cursor
 * movements, and screen control pass. A sequence split over chunks is held back until it is complete. Text is never lost.
 */
export class EscapeFilter {
  private readonly keepQueries: boolean;
  private state: State = { in: 'text' };

  constructor(options: EscapeFilterOptions) {
    this.keepQueries = options.queries === 'keep';
  }

  filter(chunk: string): string {
    const out: string[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (this.state.in === 'text') {
        // Passes runs of plain text in one piece, because most output is plain text.
        special.lastIndex = at;
        const end = special.exec(chunk)?.index ?? chunk.length;
        if (end > at) out.push(chunk.slice(at, end));
        at = end;
        if (at === chunk.length) break;
      }
      // A character outside the basic plane takes two steps. Neither half has a meaning for a terminal.
      const passed = this.step(chunk.charAt(at));
      if (passed !== '') out.push(passed);
      at += 1;
    }
    return out.join('');
  }

  private step(character: string): string {
    switch (this.state.in) {
      case 'text':
        return this.inText(character);
      case 'escape':
        return this.inEscape(this.state, character);
      case 'control':
        return this.inControl(this.state, character);
      case 'string':
        return this.inString(this.state, character);
    }
  }

  private inText(character: string): string {
    switch (character) {
      case '\x1b':
        this.state = { in: 'escape', held: character };
        return '';
      case '\x9b':
        // The one-character forms have the same meaning, but terminals differ in whether they support them.
        this.state = { in: 'control', held: '\x1b[' };
        return '';
      case '\x9d':
        this.state = { in: 'string', ends: 'line', escaped: false };
        return '';
      case '\x90':
      case '\x98':
      case '\x9e':
      case '\x9f':
        this.state = { in: 'string', ends: 'terminator', escaped: false };
        return '';
      case '\x05':
      case '\x9a':
      case '\x9c':
        // The first two query the terminal's identity; the last ends a string that wasn't started.
        return '';
      default:
        return character;
    }
  }

  private inEscape(state: { held: string }, character: string): string {
    if (state.held === '\x1b') {
      switch (character) {
        case '[':
          this.state = { in: 'control', held: '\x1b[' };
          return '';
        case ']':
        case 'k':
          this.state = { in: 'string', ends: 'line', escaped: false };
          return '';
        case 'P':
        case 'X':
        case '^':
        case '_':
          this.state = { in: 'string', ends: 'terminator', escaped: false };
          return '';
      }
    }
    if (character >= ' ' && character <= '/' && state.held.length < longestSequence) {
      state.held += character;
      return '';
    }
    if (character < ' ' || character > '~') return this.abandon(character);
    this.state = { in: 'text' };
    const sequence = state.held + character;
    if (sequence === '\x1b\\') return '';
    return sequence === '\x1bZ' && !this.keepQueries ? '' : sequence;
  }

  private inControl(state: { held: string }, character: string): string {
    if (character >= '@' && character <= '~') {
      this.state = { in: 'text' };
      const sequence = state.held + character;
      return isAllowed(sequence.slice(2), this.keepQueries) ? sequence : '';
    }
    if (character >= ' ' && character <= '?' && state.held.length < longestSequence) {
      state.held += character;
      return '';
    }
    // Control characters inside a sequence take effect immediately and don't end it.
    if (character < ' ' && !'\x18\x1a\x1b\x05'.includes(character)) return character;
    return this.abandon(character);
  }

  private inString(state: { readonly ends: 'line' | 'terminator'; escaped: boolean }, character: string): string {
    if (state.escaped) {
      this.state = { in: 'text' };
      if (character === '\\') return '';
      // Any other escape sequence ends the string and is processed, too.
      this.state = { in: 'escape', held: '\x1b' };
      return this.step(character);
    }
    switch (character) {
      case '\x1b':
        state.escaped = true;
        return '';
      case '\x07':
        // Ends only the short kinds. In all others, it is data.
        if (state.ends === 'line') this.state = { in: 'text' };
        return '';
      case '\x9c':
      case '\x18':
      case '\x1a':
        this.state = { in: 'text' };
        return '';
      case '\r':
      case '\n':
        if (state.ends === 'terminator') return '';
        this.state = { in: 'text' };
        return character;
      default:
        return '';
    }
  }

  /** Drops an invalid sequence. The character that made it invalid is processed. */
  private abandon(character: string): string {
    this.state = { in: 'text' };
    return character === '\x18' || character === '\x1a' ? '' : this.inText(character);
  }
}

/** Returns whether a control sequence, given without its introducer, may reach the screen. */
function isAllowed(body: string, keepQueries: boolean): boolean {
  const final = body.at(-1);
  const prefix = /^[<=>?]/u.exec(body)?.[0] ?? '';
  const intermediate = /[ -/]+(?=.$)/u.exec(body)?.[0] ?? '';
  // Window operations (including titles), printing, and graphics attributes.
  if (final === 't' && intermediate === '') return false;
  if (final === 'i') return false;
  if (final === 'S' && prefix !== '') return false;
  if (keepQueries) return true;
  switch (final) {
    case 'c':
    case 'n':
    case 'x':
      return intermediate !== '';
    case 'p':
      return intermediate !== '$';
    case 'q':
      return prefix !== '>';
    case 'u':
      return prefix !== '?';
    case 'h':
    case 'l':
      // Recorded output has no program to receive an answer.
      return !(
        prefix === '?' &&
        body
          .slice(1, -1)
          .split(';')
          .some((mode) => reportingModes.has(mode))
      );
    default:
      return true;
  }
}
