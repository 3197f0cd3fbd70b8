import * as l10n from '@vscode/l10n';
import type { EntryId } from '../../shared/values/ids';
import type { TranscriptOp } from '../../shared/transcript/ops';
import type { NoticeEntry, ToolCallEntry, Transcript } from '../../shared/transcript/transcript';
import type { TurnBreak } from '../../shared/amounts/turnSummary';
import { endThought } from './reduceMessage';
import { isSubagentAtWork, reduceSubagentsEnd } from './reduceSubagent';
import { assumedEnd, hasEnded, reduceCallEnd } from './reduceToolCall';

/**
 * How a turn ended: by the agent's stop reason, or because the agent failed or disconnected. It may be working on if only
 * the connection to it was lost.
 */
export type TurnEnd =
  { readonly by: 'stopReason'; readonly stopReason: string } | { readonly by: 'failure'; readonly isLost?: boolean };

/** How a turn ended for the user. */
export type TurnOutcome = 'completed' | TurnBreak;

/** The turns of a session that have ended, and how the last one did. */
export interface EndedTurns {
  readonly count: number;
  readonly last: TurnOutcome | undefined;
  /** Set if the agent ended the last one although the user didn't stop it, and a request in it was rejected. */
  readonly isRejected?: boolean;
}

/**
 * Returns a turn's outcome. A turn that the user stopped has not failed, however it ended. `isStopped`: by the button, or
 * by rejecting a request of an agent that then ends its turn.
 */
export function outcomeOf(end: TurnEnd, isStopped: boolean): TurnOutcome {
  if (isStopped) return 'stopped';
  if (end.by === 'failure') return end.isLost === true ? 'cutOff' : 'failed';
  const isCutOff = ['cancelled', 'max_tokens', 'max_turn_requests', 'refusal'].includes(end.stopReason);
  return isCutOff ? 'cutOff' : 'completed';
}

/**
 * Closes what a turn left open, because agents often forget calls, especially when cancelled. Calls
 * stay open if `staysOpen` returns true: open requests to the user, and background work. After a normal end, a call whose command is still running stays open, too.
 */
export function reduceTurnEnd(
  transcript: Transcript,
  turn: number,
  end: TurnEnd,
  staysOpen: (entry: EntryId) => boolean,
  now: number,
): TranscriptOp[] {
  const normal = end.by === 'stopReason' && end.stopReason === 'end_turn';
  const ops: TranscriptOp[] = endThought(transcript, now);
  for (const call of openCalls(transcript, turn)) {
    if (staysOpen(call.id) || ((normal || call.turn < turn) && end.by !== 'failure' && runsOn(transcript, call)))
      continue;
    ops.push(...reduceCallEnd(transcript, call, normal ? assumedEnd(call) : 'cancelled', now));
  }
  // A subagent may continue after its agent's response, but not after its failure.
  const isOver = end.by === 'failure' || end.stopReason === 'cancelled';
  return isOver ? [...ops, ...reduceSubagentsEnd(transcript, now, turn)] : ops;
}

/**
 * Closes what is open outside turns because the agent has disconnected: calls after the end of a turn, and subagents.
 */
export function reduceIdleEnd(transcript: Transcript, turn: number, now: number): TranscriptOp[] {
  const calls = reduceCallsEnd(transcript, openCalls(transcript, turn), now);
  return [...endThought(transcript, now), ...calls, ...reduceSubagentsEnd(transcript, now)];
}

/** Marks the unfinished calls and subagents of a turn as cancelled, except calls that `staysOpen` returns true for. */
export function reduceCancel(
  transcript: Transcript,
  turn: number,
  now: number,
  staysOpen: (entry: EntryId) => boolean = () => false,
): TranscriptOp[] {
  const calls = openCalls(transcript, turn).filter(
    (call) => !staysOpen(call.id) && (call.turn === turn || !runsOn(transcript, call)),
  );
  return [...reduceCallsEnd(transcript, calls, now), ...reduceSubagentsEnd(transcript, now, turn)];
}

/** Marks these calls as cancelled. */
export function reduceCallsEnd(transcript: Transcript, calls: readonly ToolCallEntry[], now: number): TranscriptOp[] {
  return calls.flatMap((call) => reduceCallEnd(transcript, call, 'cancelled', now));
}

/**
 * Ends the calls whose commands have all exited after the end of their turn, because some agents report only the exit of
 * a command.
 */
export function reduceExitedCalls(
  transcript: Transcript,
  calls: readonly ToolCallEntry[],
  now: number,
): TranscriptOp[] {
  return calls
    .filter((call) => call.content.some(({ type }) => type === 'terminal') && !runsOn(transcript, call))
    .flatMap((call) => reduceCallEnd(transcript, call, 'completed', now));
}

/**
 * Returns whether a call shows a command that the agent runs itself and that hasn't exited. The user must have had the
 * chance to reject it.
 */
function runsOn({ terminals }: Transcript, { content, permission }: ToolCallEntry): boolean {
  if (permission.state === 'cancelled' || permission.state === 'asked') return false;
  if (permission.state === 'answered' && permission.option.kind.startsWith('reject')) return false;
  return content.some((item) => {
    const terminal = item.type === 'terminal' ? terminals.get(item.terminalId) : undefined;
    return terminal?.driver === 'agent' && terminal.exit.state === 'running';
  });
}

/**
 * Returns the unfinished calls of a turn, and those that arrived after the previous turn. A subagent's calls end with
 * the subagent.
 */
function openCalls(transcript: Transcript, turn: number): readonly ToolCallEntry[] {
  const calls: ToolCallEntry[] = [];
  for (let at = transcript.order.length - 1; at >= 0; at--) {
    const id = transcript.order[at];
    const entry = id === undefined ? undefined : transcript.entries.get(id);
    if (entry && entry.turn < turn - 1) break;
    if (entry?.kind !== 'tool_call' || hasEnded(entry.status) || isSubagentAtWork(transcript, entry.subagent)) continue;
    calls.push(entry);
  }
  return calls.reverse();
}

/** Returns why a turn ended. Some agents answer `end_turn` to a turn that the user stopped. */
export function reasonOf(answered: string, isStopped: boolean): string {
  return isStopped && answered === 'end_turn' ? 'cancelled' : answered;
}

/** Returns whether a request of this turn was rejected. Codex cancels its turn then. */
export function wasRejected({ order, entries }: Transcript, turn: number): boolean {
  for (let at = order.length - 1; at >= 0; at--) {
    const entry = entries.get(order[at] ?? ('' as EntryId));
    if (entry && entry.turn < turn) return false;
    if (entry?.kind !== 'tool_call' || entry.permission.state !== 'answered') continue;
    if (entry.permission.option.kind.startsWith('reject')) return true;
  }
  return false;
}

type StopWords = Pick<NoticeEntry, 'severity' | 'title' | 'description'>;

/** What was seen of a turn besides its stop reason. */
interface StopFacts {
  /** The user pressed Stop. */
  readonly byUser: boolean;
  /** The agent said and did nothing. */
  readonly isSilent: boolean;
  /** A request of the agent was rejected. */
  readonly isRejected?: boolean;
}

/**
 * Returns a stop reason in words (https://agentclientprotocol.com/protocol/prompt-turn#stop-reasons); undefined for the
 * normal end of a turn with output. An unknown reason is shown as the agent wrote it.
 */
export function stopReasonWords(
  agent: string,
  stopReason: string,
  { byUser, isSilent, isRejected = false }: StopFacts,
): StopWords | undefined {
  switch (stopReason) {
    case 'end_turn':
      if (!isSilent) return undefined;
      // Some agents don't report their model's errors.
      return {
        severity: 'info',
        title: l10n.t('{0} finished without replying', agent),
        description: l10n.t('If you expected a reply, send the message again or check the protocol log.'),
      };
    case 'cancelled':
      if (byUser) return { severity: 'info', title: l10n.t('Stopped') };
      if (isRejected) {
        return { severity: 'info', title: l10n.t('{0} stopped because its request was rejected', agent) };
      }
      return { severity: 'info', title: l10n.t('{0} cancelled this turn', agent) };
    case 'max_tokens':
      return {
        severity: 'warning',
        title: l10n.t('{0} reached its token limit', agent),
        description: l10n.t('The answer was cut off. Send a message to continue.'),
      };
    case 'max_turn_requests':
      return {
        severity: 'warning',
        title: l10n.t('{0} reached the limit of requests per turn', agent),
        description: l10n.t('Send a message to continue.'),
      };
    case 'refusal':
      return {
        severity: 'warning',
        title: l10n.t('{0} declined to answer', agent),
        description: l10n.t('Your last message and everything after it were removed from its context.'),
      };
    default:
      return { severity: 'info', title: l10n.t('The turn ended: {0}', stopReason) };
  }
}
