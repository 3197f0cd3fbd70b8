import type { PageState, ToWebview } from './messages';
import type { TranscriptOp } from '../transcript/ops';
import { applyDelta, deltaOf, type TextDelta } from '../diff/textDelta';
import type { ToolCallContent } from '../transcript/content';
import type { Entry } from '../transcript/transcript';
import { isSameJson } from '../values/isSameJson';

type Diff = Extract<ToolCallContent, { type: 'diff' }>;

/** A diff whose new text is a delta of the old one, so that their common part is sent once. */
interface PackedDiff extends Omit<Diff, 'newText'> {
  readonly oldText: string;
  readonly delta: TextDelta;
}

declare const packed: unique symbol;

/** A compressed message for the page, to be unpacked before use. */
export type PackedMessage = { readonly [packed]: true };

/** A page state as what has changed since the one before. */
interface PackedPage {
  readonly type: 'page';
  readonly fields: Partial<PageState>;
  readonly gone: readonly (keyof PageState)[];
}

/** Compresses the messages for one page, which one `Unpacker` reads in the same order. */
export class Packer {
  private page: PageState | undefined;

  /** Call this when the page has loaded again and has nothing of what was sent. */
  reset(): void {
    this.page = undefined;
  }

  /** Returns the same message if compressing saves nothing, and undefined if the page already has what it says. */
  pack(message: ToWebview): PackedMessage | undefined {
    if (message.type !== 'page') return asPacked(mapMessage(message, packDiff));
    const before = this.page;
    this.page = message.page;
    if (!before) return asPacked(message);
    const changes = changesOf(before, message.page);
    return changes && asPacked(changes);
  }
}

/** Restores the messages of a `Packer`. */
export class Unpacker {
  private page: PageState | undefined;

  /** Returns the original message. */
  unpack(message: PackedMessage): ToWebview {
    const sent = message as unknown as ToWebview | PackedPage;
    if (sent.type !== 'page') return mapMessage(sent, unpackDiff);
    this.page = 'fields' in sent ? withChanges(this.page, sent) : sent.page;
    return { type: 'page', page: this.page };
  }
}

function asPacked(message: ToWebview | PackedPage): PackedMessage {
  return message as unknown as PackedMessage;
}

/** Returns undefined if nothing has changed. */
function changesOf(before: PageState, page: PageState): PackedPage | undefined {
  const keys = Object.keys(page) as (keyof PageState)[];
  const changed = keys.filter((key) => !isSameJson(before[key], page[key]));
  const gone = (Object.keys(before) as (keyof PageState)[]).filter((key) => !(key in page));
  if (changed.length === 0 && gone.length === 0) return undefined;
  return { type: 'page', fields: Object.fromEntries(changed.map((key) => [key, page[key]])), gone };
}

function withChanges(before: PageState | undefined, { fields, gone }: PackedPage): PageState {
  const kept = Object.entries(before ?? {}).filter(([key]) => !gone.includes(key as keyof PageState));
  return { ...(Object.fromEntries(kept) as unknown as PageState), ...fields };
}

function packDiff(diff: Diff): Diff {
  if (diff.oldText === undefined) return diff;
  const { newText, ...rest } = diff;
  const delta = deltaOf(diff.oldText, newText);
  if (!delta) return diff;
  const short: PackedDiff = { ...rest, oldText: diff.oldText, delta };
  return short as unknown as Diff;
}

function unpackDiff(diff: Diff): Diff {
  if (!('delta' in diff)) return diff;
  const { delta, ...rest } = diff as unknown as PackedDiff;
  return { ...rest, newText: applyDelta(rest.oldText, delta) };
}

function mapMessage(message: ToWebview, change: (diff: Diff) => Diff): ToWebview {
  switch (message.type) {
    case 'snapshot': {
      const { snapshot } = message;
      return { ...message, snapshot: { ...snapshot, entries: mapEntries(snapshot.entries, change) } };
    }
    case 'older':
      return { ...message, entries: mapEntries(message.entries, change) };
    case 'ops':
      return { ...message, ops: message.ops.map((op) => mapOp(op, change)) };
    default:
      return message;
  }
}

function mapOp(op: TranscriptOp, change: (diff: Diff) => Diff): TranscriptOp {
  if (op.op === 'insert' || op.op === 'replace') return { ...op, entry: mapEntry(op.entry, change) };
  if (op.op !== 'patch' || op.kind !== 'tool_call' || op.fields.content === undefined) return op;
  return { ...op, fields: { ...op.fields, content: mapContent(op.fields.content, change) } };
}

function mapEntries(entries: readonly Entry[], change: (diff: Diff) => Diff): readonly Entry[] {
  return entries.map((entry) => mapEntry(entry, change));
}

function mapEntry(entry: Entry, change: (diff: Diff) => Diff): Entry {
  if (entry.kind !== 'tool_call' || entry.content.length === 0) return entry;
  return { ...entry, content: mapContent(entry.content, change) };
}

function mapContent(content: readonly ToolCallContent[], change: (diff: Diff) => Diff): readonly ToolCallContent[] {
  return content.map((part) => (part.type === 'diff' ? change(part) : part));
}
