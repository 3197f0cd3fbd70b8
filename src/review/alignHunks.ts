import type { LineHunk } from '../shared/lineDiff';
import { isSignificant } from './pairLines';

/** A text that was made of the base, and where it differs from it. */
export interface Side {
  readonly lines: readonly string[];
  readonly hunks: readonly LineHunk[];
}

/**
 * Of lines that repeat, such as blank ones, a comparison cannot tell which one came or went, and two comparisons choose
 * differently. Where a side only adds or only takes away lines, its hunk moves among equal lines: to the same place as the other
 * side's, so that one change that both made is one; else off what the other side changed; else as far down as can be.
 */
export function alignHunks(base: readonly string[], agent: Side, other: Side): [LineHunk[], LineHunk[]] {
  const agents = new Slides(base, agent);
  const others = new Slides(base, other);
  eachWindow(agents, others, (index, window, first) => {
    meet(agents, index, window, others, first);
  });
  for (const [one, two] of [[agents, others] as const, [others, agents] as const]) {
    eachWindow(one, two, (index, window, first) => {
      if (!one.settled.has(index)) keepOff(one, index, window, two, first);
    });
  }
  return [agents.hunks, others.hunks];
}

/** Visits what can move, with the first hunk of the other side that may be near it. */
function eachWindow(one: Slides, two: Slides, visit: (index: number, window: Window, first: number) => void): void {
  let first = 0;
  for (let index = 0; index < one.hunks.length; index++) {
    const window = one.window(index);
    if (window === undefined) continue;
    // Windows are in order, so that what ends before this one is of no use for the next ones either.
    while (first < two.hunks.length && two.end(first) < window.low) first++;
    if (first === two.hunks.length) return;
    visit(index, window, first);
  }
}

/** Places at which a hunk may begin, in lines of the base. */
interface Window {
  readonly low: number;
  readonly high: number;
}

class Slides {
  readonly hunks: LineHunk[];
  readonly lines: readonly string[];
  /** Which of them have found their place. */
  readonly settled = new Set<number>();
  private readonly base: readonly string[];

  constructor(base: readonly string[], side: Side) {
    this.base = base;
    this.lines = side.lines;
    this.hunks = [...side.hunks];
    for (let index = this.hunks.length - 1; index >= 0; index--) {
      const window = this.window(index);
      if (window !== undefined) this.move(index, window.high);
    }
  }

  /** Undefined for a hunk that replaces lines: it stays where it is. */
  window(index: number): Window | undefined {
    const hunk = this.hunks[index];
    const text = hunk && (isDeletion(hunk) ? this.base : isInsertion(hunk) ? this.lines : undefined);
    if (hunk === undefined || text === undefined) return undefined;
    const [start, end] = isDeletion(hunk) ? [hunk.oldStart, hunk.oldEnd] : [hunk.newStart, hunk.newEnd];
    const above = hunk.oldStart - (this.hunks[index - 1]?.oldEnd ?? 0);
    const below = (this.hunks[index + 1]?.oldStart ?? this.base.length) - hunk.oldEnd;
    let up = 0;
    while (up < above && text[start - up - 1] === text[end - up - 1]) up++;
    let down = 0;
    while (down < below && text[start + down] === text[end + down]) down++;
    return { low: hunk.oldStart - up, high: hunk.oldStart + down };
  }

  /** How far down a hunk can reach. */
  end(index: number): number {
    const hunk = this.hunks[index];
    if (hunk === undefined) return 0;
    const size = hunk.oldEnd - hunk.oldStart;
    return (this.window(index)?.high ?? hunk.oldStart) + size;
  }

  /** Moves a hunk, to where its window lets it begin. */
  move(index: number, start: number): void {
    const hunk = this.moved(index, start);
    if (hunk !== undefined) this.hunks[index] = hunk;
  }

  /** The hunk as it is when it begins at `start`. */
  moved(index: number, start: number): LineHunk | undefined {
    const hunk = this.hunks[index];
    if (hunk === undefined) return undefined;
    const by = start - hunk.oldStart;
    return {
      oldStart: start,
      oldEnd: hunk.oldEnd + by,
      newStart: hunk.newStart + by,
      newEnd: hunk.newEnd + by,
    };
  }
}

/** Moves the agent's hunk and one of the others' to one place, if they are the same change. */
function meet(agents: Slides, index: number, window: Window, others: Slides, first: number): void {
  const agent = agents.hunks[index];
  for (let at = first; at < others.hunks.length; at++) {
    const other = others.hunks[at];
    const reach = others.window(at);
    if (agent === undefined || other === undefined || (reach?.low ?? other.oldStart) > window.high) return;
    if (reach === undefined || others.settled.has(at) || isDeletion(agent) !== isDeletion(other)) continue;
    const [low, high] = [Math.max(window.low, reach.low), Math.min(window.high, reach.high)];
    if (low > high) continue;
    for (const start of new Set([Math.min(Math.max(agent.oldStart, low), high), low, high])) {
      const [one, two] = [agents.moved(index, start), others.moved(at, start)];
      if (one === undefined || two === undefined) continue;
      if (!isDeletion(one) && !isSameInsertion(two, others.lines, one, agents.lines)) continue;
      agents.move(index, start);
      others.move(at, start);
      agents.settled.add(index);
      others.settled.add(at);
      return;
    }
  }
}

/** Moves a hunk, as little as can be, to where the other side has not changed anything. */
function keepOff(one: Slides, index: number, { low, high }: Window, two: Slides, first: number): void {
  const start = one.hunks[index]?.oldStart ?? 0;
  const isFree = (hunk: LineHunk) => {
    for (let at = first; at < two.hunks.length; at++) {
      const other = two.hunks[at];
      if (other === undefined || other.oldStart >= hunk.oldEnd) return true;
      if (hunk.oldStart < other.oldEnd) return false;
    }
    return true;
  };
  for (let by = 0; by <= Math.max(start - low, high - start); by++) {
    for (const place of [start + by, start - by]) {
      const hunk = place >= low && place <= high ? one.moved(index, place) : undefined;
      if (hunk === undefined || !isFree(hunk)) continue;
      one.move(index, place);
      return;
    }
  }
}

/** Whether lines are only taken away. */
export function isDeletion(hunk: LineHunk): boolean {
  return hunk.newStart === hunk.newEnd;
}

function isInsertion(hunk: LineHunk): boolean {
  return hunk.oldStart === hunk.oldEnd;
}

/**
 * Both inserted at one place, and the agent's lines already hold the other's: it has seen them, once is enough. Blank lines and
 * braces are in many texts, so that they say so only if there is nothing else.
 */
export function isSameInsertion(
  other: LineHunk,
  present: readonly string[],
  agent: LineHunk,
  target: readonly string[],
): boolean {
  if (!isInsertion(other) || !isInsertion(agent) || other.oldStart !== agent.oldStart) return false;
  const size = other.newEnd - other.newStart;
  const says = present.slice(other.newStart, other.newEnd).some(isSignificant);
  if (!says && agent.newEnd - agent.newStart !== size) return false;
  for (let at = agent.newStart; at + size <= agent.newEnd; at++) {
    let same = 0;
    while (same < size && target[at + same] === present[other.newStart + same]) same++;
    if (same === size) return true;
  }
  return false;
}
