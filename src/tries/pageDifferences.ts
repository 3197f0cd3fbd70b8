import * as l10n from '@vscode/l10n';
import type { Hunk, HunkId } from '../review/hunks/hunk';
import { hunksToShow, stampOf } from '../review/hunks/reviewHunks';
import type { HunkWish } from '../shared/changes/reviewPage';
import type { PageDifferences, PageDifferenceState } from '../shared/changes/triesPage';
import { diffLines } from '../shared/diff/lineDiff';
import { differencesOf, linesToCompare, textOfLine, type Difference } from './differences';
import type { TrySide } from './triedFiles';

/** A side of a comparison: a file, and the stamps of its changes that were taken. `all` is the whole file. */
export interface ComparedSide {
  readonly side: TrySide;
  readonly taken: ReadonlySet<string> | 'all';
}

/** Returns what the page shows of a file of two tries that started from the same `base`. */
export function pageDifferences(
  base: TrySide,
  left: ComparedSide,
  right: ComparedSide,
  wishes: readonly HunkWish[],
): PageDifferences {
  if ([base, left.side, right.side].some(({ kind }) => kind === 'other')) return withoutLines();
  const [start, from, to] = [base, left.side, right.side].map(linesToCompare) as [string[], string[], string[]];
  const found = differencesOf(start, from, to);
  const stamps = { left: changeStamps(start, from), right: changeStamps(start, to) };
  const stateOf = (which: 'left' | 'right', at: number): PageDifferenceState => {
    const changes = found[at]?.[which].changes ?? [];
    if (changes.length === 0) return 'same';
    const { taken } = which === 'left' ? left : right;
    const isTaken = (change: number) => taken === 'all' || taken.has(stamps[which][change] ?? '');
    return changes.every(isTaken) ? 'taken' : 'changed';
  };
  return shownDifferences(found, from, to, wishes, stateOf);
}

/** Returns what the page shows of a file of two tries that started from different versions of it. No single change can be taken then. */
export function unrelatedDifferences(left: TrySide, right: TrySide, wishes: readonly HunkWish[]): PageDifferences {
  if (left.kind === 'other' || right.kind === 'other') return withoutLines();
  const [from, to] = [linesToCompare(left), linesToCompare(right)];
  const shown = shownDifferences(differencesOf(from, from, to), from, to, wishes, () => 'unknown');
  if (shown.kind !== 'lines') return shown;
  const note = l10n.t(
    'The tries started from different versions of this file. To take single changes, compare each with its start.',
  );
  return { ...shown, note };
}

function withoutLines(): PageDifferences {
  return { kind: 'words', words: l10n.t('This file can’t be compared by lines.') };
}

function shownDifferences(
  found: readonly Difference[],
  from: readonly string[],
  to: readonly string[],
  wishes: readonly HunkWish[],
  stateOf: (which: 'left' | 'right', at: number) => PageDifferenceState,
): PageDifferences {
  if (found.length === 0) return { kind: 'words', words: l10n.t('The two sides don’t differ.') };
  const hunks = found.map((one, at): Hunk => ({
    id: `d${at}` as HunkId,
    baseStart: one.left.start,
    baseEnd: one.left.end,
    start: one.right.start,
    end: one.right.end,
    authors: [],
    lineAuthors: [],
  }));
  const shown = hunksToShow(
    { base: from.map(textOfLine), current: to.map(textOfLine), hunks },
    new Set(hunks.map(({ id }) => id)),
    wishes,
  );
  return {
    kind: 'lines',
    differences: shown.map((hunk, at) => ({ hunk, left: stateOf('left', at), right: stateOf('right', at) })),
  };
}

/** Finds the difference that the page shows with a stamp. Undefined if the files have changed since. */
export function differenceWith(
  base: TrySide,
  left: TrySide,
  right: TrySide,
  stamp: string,
  id: string,
): Difference | undefined {
  const [start, from, to] = [base, left, right].map(linesToCompare) as [string[], string[], string[]];
  const found = differencesOf(start, from, to).find((_, at) => `d${at}` === id);
  if (!found) return undefined;
  const hunk = {
    baseStart: found.left.start,
    baseEnd: found.left.end,
    start: found.right.start,
    end: found.right.end,
  } as Hunk;
  return stampOf({ base: from.map(textOfLine), current: to.map(textOfLine) }, hunk) === stamp ? found : undefined;
}

/** Returns a stamp for each change of a side since the base. It differs as soon as the change does. */
export function changeStamps(base: readonly string[], side: readonly string[]): readonly string[] {
  return diffLines(base, side).map((hunk) => {
    const { oldStart: baseStart, oldEnd: baseEnd, newStart: start, newEnd: end } = hunk;
    return `${baseStart} ${stampOf({ base, current: side }, { baseStart, baseEnd, start, end } as Hunk)}`;
  });
}
