import * as l10n from '@vscode/l10n';
import { compact } from '../../shared/values/decodeValue';
import type { SessionUpdate, ToolCallFields } from '../../acp/shape/sessionUpdate';
import type { ToolCallContent } from '../../shared/transcript/content';
import type { EntryId, TerminalId, ToolCallId } from '../../shared/values/ids';
import type { TranscriptOp } from '../../shared/transcript/ops';
import type {
  PermissionView,
  TerminalExit,
  TerminalView,
  ToolCallEntry,
  ToolCallStatus,
  Transcript,
} from '../../shared/transcript/transcript';
import { isSameJson } from '../../shared/values/isSameJson';
import { afterAnswer, holdUpdate } from './askedCall';
import { toolCallEntryId } from './entryIds';
import { appendEntry, type Place } from './reduceMessage';

type Diff = Extract<ToolCallContent, { type: 'diff' }>;
type Fields = Extract<TranscriptOp, { op: 'patch'; kind: 'tool_call' }>['fields'];
/** The part of an update to show, and the request's state with the rest. */
interface Kept {
  readonly fields: ToolCallFields;
  readonly permission?: PermissionView;
}
type TerminalUpdate = Extract<SessionUpdate, { sessionUpdate: 'terminal_update' }>;

/** Returns whether a tool call with this status is finished. */
export function hasEnded(status: ToolCallStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/**
 * Creates a tool call or changes the fields in the update. Only an update with `asks` changes what the user was asked.
 */
export function reduceToolCall(
  transcript: Transcript,
  toolCallId: ToolCallId,
  fields: ToolCallFields,
  now: number,
  place: Place,
  asks = false,
): TranscriptOp[] {
  const entry = transcript.entries.get(toolCallEntryId(toolCallId));
  if (entry?.kind !== 'tool_call') {
    return appendEntry(transcript, newToolCall(toolCallId, fields, now, place), now);
  }
  const changed = changedFields(entry, asks ? { fields } : keepAsked(entry, fields), now);
  if (Object.keys(changed).length === 0) return [];
  if (changed.rawInput !== null && changed.rawOutput !== null) {
    return [{ op: 'patch', id: entry.id, kind: 'tool_call', fields: changed }];
  }
  return [{ op: 'replace', entry: withoutCleared({ ...entry, ...changed }) }];
}

/** Returns a call without the raw values that the agent has cleared. */
function withoutCleared(entry: ToolCallEntry): ToolCallEntry {
  const { rawInput, rawOutput, ...rest } = entry;
  return {
    ...rest,
    ...(rawInput === null || rawInput === undefined ? {} : { rawInput }),
    ...(rawOutput === null || rawOutput === undefined ? {} : { rawOutput }),
  };
}

function newToolCall(toolCallId: ToolCallId, fields: ToolCallFields, now: number, place: Place): ToolCallEntry {
  const { title, toolKind, status, content, locations, ...rest } = fields;
  return withoutCleared({
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
  });
}

function keepAsked(entry: ToolCallEntry, update: ToolCallFields): Kept {
  const { permission } = entry;
  if (permission.state === 'answered') return { fields: afterAnswer(entry, update) };
  if (permission.state !== 'asked') return { fields: update };
  const { fields, changed } = holdUpdate(entry, update);
  if (isSameJson(changed, permission.changed)) return { fields };
  const { state, request, options } = permission;
  return { fields, permission: { state, request, options, ...(changed ? { changed } : {}) } };
}

function changedFields(entry: ToolCallEntry, { fields, permission }: Kept, now: number): Fields {
  const { title, status, content, ...rest } = fields;
  const given: Fields = {
    ...rest,
    ...(content ? { content: withKnownLines(entry, content) } : {}),
    ...(title ? { title } : {}),
    ...(status && movesOn(entry.status, status) ? { status } : {}),
    ...(permission ? { permission } : {}),
  };
  const changed = Object.fromEntries(
    Object.entries(given).filter(([key, value]) => (entry[key as keyof ToolCallEntry] ?? null) !== (value ?? null)),
  ) as Fields;
  const ends = changed.status !== undefined && hasEnded(changed.status) && !hasEnded(entry.status);
  return ends ? { ...changed, endedAt: now } : changed;
}

/** Keeps the known line of a diff that is sent again. */
function withKnownLines(
  { content: old }: ToolCallEntry,
  content: readonly ToolCallContent[],
): readonly ToolCallContent[] {
  const known = old.filter((item) => item.type === 'diff').filter(({ line }) => line !== undefined);
  if (known.length === 0) return content;
  return content.map((item) => (item.type === 'diff' ? (known.find((one) => isSameDiff(one, item)) ?? item) : item));
}

/** Sets the line of a call's diff; does nothing if the call no longer shows the diff. */
export function reduceDiffLine(transcript: Transcript, id: EntryId, diff: Diff, line: number): TranscriptOp[] {
  const entry = transcript.entries.get(id);
  if (entry?.kind !== 'tool_call') return [];
  const isMeant = (item: ToolCallContent) => item.type === 'diff' && item.line !== line && isSameDiff(item, diff);
  if (!entry.content.some(isMeant)) return [];
  const content = entry.content.map((item) => (isMeant(item) ? { ...diff, line } : item));
  return [{ op: 'patch', id, kind: 'tool_call', fields: { content } }];
}

function isSameDiff(one: Diff, other: Diff): boolean {
  return one.path === other.path && one.oldText === other.oldText && one.newText === other.newText;
}

/**
 * Agents send `pending` and `in_progress` again, late or in a permission request, but a call never moves backward. Its
 * final status may change, though, and the agent's report overrides Parley's `cancelled`.
 */
function movesOn(from: ToolCallStatus, to: ToolCallStatus): boolean {
  if (hasEnded(to)) return true;
  return !hasEnded(from) && from !== to && to !== 'pending';
}

/** Creates or changes an agent-run terminal. Parley reports its own terminals itself. */
export function reduceTerminal(transcript: Transcript, update: TerminalUpdate, now: number): TranscriptOp[] {
  const { terminalId, command, cwd, output, canCancel } = update;
  const exit: TerminalExit | undefined =
    update.exit === 'running' ? { state: 'running' } : update.exit && { state: 'exited', ...update.exit, endedAt: now };
  const known = transcript.terminals.get(terminalId);
  const printed: TranscriptOp[] = output ? [{ op: 'terminalOutput', id: terminalId, data: output }] : [];
  if (!known) {
    const fresh = newTerminal(transcript, terminalId, now);
    const terminal = {
      ...fresh,
      command: command ?? '',
      cwd: cwd || fresh.cwd,
      exit: exit ?? fresh.exit,
      ...compact({ canCancel }),
    };
    return [{ op: 'terminal', terminal }, ...printed];
  }
  if (known.driver !== 'agent') return [];
  // The same output again changes nothing.
  const isReplaced = output !== undefined && !(known.hidden === 0 && known.output === output);
  const isRewritten =
    (isReplaced && hasOtherOutput(known, output)) || (exit !== undefined && hasOtherExit(known, exit));
  const fields = {
    ...(isRewritten && known.exit.state === 'exited' ? { isRewritten: true as const } : {}),
    ...(command !== undefined && command !== known.command ? { command } : {}),
    ...(cwd !== undefined && cwd !== known.cwd ? { cwd } : {}),
    ...(canCancel !== undefined && canCancel !== (known.canCancel ?? false) ? { canCancel } : {}),
    ...(exit ? { exit } : {}),
    ...(isReplaced ? { output: '', hidden: 0, replaced: (known.replaced ?? 0) + 1 } : {}),
  };
  const patch: TranscriptOp[] =
    Object.keys(fields).length === 0 ? [] : [{ op: 'patchTerminal', id: terminalId, fields }];
  return isReplaced ? [...patch, ...printed] : patch;
}

/** Returns whether replacing the output would remove or change a part of it. */
function hasOtherOutput(known: TerminalView, output: string): boolean {
  return !output.includes(known.output);
}

function hasOtherExit({ exit: before }: TerminalView, exit: TerminalExit): boolean {
  if (before.state !== 'exited') return false;
  if (exit.state !== 'exited') return true;
  const { exitCode, signal } = before;
  return (exitCode ?? signal) !== undefined && (exit.exitCode !== exitCode || exit.signal !== signal);
}

/** Appends output to an agent-run terminal. The output may arrive before anything else about the terminal. */
export function reduceTerminalOutput(
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

/**
 * Returns the final status to assume for a call when its turn ends normally: completed if it was running and its request
 * wasn't rejected or withdrawn, otherwise cancelled.
 */
export function assumedEnd({ status, permission }: ToolCallEntry): ToolCallStatus {
  const rejected = permission.state === 'answered' && permission.option.kind.startsWith('reject');
  return status === 'in_progress' && !rejected && permission.state !== 'cancelled' ? 'completed' : 'cancelled';
}

/** Ends a call and its agent-run commands. */
export function reduceCallEnd(
  transcript: Transcript,
  call: ToolCallEntry,
  status: ToolCallStatus,
  now: number,
): TranscriptOp[] {
  const ops: TranscriptOp[] = [{ op: 'patch', id: call.id, kind: 'tool_call', fields: { status, endedAt: now } }];
  for (const item of call.content) {
    const terminal = item.type === 'terminal' ? transcript.terminals.get(item.terminalId) : undefined;
    // Parley's own terminals run until they are released and report their own exit.
    if (terminal?.driver !== 'agent' || terminal.exit.state !== 'running') continue;
    ops.push({ op: 'patchTerminal', id: terminal.terminalId, fields: { exit: { state: 'exited', endedAt: now } } });
  }
  return ops;
}
