/** Ids used in one transcript. Agents may use the same id for different things over time, or in subagents. */
export class UsedIds {
  private readonly used = new Set<string>();
  private anonymous = 0;

  /** Adds the ids of an existing transcript. */
  add(used: Iterable<readonly [kind: string, id: string]>): void {
    for (const [kind, id] of used) {
      this.used.add(`${kind} ${id}`);
      this.anonymous = Math.max(this.anonymous, Number(/^~(\d+)/.exec(id)?.[1] ?? 0));
    }
  }

  has(kind: string, id: string): boolean {
    return this.used.has(`${kind} ${id}`);
  }

  /** Returns the id itself, or a new one derived from it if it is used. */
  unused(kind: string, wireId: string): string {
    let id = wireId;
    for (let copy = 2; this.used.has(`${kind} ${id}`); copy += 1) id = `${wireId}~${copy}`;
    this.used.add(`${kind} ${id}`);
    return id;
  }

  /** Returns a new id for an item that the agent gave none. */
  next(): string {
    this.anonymous += 1;
    return `~${String(this.anonymous)}`;
  }

  clear(): void {
    this.used.clear();
  }
}
