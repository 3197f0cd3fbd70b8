/** The rows that the user selected for an action on all of them, by id. */
export class RowSelection {
  private readonly ids = new Set<string>();
  /** Where a selection of a range begins. */
  private anchor = '';

  get size(): number {
    return this.ids.size;
  }

  get all(): readonly string[] {
    return [...this.ids];
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  clear(): void {
    this.ids.clear();
    this.anchor = '';
  }

  toggle(id: string): void {
    if (!this.ids.delete(id)) this.ids.add(id);
    this.anchor = id;
  }

  /** Selects everything between the last toggled row, or else `from`, and this one. */
  extend(order: readonly string[], from: string, to: string): void {
    if (!order.includes(this.anchor)) this.anchor = from;
    const [start, end] = [order.indexOf(this.anchor), order.indexOf(to)].sort((one, other) => one - other);
    if (start === undefined || end === undefined || start < 0) return;
    this.ids.clear();
    for (const id of order.slice(start, end + 1)) this.ids.add(id);
  }

  selectAll(order: readonly string[]): void {
    for (const id of order) this.ids.add(id);
  }

  /** Forgets rows that aren't in the list any more. */
  keep(exists: (id: string) => boolean): void {
    for (const id of this.ids) if (!exists(id)) this.ids.delete(id);
  }
}
