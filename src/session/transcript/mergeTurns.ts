import type { EntryId } from '../../shared/values/ids';
import type { Entry } from '../../shared/transcript/transcript';
import { mergeTurn, type TurnMerge } from './mergeTurn';
import type { ReplayIdentity } from './replayIdentity';
import { alignTurns, type ReplayTurn, type TurnPair } from './replayTurns';

/** A replayed entry that isn't shown. */
export interface Missing {
  readonly entry: Entry;
  /** The shown entry that it comes before; at the end of the transcript without one. */
  readonly before: EntryId | undefined;
  /** Its turn; with `isLater`, counted from the last one that is shown. */
  readonly turn: number;
  readonly isLater?: true;
}

/** What a replay adds to the shown turns. */
export interface TurnsMerge {
  readonly same: TurnMerge['same'];
  readonly completed: TurnMerge['completed'];
  /** In the order of the replay. */
  readonly missing: readonly Missing[];
}

/** Compares all turns of a replay with the shown ones. */
export function mergeTurns(
  ours: readonly ReplayTurn[],
  theirs: readonly ReplayTurn[],
  identity: ReplayIdentity,
): TurnsMerge {
  const pairs = alignTurns(ours, theirs, identity);
  const merges = pairs.map((pair) => {
    const shown = ours.slice(pair.from, pair.to + 1).flatMap(({ rest }) => rest);
    return mergeTurn(shown, theirs[pair.theirs]?.rest ?? [], identity);
  });
  const missing = pairs.flatMap((pair, index) => {
    const turn = ours[pair.to];
    const end = turn?.end ?? ours[pair.to + 1]?.first.id;
    const rest = merges[index]?.news ?? [];
    return [
      ...earlier(ours, theirs, identity, { from: pairs[index - 1], to: pair }),
      ...rest.map(({ entry, before }) => ({ entry, before: before ?? end, turn: turn?.first.turn ?? 0 })),
    ];
  });
  return {
    same: merges.flatMap(({ same }) => same),
    completed: merges.flatMap(({ completed }) => completed),
    missing: [...missing, ...later(theirs, identity, pairs.at(-1))],
  };
}

/** Returns the replayed turns between two shown ones. */
function earlier(
  ours: readonly ReplayTurn[],
  theirs: readonly ReplayTurn[],
  identity: ReplayIdentity,
  { from, to }: { readonly from: TurnPair | undefined; readonly to: TurnPair },
): readonly Missing[] {
  const at = from ? from.to + 1 : 0;
  // Messages that are left at the same place were replayed in other words.
  if (at < to.from) return [];
  const turn = ours[at - 1]?.first.turn ?? 0;
  const before = ours[to.from]?.first.id;
  return missingOf(theirs.slice(from ? from.theirs + 1 : 0, to.theirs), identity).map((entry) => ({
    entry,
    before,
    turn,
  }));
}

/** Returns the replayed turns after the last one that is shown: from elsewhere, or from after the record was cut off. */
function later(
  theirs: readonly ReplayTurn[],
  identity: ReplayIdentity,
  last: TurnPair | undefined,
): readonly Missing[] {
  if (!last) return [];
  const turn = theirs[last.theirs]?.first.turn ?? 0;
  return missingOf(theirs.slice(last.theirs + 1), identity).map((entry) => ({
    entry,
    before: undefined,
    turn: entry.turn - turn,
    isLater: true,
  }));
}

/** Returns the entries of turns that aren't shown. If everything of a turn is, its message was written for the agent's model. */
function missingOf(turns: readonly ReplayTurn[], identity: ReplayIdentity): readonly Entry[] {
  return turns.flatMap(({ first, rest }) => {
    const missing = rest.filter((entry) => !isShown(entry, identity));
    return missing.length === 0 && rest.length > 0 ? [] : [first, ...missing];
  });
}

/** Whether an entry of a turn that isn't shown is. An agent can use an id again for another call. */
function isShown(entry: Entry, identity: ReplayIdentity): boolean {
  const partner = identity.partnerOf(entry);
  if (entry.kind === 'tool_call') return partner?.kind === 'tool_call' && partner.title === entry.title;
  return partner !== undefined;
}
