import * as l10n from '@vscode/l10n';
import type { SessionUpdate, ToolCallFields } from '../acp/sessionUpdate';
import type { ToolCallContent } from '../shared/content';
import type { TerminalId, ToolCallId } from '../shared/ids';
import type { TranscriptOp } from '../shared/ops';
import type { TerminalExit, TerminalView, ToolCallEntry, ToolCallStatus, Transcript } from '../shared/transcript';
import { toolCallEntryId } from './entryIds';
import { appendEntry, type Place } from './planMessage';

type Fields = Extract<TranscriptOp, { op: 'patch'; kind: 'tool_call' }>['fields'];
type TerminalUpdate = Extract<SessionUpdate, { sessionUpdate: 'terminal_update' }>;

/** Whether a tool call of this status will do no more. */
export function hasEnded(status: ToolCallStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Creates a tool call or changes what the update names. */
export function planToolCall(
  transcript: Transcript,
  toolCallId: ToolCallId,
  fields: ToolCallFields,
  now: number,
  place: Place,
): TranscriptOp[] {
  const entry = transcript.entries.get(toolCallEntryId(toolCallId));
  if (entry?.kind !== 'tool_call') {
    return appendEntry(transcript, newToolCall(toolCallId, fields, now, place), now);
  }
  const changed = changedFields(entry, fields, now);
  if (Object.keys(changed).length === 0) return [];
  return [{ op: 'patch', id: entry.id, kind: 'tool_call', fields: changed }];
}

function newToolCall(toolCallId: ToolCallId, fields: ToolCallFields, now: number, place: Place): ToolCallEntry {
  const { title, toolKind, status, content, locations, ...rest } = fields;
  return {
    kind: 'tool_call',
    id: toolCallEntryId(toolCallId),
    ...place,
    toolCallId,
    title: title || (fields.name ?? l10n.t('Tool call')),
    toolKind: toolKind ?? 'other',
    status: status ?? 'pending',
    content: content ?? [],
    locations: locations ?? [],
    permission: { state: 'none' },
    startedAt: now,
    ...(status && hasEnded(status) ? { endedAt: now } : {}),
    ...rest,
  };
}

function changedFields(entry: ToolCallEntry, fields: ToolCallFields, now: number): Fields {
  const { title, status, content, ...rest } = fields;
  const given: Fields = {
    ...rest,
    ...(content ? { content: withAllowedDiffs(entry, content) } : {}),
    ...(title ? { title } : {}),
    ...(status && movesOn(entry.status, status) ? { status } : {}),
  };
  const changed = Object.fromEntries(
    Object.entries(given).filter(([key, value]) => entry[key as keyof ToolCallEntry] !== value),
  ) as Fields;
  const ends = changed.status !== undefined && hasEnded(changed.status) && !hasEnded(entry.status);
  return ends ? { ...changed, endedAt: now } : changed;
}

/**
 * New content replaces the old, but what the user has allowed stays in sight: some agents show a diff in their request
 * alone and report no more than success afterwards.
 */
function withAllowedDiffs(
  { content: old, permission }: ToolCallEntry,
  content: readonly ToolCallContent[],
): readonly ToolCallContent[] {
  const isAllowed = permission.state === 'answered' && permission.option.kind.startsWith('allow');
  if (!isAllowed || content.some(({ type }) => type === 'diff')) return content;
  const allowed = old.filter(({ type }) => type === 'diff');
  return allowed.length === 0 ? content : [...allowed, ...content];
}

/**
 * Agents send `pending` and `in_progress` again, late or in a permission request: a call never goes back. Its end may
 * change, though, and the agent's word on it overrules our `cancelled`.
 */
function movesOn(from: ToolCallStatus, to: ToolCallStatus): boolean {
  return hasEnded(to) || (to === 'in_progress' && from === 'pending');
}

/** Creates or changes a terminal that only the agent sees; those that Parley runs tell their own story. */
export function planTerminal(transcript: Transcript, update: TerminalUpdate, now: number): TranscriptOp[] {
  const { terminalId, command, cwd } = update;
  const exit: TerminalExit | undefined = update.exit && { state: 'exited', ...update.exit, endedAt: now };
  const known = transcript.terminals.get(terminalId);
  if (!known) {
    const fresh = newTerminal(transcript, terminalId, now);
    const terminal = { ...fresh, command: command ?? '', cwd: cwd ?? fresh.cwd, exit: exit ?? fresh.exit };
    return [{ op: 'terminal', terminal }];
  }
  if (known.driver !== 'agent') return [];
  const fields = {
    ...(command !== undefined && command !== known.command ? { command } : {}),
    ...(cwd !== undefined && cwd !== known.cwd ? { cwd } : {}),
    ...(exit ? { exit } : {}),
  };
  return Object.keys(fields).length === 0 ? [] : [{ op: 'patchTerminal', id: terminalId, fields }];
}

/** Appends output to a terminal that only the agent sees; it may come before anything else is known of it. */
export function planTerminalOutput(
  transcript: Transcript,
  terminalId: TerminalId,
  data: string,
  now: number,
): TranscriptOp[] {
  const known = transcript.terminals.get(terminalId);
  if (known && known.driver !== 'agent') return [];
  const output: TranscriptOp = { op: 'terminalOutput', id: terminalId, data };
  return known ? [output] : [{ op: 'terminal', terminal: newTerminal(transcript, terminalId, now) }, output];
}

function newTerminal(transcript: Transcript, terminalId: TerminalId, now: number): TerminalView {
  return {
    terminalId,
    driver: 'agent',
    command: '',
    cwd: transcript.view.cwd,
    output: '',
    hidden: 0,
    startedAt: now,
    exit: { state: 'running' },
  };
}
