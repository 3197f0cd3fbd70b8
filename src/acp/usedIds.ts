/** Ids that agents have used in one transcript, where the same id may name different things one after the other, or in subagents. */
export class UsedIds {
  private readonly used = new Set<string>();
  private anonymous = 0;

  /** Notes ids of a transcript that goes on. */
  add(used: Iterable<readonly [kind: string, id: string]>): void {
    for (const [kind, id] of used) {
      this.used.add(`${kind} ${id}`);
      this.anonymous = Math.max(this.anonymous, Number(/^~(\d+)/.exec(id)?.[1] ?? 0));
    }
  }

  /** The id itself, or one made of it where it is taken. */
  unused(kind: string, wireId: string): string {
    let id = wireId;
    for (let copy = 2; this.used.has(`${kind} ${id}`); copy += 1) id = `${wireId}~${copy}`;
    this.used.add(`${kind} ${id}`);
    return id;
  }

  /** An id for what its agent gives none. */
  next(): string {
    this.anonymous += 1;
    return `~${String(this.anonymous)}`;
  }

  clear(): void {
    this.used.clear();
  }
}
