import * as l10n from '@vscode/l10n';
import type { EntryId, RequestKey, SessionKey, TerminalId } from '../../../src/shared/values/ids';
import { isAtWork } from '../../../src/shared/transcript/lateWork';
import { isWaitingForAnswer, wasRejected } from '../../../src/shared/transcript/openQuestion';
import type { TurnFiles } from '../../../src/shared/pages/messages';
import type { Entry, Transcript } from '../../../src/shared/transcript/transcript';
import type { TurnSummary } from '../../../src/shared/amounts/turnSummary';
import type { PageContext } from '../../state/pageContext';
import type { RenderQueue, RenderTask } from '../../base/renderQueue';
import type { TerminalOutput } from '../../terminal/terminalView';
import type { BlockReader } from '../../markdown/markdownStream';
import { TurnFooter } from './turnFooter';
import { turnWork, type TurnWork } from './turnWork';
import type { Viewport } from '../../base/viewport';

/** Text appended to one block of a message since the view's last update. */
export interface AppendedText {
  readonly block: number;
  readonly text: string;
}

/** The entries below a row. Not all of them are on the page. */
export interface EntriesBelow {
  readonly count: number;
  /** How many of them are tool calls or subagents. */
  readonly calls: number;
  /** Whether one of them has an open request or has failed, and must not be hidden in a folded row. */
  readonly isUrgent: boolean;
}

/** Returns whether an entry must not be hidden in a folded row: it has an open request or has failed. */
export function isUrgent(entry: Entry): boolean {
  if (isWaitingForAnswer(entry)) return true;
  if (entry.kind === 'subagent') return entry.stopReason === 'error';
  return entry.kind === 'tool_call' && entry.status === 'failed' && !wasRejected(entry);
}

/** The list functions that entries need. */
export interface EntryScope {
  readonly context: PageContext;
  readonly queue: RenderQueue;
  readonly viewport: Viewport;
  /** Makes links of the paths in agents' texts. */
  readonly paths: BlockReader;
  readonly session: SessionKey;
  readonly transcript: Transcript;
  /** Whether an element may fold automatically: not while the user reads it, selects or hovers it, or has the focus in it. */
  mayFold(element: HTMLElement): boolean;
  /** Whether nothing more is expected in this entry for now. */
  isSettled(entry: Entry): boolean;
  /** Returns what is below an entry's row. */
  below(id: EntryId): EntriesBelow;
  /** Whether a running entry may be animated: only the newest may. */
  mayAnimate(view: EntryView): boolean;
  terminalOutput(id: TerminalId): TerminalOutput | undefined;
  /** Whether this is called for the first time with a key in this session. Views come and go, but say something only once. */
  isFirstTime(key: string): boolean;
  /** Announces a request to screen readers, once. */
  announceRequest(request: RequestKey, sentence: string): void;
}

/** An entry on the page. `set` is cheap and only records what is new; `step` draws. */
export abstract class EntryView implements RenderTask {
  readonly element = document.createElement('article');
  protected readonly scope: EntryScope;
  private done:
    { readonly summary: TurnSummary; readonly recorded: TurnFiles | undefined; readonly work: TurnWork } | undefined;
  private footer: TurnFooter | undefined;

  constructor(scope: EntryScope) {
    this.scope = scope;
    this.element.tabIndex = 0;
  }

  abstract readonly entry: Entry;

  /** Updates the entry. `appended` is set if appended text is the only change. */
  abstract set(entry: Entry, appended?: readonly AppendedText[]): void;

  abstract step(deadline: number): boolean;

  /** Shows the end of a turn below the entry if it is the last one of a finished turn. */
  showTurnEnd(entry: Entry): void {
    const { turnSummary } = entry;
    if (!turnSummary) {
      this.footer?.set(undefined);
      return;
    }
    const { context, session, transcript } = this.scope;
    const { turn } = entry;
    // What the tool calls of an ended turn did doesn't change.
    const recorded = context.restores.filesOf(session, turn);
    if (this.done?.summary !== turnSummary || this.done.recorded !== recorded) {
      this.done = { summary: turnSummary, recorded, work: turnWork(transcript, turn, recorded) };
    }
    const { work } = this.done;
    const mayReview = work.files.some((path) => context.hasChanges(path));
    const redo = context.redo?.turn === turn && !mayReview ? context.redo : undefined;
    this.footer ??= new TurnFooter(this.element);
    this.footer.set({
      summary: turnSummary,
      work,
      above: entry.kind === 'notice' ? entry.title : undefined,
      agent: transcript.view.agentName,
      locale: context.page.locale,
      undone: redo?.files,
      actions: {
        redo: () => context.post({ type: 'reviewChanges', session, action: 'redo', scope: turn }),
        review: mayReview
          ? (action) => context.post({ type: 'reviewChanges', session, action, scope: turn })
          : undefined,
        list: () => context.showChanges(),
        commit: () => context.post({ type: 'commit', session, turn }),
        bring: this.canBring(turn)
          ? () => context.post({ type: 'useFolder', session, action: 'bringChanges' })
          : undefined,
        copy: () => context.post({ type: 'copyMarkdown', session, entry: entry.id, scope: 'turn' }),
      },
    });
  }

  /** Returns whether the changes of the session can be brought here, at the end of its last turn. */
  private canBring(turn: number): boolean {
    const { context, session, transcript } = this.scope;
    const { order, entries, view } = transcript;
    const last = order.at(-1);
    if (isAtWork(view) || (last !== undefined && (entries.get(last)?.turn ?? 0) > turn)) return false;
    return context.page.sessions.find((one) => one.session === session)?.folder?.canBring === true;
  }

  /** The line that shows the end of a turn, if there is one. */
  protected get turnEnd(): HTMLElement | undefined {
    return this.footer?.element;
  }

  /** Marks an entry that is from an earlier session. */
  showOrigin(entry: Entry): void {
    const { element } = this;
    const earlier = entry.earlier === true;
    if (element.hasAttribute('data-earlier') === earlier) return;
    element.toggleAttribute('data-earlier', earlier);
    if (earlier) element.setAttribute('aria-description', l10n.t('From the earlier session'));
    else element.removeAttribute('aria-description');
  }

  /** Draws the entry again because something outside it changed: time, a plan, a terminal, or its neighbors. */
  refresh(): void {
    this.scope.queue.add(this);
  }

  /** Whether all details are shown. What the user folds then has keys of its own, so that other levels stay as they were. */
  protected get showsEverything(): boolean {
    return this.scope.context.page.toolDetail === 'everything';
  }

  /** Opens or closes the entry. Returns whether the entry supports it. */
  toggle(): boolean {
    return false;
  }

  dispose(): void {
    this.scope.queue.delete(this);
    this.element.remove();
  }
}
