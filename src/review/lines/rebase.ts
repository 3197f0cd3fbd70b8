import { alignHunks, isDeletion, isSameInsertion } from './alignHunks';
import { diffLines, type LineHunk } from '../../shared/diff/lineDiff';
import { pairLines } from './pairLines';

/** Replaces lines `start` to `end` of the current text. `end` is exclusive. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * Returns the edits that apply the agent's changes to `present`. The agent's changes are the differences from `base`, the text it last
 * knew, to `target`; changes made elsewhere since then are preserved. If both sides changed the same lines, the agent's text wins; equal
 * changes are applied once, and lines that either side only deleted stay deleted. Edits are in order and don't overlap.
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

/**
 * Splits a block that was replaced by an equal number of lines into single-line changes, so that changes of adjacent lines don't conflict.
 */
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

/** A growing range of base lines changed by both sides, and how many lines each side added in it. */
interface Clash {
  start: number;
  end: number;
  agentGain: number;
  otherGain: number;
  others: number;
  /** Whether neither side inserted text in the range. */
  isDeletion: boolean;
}

class Merge {
  private readonly agents: readonly LineHunk[];
  private readonly others: readonly LineHunk[];
  private readonly target: readonly string[];
  private readonly present: readonly string[];
  private nextAgent = 0;
  private nextOther = 0;
  /** How far the other side's earlier changes moved the lines after them. */
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

  /** Adds every hunk of either side that overlaps the range, which grows with each. */
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

  /** Returns edits that replace the range with the agent's text and leave equal lines alone. */
  private settle(clash: Clash, first: LineHunk): LineEdit[] {
    const start = clash.start + this.shift;
    const end = clash.end + this.shift + clash.otherGain;
    // Lines deleted by either side are gone. No text of the agent's could win.
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

/** Returns whether a hunk overlaps the range. An insertion at the edge and adjacent ranges don't. */
function overlaps(hunk: LineHunk, clash: Clash): boolean {
  return hunk.oldStart < clash.end && clash.start < hunk.oldEnd;
}

function widen(clash: Clash, hunk: LineHunk): void {
  clash.isDeletion &&= isDeletion(hunk);
  clash.start = Math.min(clash.start, hunk.oldStart);
  clash.end = Math.max(clash.end, hunk.oldEnd);
}
