import { html, render } from 'lit-html';
import * as l10n from '@vscode/l10n';
import type { PageContext } from '../state/pageContext';
import { type ToolCallView } from '../entries/toolCall';
import { isQuiet, summaryOf } from '../entries/toolLabel';
import { icon } from '../base/icon';

/** Minimum number of consecutive calls to fold. */
const least = 3;

interface Group {
  readonly element: HTMLElement;
  readonly key: string;
  members: ToolCallView[];
}

/**
 * Folds three or more consecutive finished reads and searches into a summary row as soon as something else follows. Calls that the user
 * opened or is using stay visible. Members stay in place and are hidden.
 */
export class ReadGroups {
  private readonly context: PageContext;
  private readonly viewOf: (element: Element | null) => ToolCallView | undefined;
  private readonly groups = new Map<Element, Group>();

  /** `viewOf` returns the tool call of an element in the list. */
  constructor(context: PageContext, viewOf: (element: Element | null) => ToolCallView | undefined) {
    this.context = context;
    this.viewOf = viewOf;
  }

  /** Updates the groups around an entry that changed or was added. */
  look(element: Element): void {
    const run = this.runAround(element);
    if (run.length === 0) return;
    const first = run[0];
    const last = run.at(-1);
    const next = last?.element.nextElementSibling;
    // Rows that aren't on the page follow in a gap.
    const isFollowed = next?.tagName === 'ARTICLE' || next?.classList.contains('pl-gap') === true;
    if (
      !first ||
      run.length < least ||
      !isFollowed ||
      (!this.wasOpened(first) && run.some((view) => this.isBusy(view)))
    ) {
      // Entries of a group that is no longer valid are shown individually.
      for (const view of run) this.leave(view);
      return;
    }
    const existing = run.map((view) => this.groupOf(view)).find((group) => group !== undefined);
    const group = existing ?? this.create(first);
    for (const view of group.members) if (!run.includes(view)) this.leave(view);
    group.members = run;
    for (const view of run) this.groups.set(view.element, group);
    if (first.element.previousElementSibling !== group.element) first.element.before(group.element);
    this.draw(group);
  }

  /** Opens or closes a group by its summary row. Returns whether `element` is one. */
  toggle(element: Element): boolean {
    const group = [...this.groups.values()].find((candidate) => candidate.element === element);
    if (!group) return false;
    this.context.setExpanded(group.key, !this.isOpen(group));
    this.draw(group);
    return true;
  }

  /** Removes an entry that no longer exists, or is shown individually from now on. */
  leave(view: ToolCallView): void {
    const group = this.groups.get(view.element);
    if (!group) return;
    this.groups.delete(view.element);
    view.element.hidden = false;
    view.element.classList.remove('grouped');
    group.members = group.members.filter((member) => member !== view);
    if (group.members.length === 0) group.element.remove();
  }

  /** Opens the group that hides an element, so that the user can be taken to it. */
  reveal(element: Element): void {
    const group = this.groups.get(element);
    if (!group || this.isOpen(group)) return;
    this.context.setExpanded(group.key, true);
    this.draw(group);
  }

  clear(): void {
    this.groups.clear();
  }

  private groupOf(view: ToolCallView): Group | undefined {
    return this.groups.get(view.element);
  }

  private runAround(element: Element): ToolCallView[] {
    const own = this.viewOf(element);
    const start = own && isQuiet(own.entry) ? element : this.step(element, 'previousElementSibling');
    const run: ToolCallView[] = [];
    for (let at = start; at; at = this.step(at, 'previousElementSibling')) {
      const view = this.viewOf(at);
      if (!view || !isQuiet(view.entry)) break;
      run.unshift(view);
    }
    for (let at = start && this.step(start, 'nextElementSibling'); at; at = this.step(at, 'nextElementSibling')) {
      const view = this.viewOf(at);
      if (!view || !isQuiet(view.entry)) break;
      run.push(view);
    }
    return run;
  }

  /** Returns the next entry in a direction. Summary rows aren't entries. */
  private step(element: Element, direction: 'nextElementSibling' | 'previousElementSibling'): Element | null {
    const next = element[direction];
    return next?.classList.contains('pl-group') ? next[direction] : next;
  }

  private isBusy(view: ToolCallView): boolean {
    if (this.groups.has(view.element)) return false;
    return (
      this.context.isExpanded(view.entry.id) === true ||
      view.element.contains(document.activeElement) ||
      view.children.childElementCount > 0
    );
  }

  /** Returns whether the user has opened a group that begins with a call. It may have left the page in between. */
  private wasOpened(first: ToolCallView): boolean {
    return this.context.isExpanded(keyOf(first)) === true;
  }

  private isOpen(group: Group): boolean {
    return this.context.isExpanded(group.key) ?? false;
  }

  private create(first: ToolCallView): Group {
    const element = document.createElement('article');
    element.className = 'pl-tool pl-group';
    element.tabIndex = 0;
    return { element, key: keyOf(first), members: [] };
  }

  private draw(group: Group): void {
    const isOpen = this.isOpen(group);
    const label = summaryOf(group.members.map(({ entry }) => entry));
    group.element.setAttribute('aria-label', l10n.t('Tool call: {0}', label));
    group.element.classList.toggle('unfolded', isOpen);
    render(
      html`<div class="head">
        <button
          type="button"
          class="tog"
          tabindex="-1"
          aria-expanded=${isOpen}
          @click=${() => this.toggle(group.element)}
        >
          ${icon('checklist')}<span class="lbl"><span class="o">${label}</span></span
          >${icon('chevron-right', 'chev')} <span class="end"><span class="sr">${l10n.t('completed')}</span></span>
        </button>
      </div>`,
      group.element,
    );
    for (const { element } of group.members) {
      element.hidden = !isOpen;
      element.classList.toggle('grouped', true);
    }
  }
}

function keyOf(first: ToolCallView): string {
  return `group ${first.entry.id}`;
}
