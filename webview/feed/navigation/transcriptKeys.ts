import type { PageContext } from '../../state/pageContext';
import type { EntryViews } from '../rows/entryViews';
import { shownArticles } from './goTo';
import type { ReadGroups } from '../rows/readGroups';
import type { Rows } from '../rows/rows';
import type { RowWindow } from '../rows/rowWindow';
import type { ShownTranscript } from '../rows/shownTranscript';
import { handleLinkKey } from './transcriptClicks';
import type { TranscriptNavigation } from './transcriptNavigation';

const moves = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End']);

/** The parts of the transcript's list that keys work on. */
interface KeyParts {
  readonly feed: HTMLElement;
  readonly context: PageContext;
  readonly shown: ShownTranscript;
  readonly rows: Rows;
  readonly views: EntryViews;
  readonly groups: ReadGroups;
  readonly window: RowWindow;
  readonly navigation: TranscriptNavigation;
}

/**
 * The keys in the transcript as in https://www.w3.org/WAI/ARIA/apg/patterns/feed: arrow keys move between articles, and Enter opens
 * one. Escape returns to the composer, from here as from every other place on the page.
 */
export class TranscriptKeys {
  private readonly parts: KeyParts;

  constructor(parts: KeyParts) {
    this.parts = parts;
  }

  handle(event: KeyboardEvent): void {
    const { feed, context } = this.parts;
    if (event.defaultPrevented || event.isComposing) return;
    if (this.handleTurnKey(event) || this.handleCopyKey(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (handleLinkKey(event, context)) return;
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    // Inside an entry, keys belong to the focused element.
    const isArticle = target.tagName === 'ARTICLE';
    if (!isArticle && target !== feed) return;
    if (isArticle && (event.key === 'Enter' || event.key === ' ')) {
      if (this.toggle(target)) event.preventDefault();
      return;
    }
    if (moves.has(event.key)) this.prepare(isArticle ? target : undefined, event.key);
    const next = nextArticle(feed, isArticle ? target : undefined, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'nearest' });
  }

  private handleTurnKey(event: KeyboardEvent): boolean {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return false;
    if (event.target instanceof Element && event.target.closest('input, textarea, select')) return false;
    event.preventDefault();
    event.stopPropagation();
    this.parts.navigation.stepTurn(event.key === 'ArrowUp' ? -1 : 1);
    return true;
  }

  /** Copies the entry that has the focus as Markdown, unless something is selected. */
  private handleCopyKey(event: KeyboardEvent): boolean {
    if (event.key !== 'c' || event.altKey || event.shiftKey || event.ctrlKey === event.metaKey) return false;
    const { target } = event;
    if (!(target instanceof HTMLElement) || target.tagName !== 'ARTICLE') return false;
    if (document.getSelection()?.isCollapsed === false) return false;
    event.preventDefault();
    event.stopPropagation();
    const { context, shown, views } = this.parts;
    const id = views.of(target)?.entry.id;
    if (id !== undefined) context.post({ type: 'copyMarkdown', session: shown.session, entry: id, scope: 'entry' });
    return true;
  }

  /** Opens or closes the entry of an article. */
  private toggle(article: HTMLElement): boolean {
    const { groups, views } = this.parts;
    return groups.toggle(article) || (views.of(article)?.toggle() ?? false);
  }

  /** Puts the entries on the page that a key may move to. */
  private prepare(article: HTMLElement | undefined, key: string): void {
    const { window, rows } = this.parts;
    if (article) window.surround(article);
    const id = key === 'Home' ? rows.all[0]?.id : key === 'End' ? rows.all.at(-1)?.id : undefined;
    if (id !== undefined) window.reveal(id);
  }
}

function nextArticle(feed: HTMLElement, from: HTMLElement | undefined, key: string): HTMLElement | undefined {
  if (!moves.has(key)) return undefined;
  const articles = shownArticles(feed);
  if (key === 'Home') return from ? articles[0] : undefined;
  if (key === 'End') return from ? articles.at(-1) : undefined;
  if (from) return articles[articles.indexOf(from) + (key === 'ArrowDown' ? 1 : -1)];
  const { top, bottom } = feed.getBoundingClientRect();
  const inView = articles.filter((article) => {
    const box = article.getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  });
  return key === 'ArrowDown' ? inView[0] : inView.at(-1);
}
