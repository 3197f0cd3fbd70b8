import type { ContentBlock } from '../../shared/transcript/content';
import type { EntryId } from '../../shared/values/ids';
import type { Entry } from '../../shared/transcript/transcript';
import { alignInOrder } from './alignInOrder';
import { ReplayedText } from './replayedText';
import { isText, type ReplayIdentity, type TextEntry } from './replayIdentity';

/** What a replayed turn adds to the shown one. */
export interface TurnMerge {
  /** Replayed entries with the shown ones that they are. */
  readonly same: readonly (readonly [theirs: Entry, ours: Entry])[];
  /** Shown texts that were cut off, with their whole content. */
  readonly completed: readonly (readonly [ours: TextEntry, content: readonly ContentBlock[]])[];
  /** Entries that aren't shown, with the one that they come before; at the turn's end without one. */
  readonly news: readonly { readonly entry: Entry; readonly before: EntryId | undefined }[];
}

/** A replayed entry that isn't shown, and the places of the shown ones before and after it. */
interface Unknown {
  readonly entry: Entry;
  readonly after: number;
  /** Gets lower when a later entry of the replay is found in between. */
  until: number;
}

/**
 * Compares the entries of one turn. The same entries come first: by the agent's ids, and by content and order. What is left
 * between them is compared as text, because agents replay texts in other pieces. What then is unknown is new, unless
 * something of its kind is left at the same place: the agent has only put that into other words.
 */
export function mergeTurn(ours: readonly Entry[], theirs: readonly Entry[], identity: ReplayIdentity): TurnMerge {
  return new Merging(ours, theirs, identity).result();
}

class Merging {
  private readonly ours: readonly Entry[];
  private readonly theirs: readonly Entry[];
  private readonly identity: ReplayIdentity;
  private readonly same: (readonly [Entry, Entry])[] = [];
  private readonly completed: (readonly [TextEntry, readonly ContentBlock[]])[] = [];
  private readonly unknown: Unknown[] = [];
  /** Shown entries that are known in the replay, and the kinds of them. */
  private readonly used = new Set<Entry>();
  private readonly known = new Set<Entry['kind']>();
  private readonly texts: Readonly<Record<TextEntry['kind'], ReplayedText>>;

  constructor(ours: readonly Entry[], theirs: readonly Entry[], identity: ReplayIdentity) {
    this.ours = ours;
    this.theirs = theirs;
    this.identity = identity;
    this.texts = {
      agent_message: new ReplayedText(ours, 'agent_message'),
      agent_thought: new ReplayedText(ours, 'agent_thought'),
    };
  }

  result(): TurnMerge {
    const { ours, theirs } = this;
    const isSame = (at: number, theirAt: number) => {
      const [one, other] = [ours[at], theirs[theirAt]];
      return one !== undefined && other !== undefined && this.identity.isSame(one, other);
    };
    const weight = (at: number, theirAt: number) => (isSame(at, theirAt) ? 1 : 0);
    const pairs = alignInOrder(ours.length, theirs.length, weight, (both) => isSame(both, both));
    for (const [at] of pairs) this.use(ours[at]);
    let [after, theirAt] = [-1, 0];
    for (const [until, theirEnd] of [...pairs, [ours.length, theirs.length] as const]) {
      for (const entry of theirs.slice(theirAt, theirEnd)) after = this.place(entry, after, until);
      this.pair(ours[until], theirs[theirEnd], until);
      [after, theirAt] = [until, theirEnd + 1];
    }
    return { same: this.same, completed: this.completed, news: this.unknown.flatMap((one) => this.newOf(one)) };
  }

  private pair(one: Entry | undefined, other: Entry | undefined, at: number): void {
    if (!one || !other) return;
    this.same.push([other, one]);
    this.use(one);
    if (isText(one)) this.texts[one.kind].pass(at);
  }

  private use(entry: Entry | undefined): void {
    if (!entry) return;
    this.used.add(entry);
    this.known.add(entry.kind);
  }

  /** Looks for an entry between two places. Returns the place that the next one comes after. */
  private place(entry: Entry, after: number, until: number): number {
    const partner = this.identity.partnerOf(entry);
    if (partner) {
      // The same entry is shown at another place.
      this.same.push([entry, partner]);
      this.use(partner);
      return after;
    }
    return isText(entry) ? this.placeText(entry, after, until) : this.placeOther(entry, after, until);
  }

  private placeText(entry: TextEntry, after: number, until: number): number {
    const found = this.texts[entry.kind].find(entry, { after, until, used: this.used });
    if (!found) {
      this.unknown.push({ entry, after, until });
      return after;
    }
    for (const one of found.entries) this.use(one);
    const [first] = found.entries;
    const begin = first ? this.ours.indexOf(first) : after;
    if (found.start) this.unknown.push({ entry: { ...entry, content: found.start }, after, until: begin });
    if (first) this.cameBefore(begin);
    const last = found.entries.at(-1);
    const at = last ? Math.max(after, this.ours.indexOf(last)) : after;
    if (!found.rest || !last) return at;
    // What isn't shown of it follows from the calls in between.
    if (this.ours.slice(at + 1, until).some(({ kind }) => kind !== 'agent_thought')) {
      this.unknown.push({ entry: { ...entry, content: found.rest }, after: until - 1, until });
      return until - 1;
    }
    this.completed.push([last, found.isWhole ? entry.content : [...last.content, ...found.rest]]);
    return at;
  }

  private placeOther(entry: Entry, after: number, until: number): number {
    // Agents replay calls with other ids and titles.
    const isLike = (one: Entry, at: number) =>
      at > after && at < until && one.kind === 'tool_call' && !this.used.has(one) && !this.identity.partnerOf(one);
    const canBeLike = entry.kind === 'tool_call' && !this.identity.isLasting('tool_call');
    const at = canBeLike ? this.ours.findIndex(isLike) : -1;
    const call = this.ours[at];
    if (!call) {
      this.unknown.push({ entry, after, until });
      return after;
    }
    this.same.push([entry, call]);
    this.use(call);
    this.cameBefore(at);
    return at;
  }

  /** What was unknown so far comes before the entry at this place, which the replay has after it. */
  private cameBefore(at: number): void {
    for (const one of this.unknown) if (one.after < at && at < one.until) one.until = at;
  }

  private newOf({ entry, after, until }: Unknown): TurnMerge['news'] {
    const { kind } = entry;
    const isAtEnd = until === this.ours.length;
    const place = { entry, before: this.ours[until]?.id };
    if (this.identity.isLasting(kind)) return [place];
    // Some agents replay other thoughts than they had sent, and in other places.
    const isRepeated = kind === 'agent_message' || kind === 'tool_call' || this.identity.isRepeated(kind);
    if (!isAtEnd && !isRepeated) return [];
    const isLeft = (one: Entry) => one.kind === kind && !this.used.has(one);
    if (isText(entry) && !this.known.has(kind) && this.ours.some(isLeft)) return [];
    return this.ours.slice(after + 1, until).some(isLeft) ? [] : [place];
  }
}
