import { diffLines, type LineHunk } from './lineDiff';

/** Replaces lines `start` up to, not including, `end` of the present text. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * What turns `present` into what the agent means by `target`, when the agent last knew `base`: its own changes are made,
 * changes that someone else made elsewhere since then stay. Where both changed the same lines, the agent's text wins.
 * Edits are in order and do not overlap.
 */
export function rebaseLines(
  base: readonly string[],
  target: readonly string[],
  present: readonly string[],
): LineEdit[] {
  const theirs = lineByLine(diffLines(base, present));
  if (theirs.length === 0) return diffLines(present, target).map((hunk) => editOf(hunk, target, 0));
  const merge = new Merge(base, target, present, theirs);
  return merge.edits();
}

/** A block replaced by as many lines is a change of each line, so that changes of neighbouring lines do not clash. */
function lineByLine(hunks: readonly LineHunk[]): LineHunk[] {
  return hunks.flatMap((hunk) => {
    const count = hunk.oldEnd - hunk.oldStart;
    if (count !== hunk.newEnd - hunk.newStart) return [hunk];
    return Array.from({ length: count }, (_, index) => ({
      oldStart: hunk.oldStart + index,
      oldEnd: hunk.oldStart + index + 1,
      newStart: hunk.newStart + index,
      newEnd: hunk.newStart + index + 1,
    }));
  });
}

function editOf(hunk: LineHunk, target: readonly string[], shift: number): LineEdit {
  return {
    start: hunk.oldStart + shift,
    end: hunk.oldEnd + shift,
    lines: target.slice(hunk.newStart, hunk.newEnd),
  };
}

/** A growing range of base lines that both sides changed, and how many lines each side gained in it. */
interface Clash {
  start: number;
  end: number;
  agentGain: number;
  otherGain: number;
  others: number;
}

class Merge {
  private readonly agents: readonly LineHunk[];
  private readonly others: readonly LineHunk[];
  private readonly target: readonly string[];
  private readonly present: readonly string[];
  private nextAgent = 0;
  private nextOther = 0;
  /** How far the others' changes so far moved the lines behind them. */
  private shift = 0;

  constructor(
    base: readonly string[],
    target: readonly string[],
    present: readonly string[],
    others: readonly LineHunk[],
  ) {
    this.agents = lineByLine(diffLines(base, target));
    this.others = others;
    this.target = target;
    this.present = present;
  }

  edits(): LineEdit[] {
    const edits: LineEdit[] = [];
    for (let first = this.agents[this.nextAgent]; first !== undefined; first = this.agents[this.nextAgent]) {
      this.nextAgent++;
      this.passOthersBefore(first);
      const clash = this.collect(first);
      if (clash.others === 0) edits.push(editOf(first, this.target, this.shift));
      else for (const edit of this.settle(clash, first)) edits.push(edit);
      this.shift += clash.otherGain;
    }
    return edits;
  }

  private passOthersBefore(agent: LineHunk): void {
    for (let other = this.others[this.nextOther]; other !== undefined; other = this.others[this.nextOther]) {
      if (other.oldEnd > agent.oldStart || this.isSameInsertion(other, agent)) return;
      this.shift += gain(other);
      this.nextOther++;
    }
  }

  /** Takes in every hunk of either side that reaches into the range, which grows by it. */
  private collect(first: LineHunk): Clash {
    const clash: Clash = {
      start: first.oldStart,
      end: first.oldEnd,
      agentGain: gain(first),
      otherGain: 0,
      others: 0,
    };
    for (;;) {
      const other = this.others[this.nextOther];
      const agent = this.agents[this.nextAgent];
      if (other !== undefined && (overlaps(other, clash) || this.isSameInsertion(other, first))) {
        this.nextOther++;
        clash.others++;
        clash.otherGain += gain(other);
        widen(clash, other);
      } else if (agent !== undefined && overlaps(agent, clash)) {
        this.nextAgent++;
        clash.agentGain += gain(agent);
        widen(clash, agent);
      } else {
        return clash;
      }
    }
  }

  /** The agent's text for the whole range, as changes to what stands there, so that equal lines stay untouched. */
  private settle(clash: Clash, first: LineHunk): LineEdit[] {
    const start = clash.start + this.shift;
    const end = clash.end + this.shift + clash.otherGain;
    const agentShift = first.newStart - first.oldStart;
    const wanted = this.target.slice(clash.start + agentShift, clash.end + agentShift + clash.agentGain);
    return diffLines(this.present.slice(start, end), wanted).map((hunk) => editOf(hunk, wanted, start));
  }

  /** Both inserted at one place, and the agent's lines already hold the other's: it has seen them, once is enough. */
  private isSameInsertion(other: LineHunk, agent: LineHunk): boolean {
    if (other.oldStart !== other.oldEnd || agent.oldStart !== agent.oldEnd || other.oldStart !== agent.oldStart) {
      return false;
    }
    const size = other.newEnd - other.newStart;
    for (let at = agent.newStart; at + size <= agent.newEnd; at++) {
      let same = 0;
      while (same < size && this.target[at + same] === this.present[other.newStart + same]) same++;
      if (same === size) return true;
    }
    return false;
  }
}

function gain(hunk: LineHunk): number {
  return hunk.newEnd - hunk.newStart - (hunk.oldEnd - hunk.oldStart);
}

/** Real overlap only: an insertion at a range's edge, and ranges that merely touch, leave each other alone. */
function overlaps(hunk: LineHunk, clash: Clash): boolean {
  return hunk.oldStart < clash.end && clash.start < hunk.oldEnd;
}

function widen(clash: Clash, hunk: LineHunk): void {
  clash.start = Math.min(clash.start, hunk.oldStart);
  clash.end = Math.max(clash.end, hunk.oldEnd);
}
