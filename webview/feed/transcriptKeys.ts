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
}

/**
 * Handles keys in the transcript as in https://www.w3.org/WAI/ARIA/apg/patterns/feed: arrow keys move between articles, and Enter opens
 * one. Escape returns to the composer, from here as from every other place on the page.
 */
export function handleKey(event: KeyboardEvent, list: KeyTarget): void {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
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
