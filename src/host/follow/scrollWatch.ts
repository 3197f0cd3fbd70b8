/** What an editor shows: lines starting at 1, and the version of its text. */
export interface Sight {
  readonly first: number;
  readonly last: number;
  readonly version: number;
}

/** How far a place may move from the middle, in lines, before that counts as scrolling. */
const slack = 1.5;

/**
 * Tells the user's scrolling from everything else that moves lines. The editor brings a line to the middle, so whoever
 * moves it away from there without a change of the text is the user.
 */
export class ScrollWatch {
  private readonly line: number;
  private known: { readonly distance: number; readonly lines: number; readonly version: number } | undefined;

  constructor(line: number) {
    this.line = line;
  }

  /** Returns whether the user has scrolled away. Call it each time that other lines are shown. */
  isScrolled({ first, last, version }: Sight): boolean {
    const isInSight = this.line >= first && this.line <= last;
    const { known } = this;
    const now = { distance: Math.abs(this.line - (first + last) / 2), lines: last - first, version };
    // Before the line is in sight, the editor is on its way there.
    this.known = isInSight ? now : undefined;
    if (known?.version !== version) return false;
    if (!isInSight) return true;
    // A panel that opens or closes changes the number of lines.
    return Math.abs(now.lines - known.lines) <= 1 && now.distance > known.distance + slack;
  }
}
