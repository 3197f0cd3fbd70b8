/** Number of places that can be returned to. */
const longest = 100;

/** A place on the trail. */
interface TrailPlace {
  readonly path: string;
  readonly line?: number;
}

/**
 * Where an agent has been, oldest first. While the user looks at an earlier place, new places are added at the end
 * without being shown.
 */
export class PlaceTrail<Place extends TrailPlace> {
  private places: readonly Place[] = [];
  private at = -1;

  get current(): Place | undefined {
    return this.places[this.at];
  }

  get canGoBack(): boolean {
    return this.at > 0;
  }

  get canGoForward(): boolean {
    return this.at < this.places.length - 1;
  }

  /** Adds a place. Returns whether it is the one to show. */
  add(place: Place): boolean {
    const last = this.places.at(-1);
    const isNew = last?.path !== place.path || last.line !== place.line;
    const isAtEnd = !this.canGoForward;
    if (!isNew) return isAtEnd;
    const all = [...this.places, place];
    const dropped = Math.max(0, all.length - longest);
    this.places = all.slice(dropped);
    this.at = isAtEnd ? this.places.length - 1 : Math.max(0, this.at - dropped);
    return isAtEnd;
  }

  /** Goes to the place before or after, if there is one. */
  step(by: 1 | -1): Place | undefined {
    if (by === 1 ? !this.canGoForward : !this.canGoBack) return undefined;
    this.at += by;
    return this.current;
  }
}
