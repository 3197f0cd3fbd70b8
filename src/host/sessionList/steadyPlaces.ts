/** How long a position can't be chosen after its entry changed, in milliseconds. */
const settling = 500;

/**
 * The positions of entries in an open list that changes. VS Code identifies a choice only by its position, so if
 * another entry moves there just before the choice arrives, that one would be chosen.
 */
export class SteadyPlaces {
  private readonly now: () => number;
  private entries: readonly { readonly name: string; readonly since: number }[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** Records the entries that the list shows from now on. */
  show(names: readonly string[]): void {
    const since = this.now();
    const fresh = names.slice(this.entries.length).map((name) => ({ name, since: -Infinity }));
    // A position that is now empty had an entry before. Only a position that never had an entry is unambiguous.
    const changed = this.entries.map((before, place) => {
      const name = names[place] ?? '';
      return before.name === name ? before : { name, since };
    });
    this.entries = [...changed, ...fresh];
  }

  /** Returns true if a choice at this position can only mean its current entry. */
  isSteady(place: number): boolean {
    const entry = this.entries[place];
    return entry !== undefined && this.now() - entry.since >= settling;
  }
}
