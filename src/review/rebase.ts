import { alignHunks, isDeletion, isSameInsertion } from './alignHunks';
import { diffLines, type LineHunk } from '../shared/lineDiff';
import { pairLines } from './pairLines';

/** Replaces lines `start` up to, not including, `end` of the present text. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * What turns `present` into what the agent means by `target`, when the agent last knew `base`: its own changes are made,
 * changes that someone else made elsewhere since then stay. Where both changed the same lines, the agent's text wins; what
 * both changed alike is changed once, and what either only took away is gone.
 * Edits are in order and do not overlap.
 */
export function rebaseLines(
  base: readonly string[],
  target: readonly string[],
  present: readonly string[],
): LineEdit[] {
  const theirs = pairLines(base, present, diffLines(base, present));
  if (theirs.length === 0) return diffLines(present, target).map((hunk) => editOf(hunk, target, 0));
  const ours = pairLines(base, target, diffLines(base, target));
  const [agents, others] = alignHunks(base, { lines: target, hunks: ours }, { lines: present, hunks: theirs });
  return new Merge(target, present, lineByLine(agents), lineByLine(others)).edits();
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
  /** Whether nobody wrote anything there. */
  isDeletion: boolean;
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
    target: readonly string[],
    present: readonly string[],
    agents: readonly LineHunk[],
    others: readonly LineHunk[],
  ) {
    this.agents = agents;
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
      isDeletion: isDeletion(first),
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
    // What one of them took away is gone; there is no text of the agent's that could win.
    if (clash.isDeletion) return start === end ? [] : [{ start, end, lines: [] }];
    const agentShift = first.newStart - first.oldStart;
    const wanted = this.target.slice(clash.start + agentShift, clash.end + agentShift + clash.agentGain);
    return diffLines(this.present.slice(start, end), wanted).map((hunk) => editOf(hunk, wanted, start));
  }

  private isSameInsertion(other: LineHunk, agent: LineHunk): boolean {
    return isSameInsertion(other, this.present, agent, this.target);
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
  clash.isDeletion &&= isDeletion(hunk);
  clash.start = Math.min(clash.start, hunk.oldStart);
  clash.end = Math.max(clash.end, hunk.oldEnd);
}
