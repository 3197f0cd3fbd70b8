import type { SubagentUpdate } from '../../acp/shape/sessionUpdate';
import type { SessionId } from '../../shared/values/ids';
import type { TranscriptOp } from '../../shared/transcript/ops';
import { subagentEntryId, type SubagentEntry } from '../../shared/transcript/subagent';
import type { Transcript } from '../../shared/transcript/transcript';
import { appendEntry, endThought, type Place } from './reduceMessage';
import { assumedEnd, hasEnded, reduceCallEnd } from './reduceToolCall';

/** Creates a subagent's entry or changes the fields in the update. */
export function reduceSubagent(
  transcript: Transcript,
  { sessionId, fields }: SubagentUpdate,
  now: number,
  place: Place,
): TranscriptOp[] {
  const id = subagentEntryId(sessionId);
  const known = transcript.entries.get(id);
  const before = known?.kind === 'subagent' ? known : undefined;
  const after: SubagentEntry = {
    kind: 'subagent',
    id,
    sessionId,
    turn: before?.turn ?? place.turn,
    // The session that first reported a subagent started it.
    ...optionalField('subagent', before ? before.subagent : place.subagent),
    title: fields.title ?? before?.title ?? '',
    ...optionalField('description', fields.description ?? before?.description),
    canCancel: fields.canCancel ?? before?.canCancel ?? false,
    startedAt: before?.startedAt ?? now,
    ...stateAfter(before, fields.state, now),
  };
  if (!before) return appendEntry(transcript, after, now);
  if (JSON.stringify(after) === JSON.stringify(before)) return [];
  const ops: TranscriptOp[] = [{ op: 'replace', entry: after }];
  const ends = after.state === 'idle' && before.state !== 'idle';
  return ends ? [...ops, ...planLeftovers(transcript, sessionId, after.stopReason, now)] : ops;
}

type State = Pick<SubagentEntry, 'state' | 'stopReason' | 'error' | 'endedAt'>;

function stateAfter(before: SubagentEntry | undefined, told: SubagentUpdate['fields']['state'], now: number): State {
  if (!told) {
    if (!before) return { state: 'unknown' };
    const { state, stopReason, error, endedAt } = before;
    return {
      state,
      ...optionalField('stopReason', stopReason),
      ...optionalField('error', error),
      ...optionalField('endedAt', endedAt),
    };
  }
  const { state, stopReason, error } = told;
  if (state !== 'idle') return { state };
  return {
    state,
    ...optionalField('stopReason', stopReason),
    ...optionalField('error', error),
    endedAt: before?.endedAt ?? now,
  };
}

function optionalField<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined || value === '' ? {} : ({ [key]: value } as { [key in K]: V });
}

/**
 * Ends the subagents that seem unfinished: those of one turn, or all of them because their agent has disconnected.
 * Later reports by the agent override this.
 */
export function reduceSubagentsEnd(transcript: Transcript, now: number, turn?: number): TranscriptOp[] {
  const ops: TranscriptOp[] = [];
  for (const entry of transcript.entries.values()) {
    if (entry.kind !== 'subagent' || entry.state === 'idle' || (turn !== undefined && entry.turn !== turn)) continue;
    ops.push({ op: 'replace', entry: { ...entry, state: 'idle', stopReason: 'cancelled', endedAt: now } });
    ops.push(...planLeftovers(transcript, entry.sessionId, 'cancelled', now));
  }
  return ops;
}

/** Returns whether a subagent may still send updates. The main agent's state isn't known here. */
export function isSubagentAtWork(transcript: Transcript, subagent: SessionId | undefined): boolean {
  if (subagent === undefined) return false;
  const entry = transcript.entries.get(subagentEntryId(subagent));
  return entry?.kind === 'subagent' && entry.state !== 'idle';
}

/** Closes what a finished subagent left open; open requests to the user stay. */
function planLeftovers(
  transcript: Transcript,
  subagent: SessionId,
  stopReason: string | undefined,
  now: number,
): TranscriptOp[] {
  const isNormal = stopReason === undefined || stopReason === 'end_turn';
  const ops: TranscriptOp[] = [];
  const row = subagentEntryId(subagent);
  for (let at = transcript.order.length - 1; at >= 0; at--) {
    const id = transcript.order[at];
    // A subagent's entries follow its row.
    if (id === row) break;
    const entry = id === undefined ? undefined : transcript.entries.get(id);
    if (entry?.kind !== 'tool_call' || entry.subagent !== subagent) continue;
    if (hasEnded(entry.status) || entry.permission.state === 'asked') continue;
    ops.unshift(...reduceCallEnd(transcript, entry, isNormal ? assumedEnd(entry) : 'cancelled', now));
  }
  return [...endThought(transcript, now, subagent), ...ops];
}
