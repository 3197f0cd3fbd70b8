import type { NesPosition } from '../acp/decode/nesMessages';
import type { AwaySuggestion } from './placement';

/** How far apart places in a long change are, in lines, so that each part of it has been in view. */
const step = 20;

/** Returns the places that must have been in view before a suggestion is applied: where its changes begin and end. */
export function placesOf(suggestion: AwaySuggestion): readonly NesPosition[] {
  if (suggestion.kind !== 'edit') return [suggestion.position];
  return suggestion.edits.flatMap(({ range: { start, end } }) => {
    const between: NesPosition[] = [];
    for (let line = start.line + step; line < end.line; line += step) between.push({ line, character: 0 });
    return [start, ...between, end];
  });
}

/** Which places of suggestions the user has had in view. */
export class SeenPlaces {
  private readonly seen = new WeakMap<AwaySuggestion, Set<number>>();

  /** Notes the places that are in view now. */
  note(suggestion: AwaySuggestion, isInView: (place: NesPosition) => boolean): void {
    const seen = this.seen.get(suggestion) ?? new Set<number>();
    for (const [index, place] of placesOf(suggestion).entries()) if (isInView(place)) seen.add(index);
    this.seen.set(suggestion, seen);
  }

  /** Returns the first place that hasn't been in view; undefined if all have. */
  next(suggestion: AwaySuggestion): NesPosition | undefined {
    const seen = this.seen.get(suggestion);
    return placesOf(suggestion).find((_, index) => seen?.has(index) !== true);
  }
}
