import { spliceLines, type BaseSplice, type ChangedText, type ReviewedText } from './changeText';
import { isIndivisible } from '../files/fileState';
import { mergeAuthors, user, type Author, type Hunk, type HunkId, type NextHunkId } from '../hunks/hunk';
import { refineRegions, type Region } from '../hunks/refineHunks';

/** A hunk that the user kept, with the place of its lines in the base, so that the keep can be undone. */
export interface KeptHunk {
  /** The number of the keep. */
  readonly keep: number;
  readonly id: HunkId;
  readonly baseStart: number;
  readonly baseEnd: number;
  /** The lines of the base before the keep. */
  readonly baseLines: readonly string[];
  readonly authors: readonly Author[];
  readonly lineAuthors: readonly Author[];
  /** Whether the hunk was the whole file (created, deleted, or binary). Later changes before or after it then belong to it. */
  readonly isWholeFile: boolean;
  /** Earlier kept hunks that contained this one. */
  readonly within: readonly HunkId[];
}

/** A text after a keep or an undone keep. */
export interface Kept {
  readonly text: ChangedText;
  readonly kept: readonly KeptHunk[];
}

/** Copies the current lines of the chosen hunks into the base. */
export function keepHunks(text: ReviewedText, chosen: readonly Hunk[], keep: number, kept: readonly KeptHunk[]): Kept {
  const ids = new Set(chosen.map(({ id }) => id));
  const splices: BaseSplice[] = [];
  const added: KeptHunk[] = [];
  const hunks: Hunk[] = [];
  let gain = 0;
  const isWholeFile = isIndivisible(text.base) || isIndivisible(text.current);
  for (const hunk of text.hunks) {
    const { baseStart, baseEnd, lineAuthors } = hunk;
    if (!ids.has(hunk.id)) {
      hunks.push({ ...hunk, baseStart: baseStart + gain, baseEnd: baseEnd + gain });
      continue;
    }
    const lines = text.current.slice(hunk.start, hunk.end);
    splices.push({ start: baseStart, end: baseEnd, lines, lineAuthors });
    added.push({
      keep,
      id: hunk.id,
      baseStart: baseStart + gain,
      baseEnd: baseStart + gain + lines.length,
      baseLines: text.base.slice(baseStart, baseEnd),
      authors: hunk.authors,
      lineAuthors,
      isWholeFile,
      within: kept.filter((outer) => isInside(hunk, outer)).map(({ id }) => id),
    });
    gain += lines.length - (baseEnd - baseStart);
  }
  const base = spliceLines(text.base, splices);
  const earlier = followSplices(isWholeFile ? wholeFileHunks(kept) : kept, splices);
  return { text: { base, current: text.current, hunks, splices }, kept: [...earlier, ...added] };
}

/** Undoes one keep: its hunks are pending again, including later changes inside them. */
export function undoKeep(text: ReviewedText, kept: readonly KeptHunk[], keep: number, nextId: NextHunkId): Kept {
  const back = kept.filter((one) => one.keep === keep).sort((a, b) => a.baseStart - b.baseStart);
  const splices = back.map(({ baseStart, baseEnd, baseLines, within }): BaseSplice => ({
    start: baseStart,
    end: baseEnd,
    lines: baseLines,
    lineAuthors: baseLines.map(() => user),
    within,
  }));
  const base = spliceLines(text.base, splices);
  const hunks = refineRegions(base, text.current, regionsWith(text.hunks, back), nextId);
  const rest = kept.filter((one) => one.keep !== keep);
  return { text: { base, current: text.current, hunks, splices }, kept: followSplices(rest, splices) };
}

/** Hunks and kept hunks that touch each other. */
interface Cluster {
  readonly baseStart: number;
  baseEnd: number;
  readonly hunks: Hunk[];
  readonly back: KeptHunk[];
}

/** Returns the hunks and the restored kept hunks as regions, in coordinates of the resulting base. */
function regionsWith(hunks: readonly Hunk[], back: readonly KeptHunk[]): Region[] {
  const clusters: Cluster[] = [];
  const clusterFor = (part: Hunk | KeptHunk): Cluster => {
    const last = clusters.at(-1);
    if (last !== undefined && part.baseStart <= last.baseEnd) {
      last.baseEnd = Math.max(last.baseEnd, part.baseEnd);
      return last;
    }
    const cluster = { baseStart: part.baseStart, baseEnd: part.baseEnd, hunks: [], back: [] };
    clusters.push(cluster);
    return cluster;
  };
  let next = 0;
  for (const hunk of hunks) {
    for (let one = back[next]; one !== undefined && one.baseStart <= hunk.baseStart; one = back[++next]) {
      clusterFor(one).back.push(one);
    }
    clusterFor(hunk).hunks.push(hunk);
  }
  for (const one of back.slice(next)) clusterFor(one).back.push(one);
  let toCurrent = 0;
  let gain = 0;
  return clusters.map((cluster) => {
    const final = cluster.hunks.at(-1);
    const start = cluster.baseStart + toCurrent;
    if (final !== undefined) toCurrent = final.end - final.baseEnd;
    const baseStart = cluster.baseStart + gain;
    const owners = [...cluster.back, ...cluster.hunks].map(({ id }) => ({ id, baseStart, baseEnd: baseStart }));
    for (const one of cluster.back) gain += one.baseLines.length - (one.baseEnd - one.baseStart);
    const baseEnd = cluster.baseEnd + gain;
    const lineAuthors = lineAuthorsOf(cluster);
    return {
      baseStart,
      baseEnd,
      start,
      end: cluster.baseEnd + toCurrent,
      // The authors of kept lines count even if the lines were overwritten since, because undo removes their text.
      authors: mergeAuthors([
        ...[...cluster.back, ...cluster.hunks].map(({ authors }) => authors),
        ...cluster.back.map((one) => one.lineAuthors),
      ]),
      lineAuthors,
      owners: owners.map((owner) => ({ ...owner, baseEnd })),
      isChanged: cluster.back.length > 0,
    };
  });
}

function lineAuthorsOf({ baseStart, baseEnd, hunks, back }: Cluster): Author[] {
  const ofBase: Author[] = Array.from({ length: baseEnd - baseStart }, () => user);
  for (const one of back) one.lineAuthors.forEach((author, at) => (ofBase[one.baseStart - baseStart + at] = author));
  const result: Author[] = [];
  let at = baseStart;
  for (const hunk of hunks) {
    for (; at < hunk.baseStart; at++) result.push(ofBase[at - baseStart] ?? user);
    for (const author of hunk.lineAuthors) result.push(author);
    at = hunk.baseEnd;
  }
  for (; at < baseEnd; at++) result.push(ofBase[at - baseStart] ?? user);
  return result;
}

/**
 * Updates the kept hunks after changes of the base. A change inside a kept hunk belongs to it. A kept hunk with an overwritten border can't
 * be undone, so it is removed.
 */
export function followSplices(kept: readonly KeptHunk[], splices: readonly BaseSplice[]): KeptHunk[] {
  if (splices.length === 0) return [...kept];
  return kept.flatMap((one) => follow(one, splices));
}

function follow(one: KeptHunk, splices: readonly BaseSplice[]): KeptHunk[] {
  let shift = 0;
  let growth = 0;
  let lineAuthors = one.lineAuthors;
  for (const splice of splices) {
    const gain = splice.lines.length - (splice.end - splice.start);
    const isWithin = isInside({ baseStart: splice.start, baseEnd: splice.end }, one);
    const takesBorder = isWithin && (one.isWholeFile || splice.within?.includes(one.id) === true);
    if (!takesBorder && splice.end <= one.baseStart) {
      shift += gain;
    } else if (!takesBorder && splice.start >= one.baseEnd) {
      break;
    } else if (isWithin) {
      const at = splice.start - one.baseStart + growth;
      lineAuthors = lineAuthors.toSpliced(at, splice.end - splice.start, ...splice.lineAuthors);
      growth += gain;
    } else {
      return [];
    }
  }
  return [{ ...one, baseStart: one.baseStart + shift, baseEnd: one.baseEnd + shift + growth, lineAuthors }];
}

/** Returns the kept hunks that remain valid when the whole file is replaced or deleted. */
export function wholeFileHunks(kept: readonly KeptHunk[]): KeptHunk[] {
  return kept.filter(({ isWholeFile }) => isWholeFile);
}

function isInside(
  part: { readonly baseStart: number; readonly baseEnd: number },
  whole: { readonly baseStart: number; readonly baseEnd: number },
): boolean {
  return part.baseStart >= whole.baseStart && part.baseEnd <= whole.baseEnd;
}
