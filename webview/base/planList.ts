import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import type { PlanItem } from '../../src/shared/transcript/transcript';
import { icon } from './icon';

/** Returns a plan's progress: the number of completed items, the total, and the current one. Cancelled items don't count. */
export function planProgress(items: readonly PlanItem[]): { done: number; total: number; current: string } {
  const counted = items.filter((item) => item.status !== 'cancelled');
  const done = counted.filter((item) => item.status === 'completed').length;
  const current =
    counted.find((item) => item.status === 'in_progress') ?? counted.find((item) => item.status === 'pending');
  return { done, total: counted.length, current: current?.content ?? l10n.t('All done') };
}

/** Renders the items of a plan. When folded, the list stays for screen readers. */
export function planList(items: readonly PlanItem[], name: string, open: boolean): TemplateResult {
  return html`<ul
    ${ref(open ? showCurrent : undefined)}
    class=${open ? 'pl-plan' : 'pl-plan sr'}
    role="list"
    aria-label=${name}
    tabindex=${open ? 0 : -1}
  >
    ${items.map((item) => html`<li role="listitem" class=${classOf(item)}>${mark(item)}<span>${item.content}</span><span class="sr">${statusWords(item)}</span></li>`)}
  </ul>`;
}

/** Scrolls a list that opens to the item that is in progress. */
function showCurrent(list: Element | undefined): void {
  queueMicrotask(() => {
    const now = list?.querySelector<HTMLElement>(':scope > .now');
    if (list && now) list.scrollTop = now.offsetTop - list.clientHeight / 2;
  });
}

/** Returns the path of a `file:` URI (on Windows, without the slash before the drive). Anything else is returned unchanged. */
export function planPath(uri: string): string {
  if (!uri.startsWith('file:')) return uri;
  try {
    return decodeURIComponent(new URL(uri).pathname).replace(/^\/(?=[A-Za-z]:)/, '');
  } catch {
    // The text isn't a URI, so it is the best available name.
    return uri;
  }
}

function classOf(item: PlanItem): string {
  return { completed: 'done', in_progress: 'now', cancelled: 'done', pending: '' }[item.status];
}

function mark(item: PlanItem): TemplateResult {
  switch (item.status) {
    case 'completed':
      return icon('pass');
    case 'in_progress':
      return icon('circle-large-filled', 'run');
    case 'cancelled':
      return icon('circle-slash');
    case 'pending':
      return icon('circle-large');
  }
}

function statusWords(item: PlanItem): string {
  switch (item.status) {
    case 'completed':
      return l10n.t('completed');
    case 'in_progress':
      return l10n.t('in progress');
    case 'cancelled':
      return l10n.t('cancelled');
    case 'pending':
      return l10n.t('pending');
  }
}
