// Places in texts, as the editor has them. The contract says how (test/contract/positions.ts).

interface Delta {
  readonly lineDelta?: number;
  readonly characterDelta?: number;
}

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    if (line < 0) throw new Error('illegal argument: line must be non-negative');
    if (character < 0) throw new Error('illegal argument: character must be non-negative');
    this.line = line;
    this.character = character;
  }

  compareTo(other: Position): -1 | 0 | 1 {
    const by = this.line - other.line || this.character - other.character;
    return by < 0 ? -1 : by > 0 ? 1 : 0;
  }

  isBefore(other: Position): boolean {
    return this.compareTo(other) < 0;
  }

  isBeforeOrEqual(other: Position): boolean {
    return this.compareTo(other) <= 0;
  }

  isAfter(other: Position): boolean {
    return this.compareTo(other) > 0;
  }

  isAfterOrEqual(other: Position): boolean {
    return this.compareTo(other) >= 0;
  }

  isEqual(other: Position): boolean {
    return this.compareTo(other) === 0;
  }

  translate(by: number | Delta = 0, characters = 0): Position {
    const { lineDelta = 0, characterDelta = 0 } =
      typeof by === 'number' ? { lineDelta: by, characterDelta: characters } : by;
    return new Position(this.line + lineDelta, this.character + characterDelta);
  }

  with(change: number | { readonly line?: number; readonly character?: number } = {}, character?: number): Position {
    const next = typeof change === 'number' ? { line: change } : change;
    return new Position(next.line ?? this.line, character ?? ('character' in next ? next.character : this.character));
  }
}

type Ends = readonly [Position, Position] | readonly [number, number, number, number];

function positionsOf([a, b, c = 0, d = 0]: Ends): readonly [Position, Position] {
  return typeof a === 'number' ? [new Position(a, b as number), new Position(c, d)] : [a, b as Position];
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(...ends: Ends) {
    const [one, other] = positionsOf(ends);
    const isInOrder = one.isBeforeOrEqual(other);
    this.start = isInOrder ? one : other;
    this.end = isInOrder ? other : one;
  }

  get isEmpty(): boolean {
    return this.start.isEqual(this.end);
  }

  get isSingleLine(): boolean {
    return this.start.line === this.end.line;
  }

  contains(what: Position | Range): boolean {
    if (what instanceof Range) return this.contains(what.start) && this.contains(what.end);
    return what.isAfterOrEqual(this.start) && what.isBeforeOrEqual(this.end);
  }

  isEqual(other: Range): boolean {
    return this.start.isEqual(other.start) && this.end.isEqual(other.end);
  }

  intersection(other: Range): Range | undefined {
    const start = this.start.isAfter(other.start) ? this.start : other.start;
    const end = this.end.isBefore(other.end) ? this.end : other.end;
    return start.isAfter(end) ? undefined : new Range(start, end);
  }

  union(other: Range): Range {
    const start = this.start.isBefore(other.start) ? this.start : other.start;
    return new Range(start, this.end.isAfter(other.end) ? this.end : other.end);
  }

  with(change: Position | { readonly start?: Position; readonly end?: Position } = {}, end?: Position): Range {
    const next = change instanceof Position ? { start: change } : change;
    const from = next.start ?? this.start;
    const to = end ?? ('end' in next ? next.end : undefined) ?? this.end;
    return from.isEqual(this.start) && to.isEqual(this.end) ? this : new Range(from, to);
  }
}

export class Selection extends Range {
  readonly anchor: Position;
  readonly active: Position;

  constructor(...ends: Ends) {
    super(...ends);
    [this.anchor, this.active] = positionsOf(ends);
  }

  get isReversed(): boolean {
    return this.anchor.isAfter(this.active);
  }
}
