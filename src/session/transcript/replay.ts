import type { Dialect } from '../../acp/dialect/dialect';
import { TurnCounter } from '../../acp/shape/turnCounter';
import { UsedIds } from '../../acp/shape/usedIds';
import type { ContentBlock } from '../../shared/content';
import type { EntryId, ToolCallId } from '../../shared/ids';
import { createTranscript, type TranscriptOp } from '../../shared/ops';
import type { Entry, TerminalExit, ToolCallEntry, Transcript } from '../../shared/transcript';
import { reduceIdleEnd } from '../update/closeTurn';
import { endThought } from '../update/reduceMessage';
import { hasEnded } from '../update/reduceToolCall';
import { entryKinds } from './entryKinds';
import { TranscriptStore } from './transcriptStore';

/** A session as its agent has replayed it. */
export interface Replay {
  /** Isn't shown. */
  readonly transcript: Transcript;
  /** Returns the agent's id of a call in it. */
  readonly wireCallId: (id: ToolCallId) => ToolCallId;
}

/** The changes to the shown transcript after the agent has replayed the session. */
export interface ReplayPlan {
  /** The agent replayed nothing of the conversation. */
  readonly isForgotten: boolean;
  /** Changes to shown entries of which the agent replayed more. */
  readonly changes: readonly TranscriptOp[];
  /**
   * Entries not shown yet: the rest of the last turn, inserted before Parley's entry at its end, and turns from other
   * clients.
   */
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
  let works = mayWork;
  for (const update of updates) {
    for (const upgraded of reader.upgrade(update)) {
      // Subagents' activity is replayed in their own sessions, if at all.
      if (upgraded.sessionUpdate !== 'subagent_update') store.reduce(upgraded, turns.current);
      if (upgraded.sessionUpdate === 'state_update') works = upgraded.state !== 'idle';
    }
  }
  const { transcript } = store;
  store.apply(works ? endThought(transcript, now()) : reduceIdleEnd(transcript, turns.current, now()));
  store.setView({ activity: works ? { state: 'running', since: now() } : { state: 'idle' } });
  return { transcript, wireCallId: (id) => reader.wireCallId(id) };
}

/**
 * Compares the shown transcript with the replayed one. Shown entries stay, because agents replay less than Parley
 * shows: no diffs, no thoughts, no permissions, and sometimes nothing. Only additional content is taken from the
 * replay, matched by ids where possible. `unsent` is a message that the agent hasn't received.
 */
export function planReplay(shown: Transcript, replayed: Transcript, unsent?: EntryId): ReplayPlan {
  const ours = turnsOf(shown, unsent);
  const theirs = turnsOf(replayed);
  const place = lastCommon(ours, theirs);
  const entries = [...replayed.entries.values()];
  const shownText = withoutSpaces(ours.flatMap(({ rest }) => rest.map(textOf)).join(''));
  const isKnown = (entry: Entry) =>
    entry.kind === 'user_message' || entry.kind === 'tool_call' || shownText.includes(withoutSpaces(textOf(entry)));
  if (!entries.some(isKnown)) return { isForgotten: true, changes: [], news: [], extras: [], running: [] };
  const running = replayed.view.activity.state === 'idle' ? undefined : lastTurnOf(replayed, undefined);
  const changes: TranscriptOp[] = entries.flatMap((entry) => completionOps(shown, entry, running));
  if (!place) {
    const extras = terminalOps(shown, replayed, changes);
    return {
      isForgotten: false,
      changes,
      news: [],
      extras,
      running: runningCalls(shown, replayed, running, new Map()),
    };
  }
  const [at, replayedAt] = place;
  const [turn, replayedTurn] = [ours[at], theirs[replayedAt]];
  const isLast = at === ours.length - 1;
  const rest = turn && replayedTurn && isLast ? restOfTurn(turn, replayedTurn) : { changes: [], news: [] };
  const later = theirs.slice(replayedAt + 1).flatMap(({ first, rest: more }) => [first, ...more]);
  const last = lastTurnOf(shown, unsent);
  const end = turn ? endOf(turn) : undefined;
  const before = end === undefined ? {} : { before: end };
  const named = new Map<EntryId, ToolCallId>();
  const renamed = (entry: Entry) => {
    const copy = withUnusedId(entry, shown);
    if (copy.kind === 'tool_call') named.set(entry.id, copy.toolCallId);
    return copy;
  };
  const news = [
    ...rest.news.map((entry) => ({ entry: { ...entry, turn: turn?.first.turn ?? last }, ...before })),
    ...later.map((entry) => ({ entry: { ...entry, turn: last + entry.turn - (replayedTurn?.first.turn ?? 0) } })),
  ].map(({ entry, ...where }) => ({ op: 'insert', entry: renamed(entry), ...where }) as const);
  const extras = [
    ...terminalOps(shown, replayed, [...changes, ...rest.changes, ...news]),
    ...(news.length === 0 ? [] : planOps(shown, replayed)),
  ];
  const calls = runningCalls(shown, replayed, running, named);
  return { isForgotten: false, changes: [...changes, ...rest.changes], news, extras, running: calls };
}

/** A user message and the entries after it. */
interface Turn {
  readonly first: Entry;
  readonly rest: readonly Entry[];
}

function turnsOf({ order, entries }: Transcript, without?: EntryId): readonly Turn[] {
  const turns: { first: Entry; rest: Entry[] }[] = [];
  for (const id of order) {
    const entry = entries.get(id);
    if (!entry || id === without || entry.subagent !== undefined) continue;
    if (entry.kind === 'user_message') turns.push({ first: entry, rest: [] });
    else turns.at(-1)?.rest.push(entry);
  }
  return turns;
}

/** Returns Parley's own entry at the end of a turn, which explains how it ended. */
function endOf({ rest }: Turn): EntryId | undefined {
  const at = rest.findLastIndex(({ kind }) => entryKinds[kind].isConversation);
  return rest[at + 1]?.id;
}

/**
 * Returns the latest message that is both shown and replayed: the same text, with the same number of earlier
 * occurrences.
 */
function lastCommon(
  ours: readonly Turn[],
  theirs: readonly Turn[],
): readonly [at: number, replayedAt: number] | undefined {
  for (let at = ours.length - 1; at >= 0; at -= 1) {
    const words = wordsOf(ours[at]);
    const count = ours.slice(0, at + 1).filter((turn) => wordsOf(turn) === words).length;
    const places = theirs.flatMap((turn, index) => (wordsOf(turn) === words ? [index] : []));
    const replayedAt = places[count - 1] ?? places.at(-1);
    if (words !== '' && replayedAt !== undefined) return [at, replayedAt];
  }
  return undefined;
}

/** Returns the replayed content of the last turn beyond what is shown: a cut-off answer and the entries after it. */
function restOfTurn(turn: Turn, replayed: Turn): { readonly changes: TranscriptOp[]; readonly news: readonly Entry[] } {
  const shown = withoutSpaces(turn.rest.filter(isAnswer).map(textOf).join(''));
  const ids = new Set(turn.rest.map(({ id }) => id));
  const titles = new Set(turn.rest.flatMap((entry) => (entry.kind === 'tool_call' ? [entry.title] : [])));
  const answers = turn.rest.filter(isAnswer);
  const changes: TranscriptOp[] = [];
  const isShown = (entry: Entry): boolean => {
    if (isNamed(entry) && ids.has(entry.id)) return true;
    if (entry.kind === 'tool_call') return titles.has(entry.title);
    if (!isAnswer(entry)) return false;
    const text = withoutSpaces(textOf(entry));
    if (shown.includes(text)) return true;
    const cut = answers.find((one) => textOf(one) !== '' && text.startsWith(withoutSpaces(textOf(one))));
    // If the answer is replayed in one piece and shown in several, the pieces already contain it.
    if (!cut || (answers.length > 1 && !text.startsWith(shown))) return false;
    if (answers.length === 1) {
      changes.push({ op: 'patch', id: cut.id, kind: 'agent_message', fields: { content: entry.content } });
    }
    return true;
  };
  const hasNone = !turn.rest.some(({ kind }) => entryKinds[kind].isConversation);
  const last = replayed.rest.reduce((latest, entry, index) => (isShown(entry) ? index : latest), -1);
  // An entry without any match may repeat shown content in other words.
  if (last < 0 && !hasNone) return { changes, news: [] };
  return { changes, news: replayed.rest.slice(last + 1).filter(({ kind }) => kind !== 'notice') };
}

/**
 * Returns the ops for a shown entry with the same id of which the agent replayed more. `running` is the turn in which the
 * agent is at work, if any.
 */
function completionOps(shown: Transcript, replayed: Entry, running: number | undefined): TranscriptOp[] {
  const entry = isNamed(replayed) ? shown.entries.get(replayed.id) : undefined;
  if (entry?.kind === 'tool_call' && replayed.kind === 'tool_call') return completedCall(entry, replayed, running);
  if (!entry || !isAnswer(entry) || !isAnswer(replayed)) return [];
  const [text, more] = [textOf(entry), textOf(replayed)];
  if (more.length <= text.length || !more.startsWith(text)) return [];
  return [{ op: 'patch', id: entry.id, kind: 'agent_message', fields: { content: replayed.content } }];
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
  shown: Transcript,
  replayed: Transcript,
  turn: number | undefined,
  inserted: ReadonlyMap<EntryId, ToolCallId>,
): ReplayPlan['running'] {
  return [...replayed.entries.values()].flatMap((entry) => {
    if (entry.kind !== 'tool_call' || entry.turn !== turn) return [];
    const id = inserted.get(entry.id) ?? (shown.entries.has(entry.id) ? entry.toolCallId : undefined);
    return id === undefined ? [] : [[entry.toolCallId, id] as const];
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

/**
 * Returns whether the id came from the agent. Generated ids are numbered, and the same number may refer to another item
 * next time.
 */
function isNamed({ kind, id }: Entry): boolean {
  return id.startsWith(`${kind}:`) && !id.startsWith(`${kind}:~`);
}

function isAnswer(entry: Entry): entry is Extract<Entry, { kind: 'agent_message' }> {
  return entry.kind === 'agent_message';
}

function wordsOf(turn: Turn | undefined): string {
  return turn ? withoutSpaces(textOf(turn.first)) : '';
}

function textOf(entry: Entry): string {
  const content: readonly ContentBlock[] = 'content' in entry && entry.kind !== 'tool_call' ? entry.content : [];
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** Removes white space, because agents store line breaks and spaces differently. */
function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, '');
}
