import { assertNever } from '../values/assert';
import type { ContentBlock } from './content';
import type { EntryId, TerminalId } from '../values/ids';
import { oldestQuestion } from './openQuestion';
import type {
  AgentMessageEntry,
  CompactionEntry,
  Entry,
  NoticeEntry,
  PlanEntry,
  SessionView,
  TerminalView,
  ThoughtEntry,
  ToolCallEntry,
  Transcript,
  UserMessageEntry,
} from './transcript';
import type { TurnSummary } from '../amounts/turnSummary';

type Fields<E> = Partial<Omit<E, 'id' | 'kind'>>;

/**
 * One change of a transcript. Ops are independent of the protocol. The extension host applies them and the chat page
 * receives them, so both have the same transcript.
 */
export type TranscriptOp =
  /** Inserts an entry before another one, or at the end. */
  | { readonly op: 'insert'; readonly entry: Entry; readonly before?: EntryId }
  | { readonly op: 'replace'; readonly entry: Entry }
  /** Sets some fields of an entry of a known kind; other fields stay. */
  | { readonly op: 'patch'; readonly id: EntryId; readonly kind: 'tool_call'; readonly fields: Fields<ToolCallEntry> }
  | {
      readonly op: 'patch';
      readonly id: EntryId;
      readonly kind: 'agent_thought';
      readonly fields: Fields<ThoughtEntry>;
    }
  | {
      readonly op: 'patch';
      readonly id: EntryId;
      readonly kind: 'user_message';
      readonly fields: Fields<UserMessageEntry>;
    }
  | {
      readonly op: 'patch';
      readonly id: EntryId;
      readonly kind: 'agent_message';
      readonly fields: Fields<AgentMessageEntry>;
    }
  | {
      readonly op: 'patch';
      readonly id: EntryId;
      readonly kind: 'compaction';
      readonly fields: Fields<CompactionEntry>;
    }
  | { readonly op: 'patch'; readonly id: EntryId; readonly kind: 'notice'; readonly fields: Fields<NoticeEntry> }
  | { readonly op: 'patch'; readonly id: EntryId; readonly kind: 'plan'; readonly fields: Fields<PlanEntry> }
  /** Sets the summary of a turn on its last entry, whatever its kind. */
  | { readonly op: 'summarize'; readonly id: EntryId; readonly summary: TurnSummary }
  /** Appends to the text block at index `block` of a message; an index one past the end starts a new block. */
  | { readonly op: 'appendText'; readonly id: EntryId; readonly block: number; readonly text: string }
  /** Appends a whole block to a message, a thought, or a compaction's summary. */
  | { readonly op: 'appendContent'; readonly id: EntryId; readonly content: ContentBlock }
  /** Removes an entry and all entries after it. */
  | { readonly op: 'truncate'; readonly from: EntryId }
  /** Creates or replaces a terminal. */
  | { readonly op: 'terminal'; readonly terminal: TerminalView }
  | {
      readonly op: 'patchTerminal';
      readonly id: TerminalId;
      readonly fields: Partial<Omit<TerminalView, 'terminalId'>>;
    }
  | { readonly op: 'terminalOutput'; readonly id: TerminalId; readonly data: string }
  | { readonly op: 'view'; readonly fields: Partial<SessionView> };

/** The mutable form of a transcript, for `applyOps`. All other code uses `Transcript`. */
export interface MutableTranscript extends Transcript {
  rev: number;
  view: SessionView;
  readonly order: EntryId[];
  readonly entries: Map<EntryId, Entry>;
  readonly terminals: Map<TerminalId, TerminalView>;
}

/** A transcript as plain JSON, for pages to start from and for storage. */
export interface TranscriptSnapshot {
  readonly rev: number;
  readonly view: SessionView;
  readonly entries: readonly Entry[];
  /** Number of older entries omitted at the start. */
  readonly omitted: number;
  readonly terminals: readonly TerminalView[];
}

/**
 * Terminal output is cut in steps of this many UTF-16 units, so that the result doesn't depend on how appends were
 * batched.
 */
export const terminalCutStep = 65_536;
/** Minimum length of a terminal's output kept after cutting, in UTF-16 units. */
export const terminalKept = 524_288;

export function createTranscript(view: SessionView): MutableTranscript {
  return { rev: 0, view, order: [], entries: new Map(), terminals: new Map() };
}

/**
 * Returns the newest `limit` entries, or more to include the oldest entry that waits for the user's answer, and every
 * terminal that they or the view can show.
 */
export function takeSnapshot(transcript: Transcript, limit = Number.POSITIVE_INFINITY): TranscriptSnapshot {
  const newest = Math.max(0, transcript.order.length - limit);
  const omitted = newest === 0 ? 0 : Math.min(newest, oldestQuestion(transcript));
  const entries: Entry[] = [];
  for (const id of transcript.order.slice(omitted)) {
    const entry = transcript.entries.get(id);
    if (entry) entries.push(entry);
  }
  return {
    rev: transcript.rev,
    view: transcript.view,
    entries,
    omitted,
    terminals: [...transcript.terminals.values()],
  };
}

export function fromSnapshot(snapshot: TranscriptSnapshot): MutableTranscript {
  const transcript = createTranscript(snapshot.view);
  transcript.rev = snapshot.rev;
  for (const entry of snapshot.entries) {
    transcript.order.push(entry.id);
    transcript.entries.set(entry.id, entry);
  }
  for (const terminal of snapshot.terminals) transcript.terminals.set(terminal.terminalId, terminal);
  return transcript;
}

/**
 * Applies ops in order and counts them in `rev`. Ops for unknown items have no effect, because a replica with only the
 * newest entries also receives ops for older ones.
 */
export function applyOps(transcript: MutableTranscript, ops: readonly TranscriptOp[]): void {
  for (const op of ops) applyOp(transcript, op);
  transcript.rev += ops.length;
}

function applyOp(transcript: MutableTranscript, op: TranscriptOp): void {
  switch (op.op) {
    case 'insert': {
      insert(transcript, op.entry, op.before);
      return;
    }
    case 'replace': {
      if (transcript.entries.has(op.entry.id)) transcript.entries.set(op.entry.id, op.entry);
      return;
    }
    case 'patch': {
      const entry = transcript.entries.get(op.id);
      if (entry?.kind === op.kind) transcript.entries.set(op.id, { ...entry, ...op.fields } as Entry);
      return;
    }
    case 'summarize': {
      const entry = transcript.entries.get(op.id);
      if (entry && entry.kind !== 'login') transcript.entries.set(op.id, { ...entry, turnSummary: op.summary });
      return;
    }
    case 'appendText': {
      changeContent(transcript, op.id, (content) => appendToBlock(content, op.block, op.text));
      return;
    }
    case 'appendContent': {
      changeContent(transcript, op.id, (content) => [...content, op.content]);
      return;
    }
    case 'truncate': {
      const at = transcript.order.indexOf(op.from);
      if (at < 0) return;
      for (const id of transcript.order.splice(at)) transcript.entries.delete(id);
      return;
    }
    case 'terminal': {
      transcript.terminals.set(op.terminal.terminalId, op.terminal);
      return;
    }
    case 'patchTerminal': {
      const terminal = transcript.terminals.get(op.id);
      if (terminal) transcript.terminals.set(op.id, { ...terminal, ...op.fields });
      return;
    }
    case 'terminalOutput': {
      const terminal = transcript.terminals.get(op.id);
      if (terminal) transcript.terminals.set(op.id, appendOutput(terminal, op.data));
      return;
    }
    case 'view': {
      transcript.view = { ...transcript.view, ...op.fields };
      return;
    }
    default:
      assertNever(op);
  }
}

function insert(transcript: MutableTranscript, entry: Entry, before: EntryId | undefined): void {
  if (transcript.entries.has(entry.id)) {
    transcript.entries.set(entry.id, entry);
    return;
  }
  const at = before === undefined ? -1 : transcript.order.lastIndexOf(before);
  if (at < 0) transcript.order.push(entry.id);
  else transcript.order.splice(at, 0, entry.id);
  transcript.entries.set(entry.id, entry);
}

function changeContent(
  transcript: MutableTranscript,
  id: EntryId,
  change: (content: readonly ContentBlock[]) => readonly ContentBlock[],
): void {
  const entry = transcript.entries.get(id);
  switch (entry?.kind) {
    case 'user_message':
    case 'agent_message':
    case 'agent_thought':
      transcript.entries.set(id, { ...entry, content: change(entry.content) });
      return;
    case 'compaction':
      transcript.entries.set(id, { ...entry, summary: change(entry.summary) });
      return;
    default:
  }
}

function appendToBlock(content: readonly ContentBlock[], block: number, text: string): readonly ContentBlock[] {
  const old = content[block];
  if (old?.type !== 'text') return [...content, { type: 'text', text }];
  const changed = { ...old, text: old.text + text };
  return content.length === 1 ? [changed] : content.with(block, changed);
}

function appendOutput(terminal: TerminalView, data: string): TerminalView {
  const output = terminal.output + data;
  const total = terminal.hidden + output.length;
  const hidden = Math.max(0, Math.floor((total - terminalKept) / terminalCutStep) * terminalCutStep);
  if (hidden <= terminal.hidden) return { ...terminal, output };
  return { ...terminal, output: output.slice(hidden - terminal.hidden), hidden };
}

/**
 * Joins neighboring ops: text appended to one block, output of one terminal, patches of one entry, and patches of the
 * view. Applying the result gives the same transcript.
 */
export function coalesce(ops: readonly TranscriptOp[]): TranscriptOp[] {
  const out: TranscriptOp[] = [];
  // Collects text in parts and joins it once, because a string that grows by one chunk at a time would be copied each
  // time.
  let parts: string[] = [];
  const flush = () => {
    if (parts.length < 2) return;
    const last = out.at(-1);
    if (last?.op === 'appendText') out[out.length - 1] = { ...last, text: parts.join('') };
    else if (last?.op === 'terminalOutput') out[out.length - 1] = { ...last, data: parts.join('') };
  };
  for (const op of ops) {
    const last = out.at(-1);
    if (op.op === 'appendText' && last?.op === 'appendText' && last.id === op.id && last.block === op.block) {
      parts.push(op.text);
      continue;
    }
    if (op.op === 'terminalOutput' && last?.op === 'terminalOutput' && last.id === op.id) {
      parts.push(op.data);
      continue;
    }
    flush();
    parts = [];
    if (op.op === 'view' && last?.op === 'view') {
      out[out.length - 1] = { op: 'view', fields: { ...last.fields, ...op.fields } };
      continue;
    }
    if (op.op === 'patch' && last?.op === 'patch' && last.id === op.id && last.kind === op.kind) {
      out[out.length - 1] = { ...last, fields: { ...last.fields, ...op.fields } } as TranscriptOp;
      continue;
    }
    out.push(op);
    if (op.op === 'appendText') parts = [op.text];
    else if (op.op === 'terminalOutput') parts = [op.data];
  }
  flush();
  return out;
}
