import type { Dialect } from '../../acp/dialect/dialect';
import type { StateUpdate } from '../../acp/shape/sessionUpdate';
import { TurnCounter } from '../../acp/shape/turnCounter';
import { UsedIds } from '../../acp/shape/usedIds';
import { compact } from '../../shared/values/decodeValue';
import type { EntryId, ToolCallId } from '../../shared/values/ids';
import { createTranscript, type TranscriptOp } from '../../shared/transcript/ops';
import type { Entry, TerminalExit, ToolCallEntry, Transcript } from '../../shared/transcript/transcript';
import { reduceIdleEnd } from '../update/closeTurn';
import { endThought } from '../update/reduceMessage';
import { hasEnded } from '../update/reduceToolCall';
import { mergeTurns } from './mergeTurns';
import { isText, ReplayIdentity, wordsOf } from './replayIdentity';
import { turnsOf } from './replayTurns';
import { TranscriptStore } from './transcriptStore';

/** A session as its agent has replayed it. */
export interface Replay {
  /** Isn't shown. */
  readonly transcript: Transcript;
  /** What the agent said about its state at the end, if anything. */
  readonly state: StateUpdate | undefined;
  /** Returns the agent's id of a call in it. */
  readonly wireCallId: (id: ToolCallId) => ToolCallId;
}

/** The changes to the shown transcript after the agent has replayed the session. */
export interface ReplayPlan {
  /** The agent replayed nothing of the conversation. */
  readonly isForgotten: boolean;
  /** Changes to shown entries of which the agent replayed more. */
  readonly changes: readonly TranscriptOp[];
  /** Entries that aren't shown yet: the rest of a turn, and turns from other clients. */
  readonly news: readonly Extract<TranscriptOp, { op: 'insert' }>[];
  /** Ops that accompany the changes and the new entries, and come before them. */
  readonly extras: readonly TranscriptOp[];
  /** The replayed calls of the turn in which the agent is at work, with their ids in the shown transcript. */
  readonly running: readonly (readonly [replayed: ToolCallId, shown: ToolCallId])[];
}

/**
 * Reads a session from the `updates` of a replay into a separate transcript that isn't shown. Its activity says whether
 * the agent is at work: by its last report, or if it reports no state, by `mayWork`.
 */
export function readReplay(
  updates: readonly unknown[],
  shown: Transcript,
  now: () => number,
  dialect: Dialect,
  mayWork: boolean,
): Replay {
  const turns = new TurnCounter();
  const reader = dialect.createReader(turns, new UsedIds());
  const store = new TranscriptStore(createTranscript({ ...shown.view, plans: [], queue: [] }), now);
  let state: StateUpdate | undefined;
  for (const update of updates) {
    for (const upgraded of reader.upgrade(update)) {
      // Subagents' activity is replayed in their own sessions, if at all.
      if (upgraded.sessionUpdate !== 'subagent_update') store.reduce(upgraded, turns.current);
      if (upgraded.sessionUpdate === 'state_update') state = upgraded;
    }
  }
  const works = state ? state.state !== 'idle' : mayWork;
  const { transcript } = store;
  store.apply(works ? endThought(transcript, now()) : reduceIdleEnd(transcript, turns.current, now()));
  store.setView({ activity: works ? { state: 'running', since: now() } : { state: 'idle' } });
  return { transcript, state, wireCallId: (id) => reader.wireCallId(id) };
}

/**
 * Compares the shown transcript with the replayed one. Shown entries stay, because agents replay less than Parley
 * shows: no diffs, no thoughts, no permissions, and sometimes nothing. What is replayed is shown once, in the agent's order: an
 * entry that is shown already is found by the agent's id, and otherwise by its content and place. `unsent` is a message that
 * the agent hasn't received.
 */
export function planReplay(shown: Transcript, replayed: Transcript, unsent?: EntryId): ReplayPlan {
  const ours = turnsOf(shown, unsent);
  const theirs = turnsOf(replayed);
  const entries = [...replayed.entries.values()];
  const running = replayed.view.activity.state === 'idle' ? undefined : lastTurnOf(replayed, undefined);
  const said = ours.flatMap(({ rest }) => rest.map(wordsOf)).join('');
  const isKnown = (entry: Entry) =>
    entry.kind === 'user_message' || entry.kind === 'tool_call' || said.includes(wordsOf(entry));
  if (!entries.some(isKnown)) return { isForgotten: true, changes: [], news: [], extras: [], running: [] };
  const identity = new ReplayIdentity(shown, replayed);
  const same = new Map<EntryId, Entry>();
  for (const entry of entries) {
    const partner = identity.partnerOf(entry);
    if (partner) same.set(entry.id, partner);
  }
  const merge = mergeTurns(ours, theirs, identity);
  for (const [entry, partner] of merge.same) same.set(entry.id, partner);
  for (const { entry } of merge.missing) same.delete(entry.id);
  const changes: TranscriptOp[] = merge.completed.map(([{ id, kind }, content]) => ({
    op: 'patch',
    id,
    kind,
    fields: { content },
  }));
  for (const entry of entries) {
    const partner = same.get(entry.id);
    if (partner) changes.push(...completionOps(partner, entry, running));
  }
  const last = lastTurnOf(shown, unsent);
  const named = new Map<EntryId, ToolCallId>();
  const news = merge.missing.map(({ entry, before, turn, isLater }) => {
    const copy = withUnusedId({ ...entry, turn: isLater ? last + turn : turn }, shown);
    if (copy.kind === 'tool_call') named.set(entry.id, copy.toolCallId);
    return { op: 'insert', entry: copy, ...compact({ before }) } as const;
  });
  for (const [id, partner] of same) if (partner.kind === 'tool_call') named.set(id, partner.toolCallId);
  const extras = [
    ...terminalOps(shown, replayed, [...changes, ...news]),
    ...(news.length === 0 ? [] : planOps(shown, replayed)),
  ];
  return { isForgotten: false, changes, news, extras, running: runningCalls(replayed, running, named) };
}

/** Returns the ops for a shown entry of which the agent replayed more. `running` is the turn in which it is at work, if any. */
function completionOps(shown: Entry, replayed: Entry, running: number | undefined): TranscriptOp[] {
  if (shown.kind === 'tool_call' && replayed.kind === 'tool_call') return completedCall(shown, replayed, running);
  if (!isText(shown) || !isText(replayed)) return [];
  const [words, more] = [wordsOf(shown), wordsOf(replayed)];
  if (more.length <= words.length || !more.startsWith(words)) return [];
  return [{ op: 'patch', id: shown.id, kind: shown.kind, fields: { content: replayed.content } }];
}

function completedCall(entry: ToolCallEntry, replayed: ToolCallEntry, running: number | undefined): TranscriptOp[] {
  const { content, status } = replayed;
  const isOpen = !hasEnded(entry.status) || entry.status === 'cancelled';
  const ends = isOpen && (status === 'completed' || status === 'failed');
  // It was closed here because the connection was lost, but it still runs.
  const runs = isOpen && replayed.turn === running && !hasEnded(status);
  const isMore =
    content.length > 0 && (entry.content.length === 0 || (isOpen && diffsIn(content) >= diffsIn(entry.content)));
  if (!ends && !isMore && !(runs && hasEnded(entry.status))) return [];
  const fields = {
    ...(isMore ? { content } : {}),
    ...(entry.rawOutput === undefined && replayed.rawOutput !== undefined ? { rawOutput: replayed.rawOutput } : {}),
  };
  if (!runs) {
    const endedAt = entry.endedAt ?? replayed.endedAt ?? entry.startedAt;
    const end = ends ? { status, endedAt } : {};
    return [{ op: 'patch', id: entry.id, kind: 'tool_call', fields: { ...fields, ...end } }];
  }
  const open: ToolCallEntry & { endedAt?: number } = { ...entry, ...fields, status };
  delete open.endedAt;
  return [{ op: 'replace', entry: open }];
}

function diffsIn(content: ToolCallEntry['content']): number {
  return content.filter(({ type }) => type === 'diff').length;
}

/** Returns the ops for the terminals that are shown now, or of which the agent replayed more. */
function terminalOps(shown: Transcript, replayed: Transcript, ops: readonly TranscriptOp[]): TranscriptOp[] {
  const contents = ops.flatMap((op) => {
    const call = op.op === 'patch' ? op.fields : op.op === 'insert' || op.op === 'replace' ? op.entry : {};
    return 'content' in call ? [...call.content] : [];
  });
  const named = new Set(contents.flatMap((item) => (item.type === 'terminal' ? [item.terminalId] : [])));
  const works = replayed.view.activity.state !== 'idle';
  return [...replayed.terminals.values()].flatMap((terminal): TranscriptOp[] => {
    const known = shown.terminals.get(terminal.terminalId);
    if (!known) return named.has(terminal.terminalId) ? [{ op: 'terminal', terminal }] : [];
    if (known.driver !== 'agent') return [];
    const isMore = terminal.hidden + terminal.output.length > known.hidden + known.output.length;
    const { output, hidden } = isMore ? terminal : known;
    const exit = laterExit(known.exit, terminal.exit, works);
    return isMore || exit !== known.exit
      ? [
          {
            op: 'patchTerminal',
            id: known.terminalId,
            fields: { output, hidden, exit, ...(isMore ? { replaced: (known.replaced ?? 0) + 1 } : {}) },
          },
        ]
      : [];
  });
}

/** An exit without a code or a signal is Parley's own assumption, made when it could no longer know. */
function laterExit(known: TerminalExit, replayed: TerminalExit, works: boolean): TerminalExit {
  const isAssumed = known.state === 'exited' && known.exitCode === undefined && known.signal === undefined;
  if (known.state === 'exited' && !isAssumed) return known;
  return replayed.state === 'exited' || (isAssumed && works) ? replayed : known;
}

function planOps(shown: Transcript, replayed: Transcript): TranscriptOp[] {
  const known = new Set(shown.view.plans.map(({ planId }) => planId));
  const plans = replayed.view.plans.filter(({ planId }) => !known.has(planId));
  return plans.length > 0 ? [{ op: 'view', fields: { plans: [...shown.view.plans, ...plans] } }] : [];
}

function runningCalls(
  replayed: Transcript,
  turn: number | undefined,
  named: ReadonlyMap<EntryId, ToolCallId>,
): ReplayPlan['running'] {
  return [...replayed.entries.values()].flatMap((entry) => {
    const id = entry.kind === 'tool_call' && entry.turn === turn ? named.get(entry.id) : undefined;
    return entry.kind !== 'tool_call' || id === undefined ? [] : [[entry.toolCallId, id] as const];
  });
}

/** Gives an entry an id that the transcript doesn't have. */
function withUnusedId(entry: Entry, { entries }: Transcript): Entry {
  if (!entries.has(entry.id)) return entry;
  let copy = 2;
  while (entries.has(`${entry.id}~${copy}` as EntryId)) copy += 1;
  const id = `${entry.id}~${copy}` as EntryId;
  return entry.kind === 'tool_call'
    ? { ...entry, id, toolCallId: `${entry.toolCallId}~${copy}` as ToolCallId }
    : { ...entry, id };
}

function lastTurnOf({ entries }: Transcript, unsent: EntryId | undefined): number {
  return [...entries.values()].reduce((last, { id, turn }) => (id === unsent ? last : Math.max(last, turn)), 0);
}
