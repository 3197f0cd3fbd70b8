import type { EntryId } from '../../shared/values/ids';
import type { Entry, Transcript } from '../../shared/transcript/transcript';
import { alignInOrder } from './alignInOrder';
import { entryKinds } from './entryKinds';
import { wordsOf, type ReplayIdentity } from './replayIdentity';

/** A user message and the entries of the conversation after it. */
export interface ReplayTurn {
  readonly first: Entry;
  readonly rest: readonly Entry[];
  /** Parley's own entry at its end, which explains how it ended. */
  readonly end: EntryId | undefined;
}

/** A replayed turn and where it's shown. A replay can join several messages, of which the earlier ones had no answer. */
export interface TurnPair {
  readonly from: number;
  readonly to: number;
  readonly theirs: number;
}

/** Returns the turns of a transcript, without those of subagents and without one message. */
export function turnsOf({ order, entries }: Transcript, without?: EntryId): readonly ReplayTurn[] {
  const turns: { first: Entry; rest: Entry[]; end: EntryId | undefined }[] = [];
  for (const id of order) {
    const entry = entries.get(id);
    if (!entry || id === without || entry.subagent !== undefined) continue;
    const turn = turns.at(-1);
    if (entry.kind === 'user_message') turns.push({ first: entry, rest: [], end: undefined });
    else if (!turn) continue;
    else if (entryKinds[entry.kind].isConversation) {
      turn.rest.push(entry);
      turn.end = undefined;
    } else turn.end ??= id;
  }
  return turns;
}

/** Returns which replayed turns are shown, in order: those with the same words or an entry with the same id, most first. */
export function alignTurns(
  ours: readonly ReplayTurn[],
  theirs: readonly ReplayTurn[],
  identity: ReplayIdentity,
): readonly TurnPair[] {
  const places = new Map<Entry, number>();
  ours.forEach(({ first, rest }, at) => [first, ...rest].forEach((entry) => places.set(entry, at)));
  const shared = theirs.map(({ first, rest }) => {
    const counts = new Map<number, number>();
    for (const entry of [first, ...rest]) {
      const partner = identity.partnerOf(entry);
      const at = partner && places.get(partner);
      if (at !== undefined) counts.set(at, (counts.get(at) ?? 0) + 1);
    }
    return counts;
  });
  const ourAnswers = ours.map(answersOf);
  const theirAnswers = theirs.map(answersOf);
  const counts = [countsOf(ours), countsOf(theirs)];
  const isEqual = (at: number, theirAt: number) => {
    const words = wordsOf(ours[at]?.first);
    return words !== '' && words === wordsOf(theirs[theirAt]?.first);
  };
  const weight = (at: number, theirAt: number) => {
    const ids = shared[theirAt]?.get(at) ?? 0;
    if (isEqual(at, theirAt)) return 1 + ids + agreement(ourAnswers[at], theirAnswers[theirAt]);
    return ids > 0 && wordsOf(ours[at]?.first) === '' ? ids : 0;
  };
  const isCertain = (both: number) => {
    const words = wordsOf(ours[both]?.first);
    const isOnly = counts.every((count) => count.get(words) === 1);
    const said = ourAnswers[both]?.said ?? '';
    return isEqual(both, both) && (isOnly || (said !== '' && said === theirAnswers[both]?.said));
  };
  const pairs = alignInOrder(ours.length, theirs.length, weight, isCertain);
  const found = pairs.map(([at, theirAt]): TurnPair => ({ from: at, to: at, theirs: theirAt }));
  return [...found, ...reworded(ours, theirs, found)].sort((a, b) => a.theirs - b.theirs);
}

/** Returns the pairs among what is left between others: messages that the replay joins, or has with more or fewer words. */
function reworded(
  ours: readonly ReplayTurn[],
  theirs: readonly ReplayTurn[],
  pairs: readonly TurnPair[],
): readonly TurnPair[] {
  const found: TurnPair[] = [];
  const ends = [...pairs, { from: ours.length, to: ours.length, theirs: theirs.length }];
  let [at, theirAt] = [0, 0];
  for (const end of ends) {
    for (; theirAt < end.theirs; theirAt += 1) {
      const words = wordsOf(theirs[theirAt]?.first);
      const pair = placesOf(ours, at, end.from, words);
      if (!pair) continue;
      found.push({ ...pair, theirs: theirAt });
      at = pair.to + 1;
    }
    at = end.to + 1;
    theirAt = end.theirs + 1;
  }
  return found;
}

/** Finds words among the messages from one place to another: in several messages together, or in one. */
function placesOf(
  ours: readonly ReplayTurn[],
  from: number,
  end: number,
  words: string,
): { readonly from: number; readonly to: number } | undefined {
  if (words === '') return undefined;
  for (let first = from; first < end; first += 1) {
    let joined = '';
    for (let last = first; last < end && words.startsWith(joined); last += 1) {
      joined += wordsOf(ours[last]?.first);
      if (joined === words) return { from: first, to: last };
      if ((ours[last]?.rest ?? []).some(({ kind }) => entryKinds[kind].isResponse)) break;
    }
  }
  for (let one = from; one < end; one += 1) {
    const own = wordsOf(ours[one]?.first);
    const isPart = own.startsWith(words) || words.startsWith(own) || words.endsWith(own);
    if (Math.min(own.length, words.length) >= fewest && isPart) return { from: one, to: one };
  }
  return undefined;
}

/** Minimum length of words that aren't the same by chance. */
const fewest = 8;

/** What tells equal messages apart: what followed. */
interface Answers {
  readonly said: string;
  readonly thought: string;
  readonly calls: readonly string[];
}

function answersOf({ rest }: ReplayTurn): Answers {
  const textOf = (kind: Entry['kind']) => rest.map((entry) => (entry.kind === kind ? wordsOf(entry) : '')).join('');
  const calls = rest.flatMap((entry) => (entry.kind === 'tool_call' ? [entry.title] : []));
  return { said: textOf('agent_message'), thought: textOf('agent_thought'), calls };
}

/** Returns how much what followed on two equal messages agrees. Either can be cut off. */
function agreement(ours: Answers | undefined, theirs: Answers | undefined): number {
  if (!ours || !theirs) return 0;
  const calls = ours.calls.filter((title, at) => theirs.calls[at] === title).length;
  const isCalled = calls > 0 && calls === Math.min(ours.calls.length, theirs.calls.length);
  return likeness(ours.said, theirs.said) + likeness(ours.thought, theirs.thought) + (isCalled ? 2 : 0);
}

function likeness(one: string, other: string): number {
  if (one === '' || other === '') return 0;
  if (one === other) return 3;
  return one.startsWith(other) || other.startsWith(one) ? 2 : 0;
}

function countsOf(turns: readonly ReplayTurn[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { first } of turns) counts.set(wordsOf(first), (counts.get(wordsOf(first)) ?? 0) + 1);
  return counts;
}
