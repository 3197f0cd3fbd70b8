import type { EntryId } from '../../../src/shared/values/ids';
import type { Entry, Transcript } from '../../../src/shared/transcript/transcript';
import { createEntryView } from '../../entries/createEntryView';
import type { EntryScope, EntryView } from '../../entries/view/entryView';
import { SubagentView } from '../../entries/message/subagentEntry';
import { ThoughtView } from '../../entries/message/thought';
import { ToolCallView } from '../../entries/toolCall/toolCall';
import type { Rows } from './rows';

/** A row with other entries below it. */
type RowView = ToolCallView | SubagentView;

/** The views of the entries that are on the page. */
export class EntryViews {
  private readonly rows: Rows;
  private readonly scope: EntryScope;
  private readonly views = new Map<EntryId, EntryView>();
  private readonly byElement = new WeakMap<Element, EntryView>();

  constructor(rows: Rows, scope: EntryScope) {
    this.rows = rows;
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

  /** Returns the view of a row that can have other entries below it. */
  rowOf(id: EntryId): RowView | undefined {
    const view = this.views.get(id);
    return view instanceof ToolCallView || view instanceof SubagentView ? view : undefined;
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

  /** Creates the view of an entry. It is drawn later, and its element has no place yet. */
  create(entry: Entry): EntryView {
    const view = createEntryView(entry, this.scope);
    this.views.set(entry.id, view);
    this.byElement.set(view.element, view);
    return view;
  }

  createById(id: EntryId): EntryView | undefined {
    const entry = this.scope.transcript.entries.get(id);
    return entry && this.create(entry);
  }

  /** Returns the view of the row that an entry belongs below. */
  parentOf(view: EntryView): RowView | undefined {
    const row = this.rows.parentOf(view.entry.id);
    return row && this.rowOf(row.id);
  }

  /** Returns the views of entries that are no longer in the transcript. */
  gone({ entries }: Transcript): readonly EntryView[] {
    return [...this.views.values()].filter(({ entry }) => !entries.has(entry.id));
  }

  remove(id: EntryId): void {
    const view = this.views.get(id);
    if (!view) return;
    this.views.delete(id);
    view.dispose();
  }

  clear(): void {
    for (const view of this.views.values()) view.dispose();
    this.views.clear();
  }
}
