import * as l10n from '@vscode/l10n';
import { compact } from '../../shared/values/decodeValue';
import type { SessionKey } from '../../shared/values/ids';
import {
  applyOps,
  fromSnapshot,
  takeSnapshot,
  type MutableTranscript,
  type TranscriptSnapshot,
} from '../../shared/transcript/ops';
import { modelName } from '../../shared/transcript/modelName';
import type { Transcript, Prompt } from '../../shared/transcript/transcript';
import type { TurnSummary } from '../../shared/amounts/turnSummary';
import { closedWindowTitle } from './closedWindow';
import { entryKinds } from './entryKinds';
import { promptOf } from './promptParts';
import { reduceTurnEnd } from '../update/closeTurn';
import { reduceSubagentsEnd } from '../update/reduceSubagent';
import { singleEntryId } from '../update/entryIds';
import { canShowOption, hasStoredShape } from './storedShape';

/** Maximum stored output of a command, in UTF-16 units; the end is kept. */
const storedOutput = 65_536;

/** A stored session, to be continued in another window. */
export interface StoredSession {
  readonly version: 1;
  readonly key: SessionKey;
  readonly snapshot: TranscriptSnapshot;
}

/** Returns the record of a session to store. */
export function toStored(key: SessionKey, transcript: Transcript): StoredSession {
  const snapshot = takeSnapshot(transcript);
  const terminals = snapshot.terminals.map((terminal) => {
    const cut = Math.max(0, terminal.output.length - storedOutput);
    return cut === 0 ? terminal : { ...terminal, output: terminal.output.slice(cut), hidden: terminal.hidden + cut };
  });
  return { version: 1, key, snapshot: { ...snapshot, terminals } };
}

/** Reads the output of `toStored`; `later` if a newer version of Parley wrote it, undefined if it is invalid. */
export function fromStored(json: unknown): StoredSession | 'later' | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { version } = json as { readonly version?: unknown };
  if (typeof version === 'number' && version > 1) return 'later';
  return hasStoredShape(json) ? (json as StoredSession) : undefined;
}

/**
 * Returns the transcript of a stored session at rest: the agent is disconnected, open entries are closed, and a cut-off
 * turn gets a notice. Unsent messages stay in the queue.
 */
export function closeStored({ snapshot }: StoredSession, now: number): MutableTranscript {
  const transcript = fromSnapshot(snapshot);
  const { activity, agentName, lateWork } = transcript.view;
  const turn = lastTurn(transcript);
  applyOps(
    transcript,
    reduceTurnEnd(transcript, turn, { by: 'failure' }, () => false, now),
  );
  applyOps(transcript, reduceSubagentsEnd(transcript, now));
  for (const entry of transcript.entries.values()) {
    if (entry.kind === 'elicitation' && entry.question.state === 'asked') {
      applyOps(transcript, [{ op: 'replace', entry: { ...entry, question: { state: 'withdrawn' } } }]);
    }
    if (entry.kind !== 'tool_call' || entry.permission.state !== 'asked') continue;
    const { changed } = entry.permission;
    const fields = { permission: { state: 'cancelled', ...(changed ? { changed } : {}) } } as const;
    applyOps(transcript, [{ op: 'patch', id: entry.id, kind: 'tool_call', fields }]);
  }
  for (const entry of transcript.entries.values()) {
    if (entry.kind !== 'login' || entry.progress.state === 'done') continue;
    applyOps(transcript, [{ op: 'replace', entry: { ...entry, progress: { state: 'asked' }, isOpen: false } }]);
  }
  for (const terminal of transcript.terminals.values()) {
    if (terminal.exit.state !== 'running') continue;
    const fields = { exit: { state: 'exited', endedAt: now } } as const;
    applyOps(transcript, [{ op: 'patchTerminal', id: terminal.terminalId, fields }]);
  }
  const { queue } = transcript.view;
  if (queue.some(({ isOffered }) => isOffered)) {
    // Nobody knows whether the agent has used the messages that it had, so they wait for the user.
    const waiting = queue.map(({ id, text, attachments }) => ({ id, text, ...(attachments ? { attachments } : {}) }));
    applyOps(transcript, [{ op: 'view', fields: { queue: waiting, isQueueHeld: true } }]);
  }
  if (activity.state !== 'idle') {
    const title = closedWindowTitle(agentName);
    const description = l10n.t('Its file changes are kept. Send a message to start it again.');
    const id = singleEntryId('notice', transcript.rev);
    const turnSummary = cutOffTurn(transcript, turn, activity.since);
    applyOps(transcript, [
      { op: 'insert', entry: { kind: 'notice', id, turn, severity: 'info', title, description, turnSummary } },
    ]);
  }
  const configOptions = transcript.view.configOptions.filter((option) => canShowOption(option));
  const fields = { activity: { state: 'idle' }, connection: { state: 'closed' }, configOptions } as const;
  // Budgets may have changed since, and a message that waited for an answer asks again before it is sent.
  const unasked = transcript.view.budgets ? { budgets: [], asksBudget: false } : {};
  applyOps(transcript, [
    { op: 'view', fields: { ...fields, availableCommands: [], ...(lateWork ? { lateWork: [] } : {}), ...unasked } },
  ]);
  return transcript;
}

/** Returns what is known about a turn that was running when its window closed, or that waited for the user `since`. */
function cutOffTurn({ entries, view }: Transcript, turn: number, since: number): TurnSummary {
  const starts = [...entries.values()].flatMap((entry) =>
    entry.turn === turn && 'startedAt' in entry ? [entry.startedAt] : [],
  );
  const model = modelName(view);
  return {
    startedAt: Math.min(since, ...starts),
    brokenBy: 'cutOff',
    ...compact({ model }),
  };
}

/** Returns the number of the last turn; 0 before the first. */
export function lastTurn({ order, entries }: Transcript): number {
  const last = order.at(-1);
  return (last === undefined ? undefined : entries.get(last)?.turn) ?? 0;
}

/** Yields the ids that agents have used in a transcript: of messages by role, of tool calls, and of subagents. */
export function* usedIds({ entries, terminals }: Transcript): Iterable<readonly [kind: string, id: string]> {
  for (const { kind, id } of entries.values()) {
    if (!entryKinds[kind].hasAgentId || !id.startsWith(`${kind}:`)) continue;
    yield [kind, id.slice(kind.length + 1)];
  }
  for (const id of terminals.keys()) yield ['terminal', id];
}

/** Returns the last message that the user sent, so that it can be sent again after a failure. */
export function lastPrompt({ order, entries }: Transcript): Prompt | undefined {
  const id = order.findLast((one) => entries.get(one)?.kind === 'user_message');
  const entry = id === undefined ? undefined : entries.get(id);
  if (entry?.kind !== 'user_message') return undefined;
  return promptOf(entry.content);
}
