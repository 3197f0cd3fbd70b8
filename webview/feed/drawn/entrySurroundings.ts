import type { EntryId, RequestKey, SessionKey, TerminalId } from '../../../src/shared/values/ids';
import type { Entry, Transcript } from '../../../src/shared/transcript/transcript';
import type { RenderQueue } from '../../base/renderQueue';
import type { Viewport } from '../../base/viewport';
import { isUrgent, type EntriesBelow, type EntryScope, type EntryView } from '../../entries/view/entryView';
import { isSettled } from '../../entries/view/speaker';
import type { PageContext } from '../../state/pageContext';
import type { TerminalOutput } from '../../terminal/terminalView';
import type { LiveEntries } from './liveEntries';
import type { PathLinks } from './pathLinks';
import type { Rows } from '../rows/rows';
import type { Scroller } from '../scroll/scroller';
import type { ShownTranscript } from '../rows/shownTranscript';
import type { Terminals } from './terminals';

/** The parts of the transcript's list around its entries. */
interface Surroundings {
  readonly context: PageContext;
  readonly queue: RenderQueue;
  readonly viewport: Viewport;
  readonly paths: PathLinks;
  readonly shown: ShownTranscript;
  readonly rows: Rows;
  readonly live: LiveEntries;
  readonly scroller: Scroller;
  readonly terminals: Terminals;
}

/** What an entry asks the list that it is in, and what entries have already said to screen readers. */
export class EntrySurroundings implements EntryScope {
  readonly context: PageContext;
  readonly queue: RenderQueue;
  readonly viewport: Viewport;
  readonly paths: PathLinks;
  private readonly shown: ShownTranscript;
  private readonly rows: Rows;
  private readonly live: LiveEntries;
  private readonly scroller: Scroller;
  private readonly terminals: Terminals;
  private readonly announced = new Set<RequestKey>();
  private readonly said = new Set<string>();

  constructor({ context, queue, viewport, paths, shown, rows, live, scroller, terminals }: Surroundings) {
    this.context = context;
    this.queue = queue;
    this.viewport = viewport;
    this.paths = paths;
    this.shown = shown;
    this.rows = rows;
    this.live = live;
    this.scroller = scroller;
    this.terminals = terminals;
  }

  get session(): SessionKey {
    return this.shown.session;
  }

  get transcript(): Transcript {
    return this.shown.transcript;
  }

  mayFold(element: HTMLElement): boolean {
    return this.scroller.isFollowing && !this.scroller.isUserBusy() && !element.matches(':hover');
  }

  mayAnimate(view: EntryView): boolean {
    return this.live.isNewest(view);
  }

  isSettled(entry: Entry): boolean {
    return isSettled(this.transcript, entry);
  }

  below(id: EntryId): EntriesBelow {
    const row = this.rows.get(id);
    const entries = row?.id === id ? row.below.flatMap((one) => this.rows.entryOf(one) ?? []) : [];
    return {
      count: entries.length,
      calls: entries.filter(({ kind }) => kind === 'tool_call' || kind === 'subagent').length,
      isUrgent: entries.some(isUrgent),
    };
  }

  terminalOutput(id: TerminalId): TerminalOutput | undefined {
    return this.terminals.output(id, this.transcript, this.session);
  }

  announceRequest(request: RequestKey, sentence: string): void {
    if (this.announced.has(request)) return;
    this.announced.add(request);
    this.context.alert(sentence);
  }

  isFirstTime(key: string): boolean {
    const isFirst = !this.said.has(key);
    this.said.add(key);
    return isFirst;
  }

  /** Another session is shown, whose entries have said nothing yet. */
  forget(): void {
    this.said.clear();
  }
}
