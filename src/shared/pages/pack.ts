import type { ToWebview } from './messages';
import type { TranscriptOp } from '../transcript/ops';
import { applyDelta, deltaOf, type TextDelta } from '../diff/textDelta';
import type { ToolCallContent } from '../transcript/content';
import type { Entry } from '../transcript/transcript';

type Diff = Extract<ToolCallContent, { type: 'diff' }>;

/** A diff whose new text is a delta of the old one, so that their common part is sent once. */
interface PackedDiff extends Omit<Diff, 'newText'> {
  readonly oldText: string;
  readonly delta: TextDelta;
}

declare const packed: unique symbol;

/** A compressed message for the page, to be unpacked before use. */
export type PackedMessage = { readonly [packed]: true };

/** Compresses a message; returns the same message if that saves nothing. */
export function packMessage(message: ToWebview): PackedMessage {
  return mapMessage(message, (diff) => {
    if (diff.oldText === undefined) return diff;
    const { newText, ...rest } = diff;
    const delta = deltaOf(diff.oldText, newText);
    if (!delta) return diff;
    const short: PackedDiff = { ...rest, oldText: diff.oldText, delta };
    return short as unknown as Diff;
  }) as unknown as PackedMessage;
}

/** Returns the original message. */
export function unpackMessage(message: PackedMessage): ToWebview {
  return mapMessage(message as unknown as ToWebview, (diff) => {
    if (!('delta' in diff)) return diff;
    const { delta, ...rest } = diff as unknown as PackedDiff;
    return { ...rest, newText: applyDelta(rest.oldText, delta) };
  });
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
