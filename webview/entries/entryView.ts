import type { RequestKey, SessionKey, TerminalId } from '../../src/shared/ids';
import type { Entry, Transcript } from '../../src/shared/transcript';
import type { PageContext } from '../state/pageContext';
import type { RenderQueue, RenderTask } from '../base/renderQueue';
import type { TerminalOutput } from '../terminal/terminalView';
import type { Viewport } from '../base/viewport';

/** Text that was appended to one block of a message since the view last saw it. */
export interface AppendedText {
  readonly block: number;
  readonly text: string;
}

/** What entries need of the list they stand in. */
export interface EntryScope {
  readonly context: PageContext;
  readonly queue: RenderQueue;
  readonly viewport: Viewport;
  readonly session: SessionKey;
  readonly transcript: Transcript;
  /** Whether something may fold away by itself now: not while the user reads, selects, hovers or has focus in it. */
  mayFold(element: HTMLElement): boolean;
  /** Whether nothing is expected to be added to this entry for now. */
  isSettled(entry: Entry): boolean;
  /** Whether a running entry may show motion: only the newest does. */
  mayAnimate(view: EntryView): boolean;
  terminalOutput(id: TerminalId): TerminalOutput | undefined;
  /** Says a request to screen readers, once. */
  announceRequest(request: RequestKey, sentence: string): void;
}

/** One entry on the page. `set` is cheap and only notes what is new; `step` draws. */
export abstract class EntryView implements RenderTask {
  readonly element = document.createElement('article');
  protected readonly scope: EntryScope;

  constructor(scope: EntryScope) {
    this.scope = scope;
    this.element.tabIndex = 0;
  }

  abstract readonly entry: Entry;

  /** Takes the entry's newest state; `appended` is set when appended text is all that is new. */
  abstract set(entry: Entry, appended?: readonly AppendedText[]): void;

  abstract step(deadline: number): boolean;

  /** Draws again because something outside of the entry changed: time, a plan, a terminal, its neighbours. */
  refresh(): void {
    this.scope.queue.add(this);
  }

  /** Opens or closes the entry, if it can. Returns whether it can. */
  toggle(): boolean {
    return false;
  }

  dispose(): void {
    this.scope.queue.delete(this);
    this.element.remove();
  }
}
