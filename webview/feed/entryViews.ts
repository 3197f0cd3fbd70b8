import type { EntryId, SessionId, ToolCallId } from '../../src/shared/ids';
import type { PageMemory } from '../../src/shared/messages';
import type { Entry, Transcript } from '../../src/shared/transcript';
import { createEntryView } from '../entries/createEntryView';
import type { EntryScope, EntryView } from '../entries/entryView';
import { SubagentView } from '../entries/subagentEntry';
import { ThoughtView } from '../entries/thought';
import { ToolCallView } from '../entries/toolCall';

/** A row with other entries below it. */
type Row = ToolCallView | SubagentView;

/** The elements of the entries and their places: in transcript order, with a subagent's entries below its row. */
export class EntryViews {
  /** The user's messages from top to bottom. */
  messages: HTMLElement[] = [];
  private readonly column: HTMLElement;
  /** The element that stays last in the column. */
  private readonly end: HTMLElement;
  private readonly scope: EntryScope;
  private readonly views = new Map<EntryId, EntryView>();
  private readonly byElement = new WeakMap<Element, EntryView>();
  private readonly calls = new Map<ToolCallId, ToolCallView>();
  private readonly subagents = new Map<SessionId, SubagentView>();

  constructor(column: HTMLElement, end: HTMLElement, scope: EntryScope) {
    this.column = column;
    this.end = end;
    this.scope = scope;
  }

  get(id: EntryId): EntryView | undefined {
    return this.views.get(id);
  }

  has(id: EntryId): boolean {
    return this.views.has(id);
  }

  all(): IterableIterator<EntryView> {
    return this.views.values();
  }

  of(element: Element): EntryView | undefined {
    return this.byElement.get(element);
  }

  /** Returns the tool call or thought of an element in the list. */
  step(element: Element | null): ToolCallView | ThoughtView | undefined {
    const view = element ? this.byElement.get(element) : undefined;
    return view instanceof ToolCallView || view instanceof ThoughtView ? view : undefined;
  }

  toolCall(element: Element | null): ToolCallView | undefined {
    const view = element ? this.byElement.get(element) : undefined;
    return view instanceof ToolCallView ? view : undefined;
  }

  /** Returns the first entry that extends below `top`, and the offset of `top` in it. */
  placeAt(top: number): PageMemory['scroll'] {
    for (const element of this.column.children) {
      const view = this.byElement.get(element);
      const { offsetTop, offsetHeight } = element as HTMLElement;
      if (view && offsetTop + offsetHeight > top)
        return { anchor: view.entry.id, offset: top - offsetTop, atEnd: false };
    }
    return { anchor: '', offset: 0, atEnd: true };
  }

  /** Scrolls to a place that `placeAt` returned. Returns whether the transcript was elsewhere. */
  scrollToPlace(feed: HTMLElement, { anchor, offset }: PageMemory['scroll']): boolean {
    const view = anchor === '' ? undefined : this.views.get(anchor);
    if (!view) return false;
    const before = feed.scrollTop;
    const top = view.element.offsetTop + offset;
    if (Math.abs(top - before) >= 1) feed.scrollTop = top;
    return feed.scrollTop !== before;
  }

  /** Returns the entry's view. If the entry's kind has changed, for example from a card to a line, replaces the view. */
  fitting(entry: Entry): EntryView | undefined {
    const old = this.views.get(entry.id);
    if (!old || old.entry.kind === entry.kind) return old;
    const view = createEntryView(entry, this.scope);
    this.views.set(entry.id, view);
    this.byElement.set(view.element, view);
    const hadFocus = old.element.contains(document.activeElement);
    old.element.before(view.element);
    old.dispose();
    if (hadFocus) view.element.focus({ preventScroll: true });
    return view;
  }

  /** Creates the entry's element at its place. It is drawn later. */
  insert(entry: Entry, before: EntryId | undefined): void {
    const view = createEntryView(entry, this.scope);
    this.views.set(entry.id, view);
    this.byElement.set(view.element, view);
    if (view instanceof ToolCallView) this.calls.set(view.entry.toolCallId, view);
    else if (view instanceof SubagentView) this.subagents.set(view.entry.sessionId, view);
    const parent = this.parentOf(view);
    const next = before === undefined ? undefined : this.views.get(before)?.element;
    if (parent) {
      parent.children.insertBefore(view.element, next?.parentElement === parent.children ? next : null);
      parent.refresh();
      return;
    }
    this.column.insertBefore(view.element, this.topLevel(next) ?? this.end);
    view.element.classList.toggle('lone', entry.subagent !== undefined);
    if (entry.kind !== 'user_message') return;
    if (next) this.messages = [...this.column.querySelectorAll<HTMLElement>(':scope > .pl-said')];
    else this.messages.push(view.element);
  }

  /** Returns the row that an entry belongs below. Nested steps are beside their parents, so there is only one level. */
  parentOf(view: EntryView): Row | undefined {
    let parent: Row | undefined;
    const seen = new Set<Row>();
    for (let row = this.above(view.entry); row && row !== view && !seen.has(row); row = this.above(row.entry)) {
      seen.add(row);
      parent = row;
    }
    return parent;
  }

  /** Moves entries whose row arrived late below that row. Visible entries stay in sight. */
  adopt(): void {
    for (const element of this.column.querySelectorAll(':scope > .lone')) {
      const view = this.byElement.get(element);
      const row = view && this.parentOf(view);
      if (!row) continue;
      element.classList.remove('lone');
      row.children.append(element);
      row.children.hidden = false;
      this.scope.context.setExpanded(row.entry.id, true);
    }
  }

  /** Returns the views of entries that are no longer in the transcript. */
  gone({ entries }: Transcript): readonly EntryView[] {
    return [...this.views.values()].filter(({ entry }) => !entries.has(entry.id));
  }

  remove(id: EntryId): void {
    const view = this.views.get(id);
    if (!view) return;
    this.views.delete(id);
    if (view instanceof ToolCallView) this.calls.delete(view.entry.toolCallId);
    else if (view instanceof SubagentView) this.subagents.delete(view.entry.sessionId);
    if (view.entry.kind === 'user_message') this.messages = this.messages.filter((element) => element !== view.element);
    view.dispose();
  }

  clear(): void {
    for (const view of this.views.values()) view.dispose();
    this.views.clear();
    this.calls.clear();
    this.subagents.clear();
    this.messages = [];
  }

  private above(entry: Entry): Row | undefined {
    const call = entry.kind === 'tool_call' && entry.parent !== undefined ? this.calls.get(entry.parent) : undefined;
    if (call && call.entry !== entry) return call;
    return entry.subagent === undefined ? undefined : this.subagents.get(entry.subagent);
  }

  /** Returns the element of the column that contains an element. */
  private topLevel(element: Element | undefined): Element | undefined {
    let at = element;
    while (at && at.parentElement !== this.column) at = at.parentElement ?? undefined;
    return at;
  }
}
