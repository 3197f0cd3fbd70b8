import type { PageContext } from '../state/pageContext';
import { handleLinkKey } from './transcriptClicks';

const moves = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End']);

/** The list functions that key handling needs. */
export interface KeyTarget {
  readonly feed: HTMLElement;
  readonly context: PageContext;
  /** Opens or closes the entry of an article. */
  toggle(article: HTMLElement): boolean;
  /** Puts the entries on the page that a key may move to. */
  prepare(article: HTMLElement | undefined, key: string): void;
  /** Goes to the next or the previous message of the user. */
  stepTurn(by: 1 | -1): void;
  /** Copies the entry of an article as Markdown. */
  copy(article: HTMLElement): void;
}

/**
 * Handles keys in the transcript as in https://www.w3.org/WAI/ARIA/apg/patterns/feed: arrow keys move between articles, and Enter opens
 * one. Escape returns to the composer, from here as from every other place on the page.
 */
export function handleKey(event: KeyboardEvent, list: KeyTarget): void {
  if (event.defaultPrevented || event.isComposing) return;
  if (handleTurnKey(event, list) || handleCopyKey(event, list)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (handleLinkKey(event, list.context)) return;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return;
  // Inside an entry, keys belong to the focused element.
  const isArticle = target.tagName === 'ARTICLE';
  if (!isArticle && target !== list.feed) return;
  if (isArticle && (event.key === 'Enter' || event.key === ' ')) {
    if (list.toggle(target)) event.preventDefault();
    return;
  }
  if (moves.has(event.key)) list.prepare(isArticle ? target : undefined, event.key);
  const next = nextArticle(list.feed, isArticle ? target : undefined, event.key);
  if (!next) return;
  event.preventDefault();
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
}

function handleTurnKey(event: KeyboardEvent, list: KeyTarget): boolean {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return false;
  if (event.target instanceof Element && event.target.closest('input, textarea, select')) return false;
  event.preventDefault();
  event.stopPropagation();
  list.stepTurn(event.key === 'ArrowUp' ? -1 : 1);
  return true;
}

/** Copies the entry that has the focus, unless something is selected. */
function handleCopyKey(event: KeyboardEvent, list: KeyTarget): boolean {
  if (event.key !== 'c' || event.altKey || event.shiftKey || event.ctrlKey === event.metaKey) return false;
  const { target } = event;
  if (!(target instanceof HTMLElement) || target.tagName !== 'ARTICLE') return false;
  if (document.getSelection()?.isCollapsed === false) return false;
  event.preventDefault();
  event.stopPropagation();
  list.copy(target);
  return true;
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

function shownArticles(feed: HTMLElement): HTMLElement[] {
  return [...feed.querySelectorAll('article')].filter((article) => article.closest('[hidden]') === null);
}

/** Moves the focus to the newest entry. Returns whether there is one. */
export function focusNewest(feed: HTMLElement): boolean {
  const newest = shownArticles(feed).at(-1);
  newest?.focus({ preventScroll: true });
  newest?.scrollIntoView({ block: 'nearest' });
  return newest !== undefined;
}
