import { layOut, type PlacedRow, type RowLayout, type ShownRow } from './rowLayout';
import { RowSelection } from './rowSelection';

/** The rows as they are laid out, the one that keys act on, and those that the user selected. */
export class RowCursor {
  readonly selection = new RowSelection();
  private placed: RowLayout = layOut([], []);
  private key = '';

  get layout(): RowLayout {
    return this.placed;
  }

  /** The key of the row that keys act on. Empty if there is none. */
  get active(): string {
    return this.key;
  }

  get row(): ShownRow | undefined {
    return this.rowOf(this.key);
  }

  /** Takes a new layout. If the active row isn't in it, the preferred row becomes active, or else the first one. */
  place(layout: RowLayout, isPreferred: (row: ShownRow) => boolean): void {
    this.placed = layout;
    if (layout.rows.some(({ key }) => key === this.key)) return;
    this.key = (layout.rows.find(({ row }) => isPreferred(row)) ?? layout.rows[0])?.key ?? '';
  }

  activate(key: string): void {
    this.key = key;
  }

  rowOf(key: string): ShownRow | undefined {
    return this.placed.rows.find((one) => one.key === key)?.row;
  }

  /** Selects all rows from the active one to another. */
  extendTo({ row: { id } }: PlacedRow): void {
    const order = this.placed.rows.map(({ row }) => row.id);
    this.selection.extend(order, this.row?.id ?? id, id);
    const own = new Set(this.ids());
    this.selection.keep((one) => own.has(one));
  }

  selectAll(): void {
    this.selection.selectAll(this.ids());
  }

  /** Selects a row, or no longer. The one above the tries of a task stands for no session. */
  toggle(row = this.row): void {
    if (row && !row.tries) this.selection.toggle(row.id);
  }

  /** Returns the selected rows, or else the active one. */
  chosen(): readonly ShownRow[] {
    const selected = this.placed.rows.filter(({ row, key }) => this.selection.has(row.id) && key === row.id);
    if (selected.length > 0) return selected.map(({ row }) => row);
    return this.row ? [this.row] : [];
  }

  /** Returns the row that a key leads to, with so many rows on the screen. Undefined if it leads to none. */
  target(key: string, pageSize: number): PlacedRow | undefined {
    const { rows } = this.placed;
    const at = rows.findIndex((one) => one.key === this.key);
    const places: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + pageSize,
      PageUp: at - pageSize,
      Home: 0,
      End: rows.length - 1,
    };
    const to = places[key];
    return to === undefined ? undefined : rows[Math.min(Math.max(to, 0), rows.length - 1)];
  }

  /** Moves to the next row, because these disappear. */
  leave(ids: readonly string[]): void {
    const { rows } = this.placed;
    const at = rows.findIndex(({ key }) => key === this.key);
    if (!ids.includes(rows[at]?.row.id ?? '')) return;
    const stays = (placed: PlacedRow) => !ids.includes(placed.row.id);
    const next = rows.slice(at).find(stays) ?? rows.slice(0, at).findLast(stays);
    this.key = next?.key ?? '';
  }

  private ids(): readonly string[] {
    return this.placed.rows.flatMap(({ row: { id, tries } }) => (tries ? [] : [id]));
  }
}
