import type { ContentBlock } from '../../shared/transcript/content';
import type { EntryId } from '../../shared/values/ids';
import type { Entry, Transcript } from '../../shared/transcript/transcript';

/** An entry whose content grows while the agent writes it. */
export type TextEntry = Extract<Entry, { kind: 'agent_message' | 'agent_thought' }>;

/**
 * Tells which shown entry a replayed one is: the one with the agent's id, and if neither has a partner by its id, one with
 * the same content. The callers add the order.
 */
export class ReplayIdentity {
  /** Partners by ids, in both directions. */
  private readonly partners = new Map<Entry, Entry>();
  private readonly reused: ReadonlySet<Entry['kind']>;
  /** Kinds of entries of which any id was given again, so that ids say something inside a turn. */
  private readonly givenAgain: ReadonlySet<Entry['kind']>;
  /** Kinds of texts of which one was replayed word by word, or that nothing shows. */
  private readonly repeated: ReadonlySet<Entry['kind']>;

  constructor(shown: Transcript, replayed: Transcript) {
    // An agent that numbers the calls of each turn from 1 says nothing with an id beyond its turn.
    const all = [...shown.entries.values(), ...replayed.entries.values()];
    this.reused = new Set(
      all.filter((entry) => isNamed(entry) && wireIdOf(entry) !== entry.id).map(({ kind }) => kind),
    );
    const given = new Set([...shown.entries.values()].filter(isNamed).map(wireIdOf));
    const again = [...replayed.entries.values()].filter((entry) => isNamed(entry) && given.has(wireIdOf(entry)));
    this.givenAgain = new Set(again.map(({ kind }) => kind));
    const told = new Set([...shown.entries.values()].filter(isText).map(keyOf));
    const kinds = new Set([...shown.entries.values()].map(({ kind }) => kind));
    const isAgain = (entry: Entry) => isText(entry) && (told.has(keyOf(entry)) || !kinds.has(entry.kind));
    this.repeated = new Set([...replayed.entries.values()].filter(isAgain).map(({ kind }) => kind));
    for (const entry of replayed.entries.values()) {
      const partner = isNamed(entry) && !this.reused.has(entry.kind) ? shown.entries.get(entry.id) : undefined;
      if (partner?.kind !== entry.kind) continue;
      this.partners.set(entry, partner);
      this.partners.set(partner, entry);
    }
  }

  /** Returns the entry of the other transcript that has the same id of the agent. */
  partnerOf(entry: Entry): Entry | undefined {
    return this.partners.get(entry);
  }

  /** Whether any entry of this kind has a partner by its id, so that ids last in this agent. */
  isLasting(kind: Entry['kind']): boolean {
    for (const entry of this.partners.keys()) if (entry.kind === kind) return true;
    return false;
  }

  /** Whether the agent replays texts of this kind as it has sent them, as far as anybody can tell. */
  isRepeated(kind: Entry['kind']): boolean {
    return this.repeated.has(kind);
  }

  /** Whether two entries, of which the first one is shown, can be the same one at the same place. */
  isSame(ours: Entry, theirs: Entry): boolean {
    if (ours.kind !== theirs.kind) return false;
    const partner = this.partners.get(theirs);
    if (partner ?? this.partners.get(ours)) return partner === ours;
    if (this.reused.has(ours.kind) && this.givenAgain.has(ours.kind) && isNamed(ours) && isNamed(theirs))
      return wireIdOf(ours) === wireIdOf(theirs);
    if (ours.kind === 'tool_call' && theirs.kind === 'tool_call') return ours.title === theirs.title;
    if (isText(ours) || ours.kind === 'user_message') return wordsOf(ours) === wordsOf(theirs) && wordsOf(ours) !== '';
    return true;
  }
}

/** Returns an entry's text without white space, because agents store line breaks and spaces differently. */
export function wordsOf(entry: Entry | undefined): string {
  if (!entry) return '';
  let words = known.get(entry);
  if (words === undefined) {
    const content: readonly ContentBlock[] = 'content' in entry && entry.kind !== 'tool_call' ? entry.content : [];
    // A message of the user is known by its text, because agents replay attachments in other forms.
    const told = entry.kind === 'user_message' ? content.filter(({ type }) => type === 'text') : content;
    words = told.map(wordsOfBlock).join('');
    known.set(entry, words);
  }
  return words;
}

const known = new WeakMap<Entry, string>();

function keyOf(entry: Entry): string {
  return `${entry.kind} ${wordsOf(entry)}`;
}

/** Returns the content that follows these first words. */
export function contentAfter({ content }: TextEntry, words: string): readonly ContentBlock[] {
  let left = words.length;
  return content.flatMap((block): readonly ContentBlock[] => {
    if (left === 0) return [block];
    if (block.type !== 'text') {
      left = Math.max(0, left - wordsOfBlock(block).length);
      return [];
    }
    let at = 0;
    for (; at < block.text.length && left > 0; at += 1) if (!/\s/.test(block.text[at] ?? '')) left -= 1;
    return at < block.text.length ? [{ ...block, text: block.text.slice(at) }] : [];
  });
}

/** Returns the content up to the end of these first words. */
export function contentUpTo({ content }: TextEntry, words: string): readonly ContentBlock[] {
  let left = words.length;
  return content.flatMap((block): readonly ContentBlock[] => {
    if (left === 0) return [];
    if (block.type !== 'text') {
      left = Math.max(0, left - wordsOfBlock(block).length);
      return [block];
    }
    let at = 0;
    for (; at < block.text.length && left > 0; at += 1) if (!/\s/.test(block.text[at] ?? '')) left -= 1;
    return [{ ...block, text: block.text.slice(0, at) }];
  });
}

/** Whether an entry has text of the agent. */
export function isText(entry: Entry): entry is TextEntry {
  return entry.kind === 'agent_message' || entry.kind === 'agent_thought';
}

/**
 * Returns whether the id came from the agent. Generated ids are numbered, and the same number may refer to another item
 * next time.
 */
export function isNamed({ kind, id }: Entry): boolean {
  return id.startsWith(`${kind}:`) && !id.startsWith(`${kind}:~`);
}

/** Returns an entry's id without the number that it got because the agent has used its id several times. */
function wireIdOf({ id }: Entry): EntryId {
  return id.replace(/~\d+$/, '') as EntryId;
}

function wordsOfBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text.replace(/\s+/g, '');
    case 'image':
    case 'audio':
      return `[${block.type} ${String(block.data.length)} ${block.data.slice(0, 64)}]`;
    case 'unknown':
      return '';
    default:
      return `[${block.type} ${block.uri}]`;
  }
}
