import type { RenderTask } from '../../base/renderQueue';
import type { EntryViews } from './entryViews';
import type { ShownTranscript } from './shownTranscript';

/**
 * Numbers the entries on the page for screen readers: the place of each in the whole session, with the entries that aren't on the page
 * (https://www.w3.org/WAI/ARIA/apg/patterns/feed).
 */
export class Positions implements RenderTask {
  private readonly views: EntryViews;
  private readonly shown: ShownTranscript;

  constructor(views: EntryViews, shown: ShownTranscript) {
    this.views = views;
    this.shown = shown;
  }

  step(): boolean {
    const { shown } = this;
    if (shown.isEmpty) return true;
    const { order } = shown.transcript;
    const size = String(shown.omitted + order.length);
    for (const [index, id] of order.entries()) {
      const element = this.views.get(id)?.element;
      if (!element) continue;
      const place = String(shown.omitted + index + 1);
      number(element, place, size);
      // A summary row is at the place of the first call in it.
      const before = element.previousElementSibling;
      if (before?.classList.contains('pl-group')) number(before, place, size);
    }
    return true;
  }
}

function number(element: Element, place: string, size: string): void {
  if (element.getAttribute('aria-posinset') !== place) element.setAttribute('aria-posinset', place);
  if (element.getAttribute('aria-setsize') !== size) element.setAttribute('aria-setsize', size);
}
