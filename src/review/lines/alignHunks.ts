import type { LineHunk } from '../../shared/diff/lineDiff';
import { isSignificant } from './pairLines';

/** A text made from the base, and its differences from the base. */
export interface Side {
  readonly lines: readonly string[];
  readonly hunks: readonly LineHunk[];
}

/**
 * Moves the hunks of both sides among repeated lines. A comparison can't tell which of several equal lines, such as blank ones, was
 * inserted or deleted, so two comparisons may choose differently. A hunk that only inserts or only deletes lines moves to the place of the
 * other side's equal hunk, so that one change made by both counts once. If there is none, it moves off the lines that the other side
 * changed, or as far down as possible.
 */
export function alignHunks(base: readonly string[], agent: Side, other: Side): [LineHunk[], LineHunk[]] {
  const agents = new Slides(base, agent);
  const others = new Slides(base, other);
  eachWindow(agents, others, (index, window, first) => {
    joinEqual(agents, index, window, others, first);
  });
  for (const [one, two] of [[agents, others] as const, [others, agents] as const]) {
    eachWindow(one, two, (index, window, first) => {
      if (!one.settled.has(index)) moveOff(one, index, window, two, first);
    });
  }
  return [agents.hunks, others.hunks];
}

/** Calls `visit` for each hunk that can move, with the first hunk of the other side that may be near it. */
function eachWindow(one: Slides, two: Slides, visit: (index: number, window: Window, first: number) => void): void {
  let first = 0;
  for (let index = 0; index < one.hunks.length; index++) {
    const window = one.window(index);
    if (window === undefined) continue;
    // Windows are in order, so a hunk that ends before this one can't touch a later one either.
    while (first < two.hunks.length && two.end(first) < window.low) first++;
    if (first === two.hunks.length) return;
    visit(index, window, first);
  }
}

/** Where a hunk may begin, in lines of the base. */
interface Window {
  readonly low: number;
  readonly high: number;
}

class Slides {
  readonly hunks: LineHunk[];
  readonly lines: readonly string[];
  /** The indexes of the hunks that have their final place. */
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

  /** Returns where a hunk may begin, or undefined if it replaces lines and therefore can't move. */
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

  /** Returns the last line that a hunk can reach. */
  end(index: number): number {
    const hunk = this.hunks[index];
    if (hunk === undefined) return 0;
    const size = hunk.oldEnd - hunk.oldStart;
    return (this.window(index)?.high ?? hunk.oldStart) + size;
  }

  /** Moves a hunk to `start`, which must be in its window. */
  move(index: number, start: number): void {
    const hunk = this.moved(index, start);
    if (hunk !== undefined) this.hunks[index] = hunk;
  }

  /** Returns the hunk as it would be at `start`. */
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

/** Moves the agent's hunk and a hunk of the other side to one place if they are the same change. */
function joinEqual(agents: Slides, index: number, window: Window, others: Slides, first: number): void {
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

/** Moves a hunk as little as possible, to where the other side changed nothing. */
function moveOff(one: Slides, index: number, { low, high }: Window, two: Slides, first: number): void {
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

/** Returns whether a hunk only deletes lines. */
export function isDeletion(hunk: LineHunk): boolean {
  return hunk.newStart === hunk.newEnd;
}

function isInsertion(hunk: LineHunk): boolean {
  return hunk.oldStart === hunk.oldEnd;
}

/**
 * Returns whether both sides inserted at one place and the agent's lines already contain the other side's. The agent has then seen them, so
 * they are inserted once. Blank lines and braces are too common to show this unless nothing else was inserted.
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
