/** So long (ms) nothing can be chosen at a place that has just got another entry. */
const settling = 500;

/**
 * What stands where in a list that is open while it changes. VS Code names what is chosen by its place alone: a choice that was on its
 * way while another entry came to that place would be taken for that one.
 */
export class SteadyPlaces {
  private readonly now: () => number;
  private entries: readonly { readonly name: string; readonly since: number }[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** The list shows these from now on. */
  show(names: readonly string[]): void {
    const since = this.now();
    const fresh = names.slice(this.entries.length).map((name) => ({ name, since: -Infinity }));
    // A place that is empty now was not empty before. Only where nothing ever was can nothing else be meant.
    const changed = this.entries.map((before, place) => {
      const name = names[place] ?? '';
      return before.name === name ? before : { name, since };
    });
    this.entries = [...changed, ...fresh];
  }

  /** Whether whoever chooses what stands at this place can only mean what stands there now. */
  isSteady(place: number): boolean {
    const entry = this.entries[place];
    return entry !== undefined && this.now() - entry.since >= settling;
  }
}
