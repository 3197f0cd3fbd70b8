import type { EntryId } from '../../../src/shared/values/ids';
import type { Entry } from '../../../src/shared/transcript/transcript';
import { ElicitationView } from '../../entries/card/elicitationEntry';
import type { EntryView } from '../../entries/view/entryView';
import { ToolCallView } from '../../entries/toolCall/toolCall';
import type { PageContext } from '../../state/pageContext';
import type { EntryViews } from '../rows/entryViews';
import type { ReadGroups } from '../rows/readGroups';

/** Returns the articles in sight or out of sight, but not those that are hidden. */
export function shownArticles(feed: HTMLElement): HTMLElement[] {
  return [...feed.querySelectorAll('article')].filter((article) => article.closest('[hidden]') === null);
}

/** Moves the focus to the newest entry. Returns whether there is one. */
export function focusNewest(feed: HTMLElement): boolean {
  const newest = shownArticles(feed).at(-1);
  newest?.focus({ preventScroll: true });
  newest?.scrollIntoView({ block: 'nearest' });
  return newest !== undefined;
}

/** Moves the focus to the group of the oldest open request. Returns whether there is one. */
export function focusOldestRequest(order: readonly EntryId[], views: EntryViews): boolean {
  for (const id of order) {
    const view = views.get(id);
    if (view instanceof ElicitationView && view.isOpen) {
      view.focusRequest();
      return true;
    }
    if (!(view instanceof ToolCallView) || view.entry.permission.state !== 'asked') continue;
    views.parentOf(view)?.step();
    view.showRequest();
    view.permission?.element.scrollIntoView({ block: 'nearest' });
    view.permission?.element.focus({ preventScroll: true });
    return view.permission !== undefined;
  }
  return false;
}

/** Scrolls to an entry, opens the row that may hide it, and moves the focus to it. */
export function focusEntry(view: EntryView, views: EntryViews, groups: ReadGroups): void {
  scrollToEntry(view, views, groups);
  view.element.focus({ preventScroll: true });
}

/** Scrolls to an entry and opens the row that may hide it. */
export function scrollToEntry(view: EntryView, views: EntryViews, groups: ReadGroups): void {
  groups.reveal(view.element);
  const parent = views.parentOf(view);
  if (parent?.children.hidden) parent.toggle();
  parent?.step();
  const feed = view.element.closest('.pl-feed');
  if (!feed) return;
  // `scrollIntoView` would scroll VS Code's own element around the page, too, which is a few pixels higher than the page.
  const { top } = feed.getBoundingClientRect();
  feed.scrollTop += view.element.getBoundingClientRect().top - top - feed.clientTop;
}

/** Which entries fold. */
const folds: Readonly<Record<Entry['kind'], boolean>> = {
  user_message: true,
  agent_message: false,
  agent_thought: true,
  tool_call: true,
  plan: false,
  notice: false,
  compaction: true,
  elicitation: false,
  error: false,
  login: false,
  subagent: false,
};

/** Opens an entry and the row that it is below. */
export function openEntry(view: EntryView, views: EntryViews, context: PageContext): void {
  const row = views.parentOf(view);
  for (const one of row ? [row, view] : [view]) {
    const { id, kind } = one.entry;
    if (one !== row && !folds[kind]) continue;
    context.setExpanded(id, true);
    one.refresh();
  }
}
