import { mergeAuthors, type Author, type Hunk, type HunkId, type NextHunkId } from './hunk';
import { diffWithBreaks } from './diffWithBreaks';

/** A changed region before it is split into hunks, and the hunks whose ids it passes on. */
export interface Region {
  readonly baseStart: number;
  readonly baseEnd: number;
  readonly start: number;
  readonly end: number;
  readonly authors: readonly Author[];
  readonly lineAuthors: readonly Author[];
  /** In coordinates of the region's base. */
  readonly owners: readonly Owner[];
  /** Whether the region's texts may have changed since the last comparison. */
  readonly isChanged: boolean;
}

/** The identity of a hunk and its place in the base. */
export interface Owner {
  readonly id: HunkId;
  readonly baseStart: number;
  readonly baseEnd: number;
}

/** Converts a hunk to a region. */
export function regionOf(hunk: Hunk, isChanged: boolean): Region {
  return { ...hunk, owners: [hunk], isChanged };
}

/**
 * Returns the hunks of regions, which must be in order. Touching regions are joined, and lines equal on both sides are excluded. A new
 * hunk inherits the id of the hunk at its place, or of the larger one if there are several.
 */
export function refineRegions(
  base: readonly string[],
  current: readonly string[],
  regions: readonly Region[],
  nextId: NextHunkId,
): Hunk[] {
  return joinTouching(regions).flatMap((region) => {
    const [owner] = region.owners;
    if (!region.isChanged && owner !== undefined) return [hunkOf(region, owner.id)];
    return refine(base, current, region, nextId);
  });
}

function joinTouching(regions: readonly Region[]): Region[] {
  const joined: Region[] = [];
  for (const region of regions) {
    const last = joined.at(-1);
    if (last === undefined || region.start > last.end) {
      joined.push(region);
      continue;
    }
    joined[joined.length - 1] = {
      baseStart: last.baseStart,
      baseEnd: region.baseEnd,
      start: last.start,
      end: region.end,
      authors: mergeAuthors([last.authors, region.authors]),
      lineAuthors: [...last.lineAuthors, ...region.lineAuthors],
      owners: [...last.owners, ...region.owners],
      isChanged: true,
    };
  }
  return joined;
}

function refine(base: readonly string[], current: readonly string[], region: Region, nextId: NextHunkId): Hunk[] {
  const { baseStart, start, authors } = region;
  const differences = diffWithBreaks(base.slice(baseStart, region.baseEnd), current.slice(start, region.end));
  const parts = differences.map((part) => ({
    baseStart: baseStart + part.oldStart,
    baseEnd: baseStart + part.oldEnd,
    start: start + part.newStart,
    end: start + part.newEnd,
    authors,
    lineAuthors: region.lineAuthors.slice(part.newStart, part.newEnd),
  }));
  const ids = passOn(region.owners, parts);
  return parts.map((part) => hunkOf(part, ids.get(part) ?? nextId()));
}

/** Assigns identities to parts. Each identity goes to at most one part. */
function passOn<Part extends Omit<Hunk, 'id'>>(owners: readonly Owner[], parts: readonly Part[]): Map<Part, HunkId> {
  const ids = new Map<Part, HunkId>();
  const free = [...owners];
  const bySize = [...parts].sort((a, b) => size(b) - size(a));
  for (const part of bySize) {
    const index = free.findIndex((owner) => owner.baseStart <= part.baseEnd && part.baseStart <= owner.baseEnd);
    const [owner] = index < 0 ? [] : free.splice(index, 1);
    if (owner !== undefined) ids.set(part, owner.id);
  }
  const [first] = owners;
  const [largest] = bySize;
  if (ids.size === 0 && first !== undefined && largest !== undefined) ids.set(largest, first.id);
  return ids;
}

function size(part: Omit<Hunk, 'id'>): number {
  return part.baseEnd - part.baseStart + part.end - part.start;
}

function hunkOf(part: Omit<Hunk, 'id'>, id: HunkId): Hunk {
  const { baseStart, baseEnd, start, end, authors, lineAuthors } = part;
  return { id, baseStart, baseEnd, start, end, authors, lineAuthors };
}
