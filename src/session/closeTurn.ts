import * as l10n from '@vscode/l10n';
import type { EntryId } from '../shared/ids';
import type { TranscriptOp } from '../shared/ops';
import type { NoticeEntry, ToolCallEntry, ToolCallStatus, Transcript } from '../shared/transcript';
import { endThought } from './planMessage';
import { hasEnded } from './planToolCall';

/** How a turn ended: by a stop reason of the agent, or because the agent failed or is gone. */
export type TurnEnd = { readonly by: 'stopReason'; readonly stopReason: string } | { readonly by: 'failure' };

/**
 * Closes what a turn left open: agents often forget calls, above all when they are cancelled. What the user was asked and
 * has not answered stays open, unless `isAsked` says no.
 */
export function planTurnEnd(
  transcript: Transcript,
  turn: number,
  end: TurnEnd,
  isAsked: (entry: EntryId) => boolean,
  now: number,
): TranscriptOp[] {
  const normal = end.by === 'stopReason' && end.stopReason === 'end_turn';
  const ops: TranscriptOp[] = endThought(transcript, now);
  for (const call of openCalls(transcript, turn)) {
    if (isAsked(call.id)) continue;
    ops.push(...planCallEnd(transcript, call, normal ? assumedEnd(call) : 'cancelled', now));
  }
  return ops;
}

/** Closes what is open without a turn: calls that an agent made after the end of one. */
export function planIdleEnd(transcript: Transcript, turn: number, now: number): TranscriptOp[] {
  return [...endThought(transcript, now), ...planCancel(transcript, turn, now)];
}

/** Marks the unfinished calls of a turn as cancelled. */
export function planCancel(transcript: Transcript, turn: number, now: number): TranscriptOp[] {
  return openCalls(transcript, turn).flatMap((call) => planCallEnd(transcript, call, 'cancelled', now));
}

/** A call that ran when its turn ended well has, as far as anyone knows, done its work; one that never began has not. */
function assumedEnd({ status, permission }: ToolCallEntry): ToolCallStatus {
  const rejected = permission.state === 'answered' && permission.option.kind.startsWith('reject');
  return status === 'in_progress' && !rejected && permission.state !== 'cancelled' ? 'completed' : 'cancelled';
}

/** The calls of a turn that have not ended, and those that came after the turn before it. */
function openCalls(transcript: Transcript, turn: number): readonly ToolCallEntry[] {
  const calls: ToolCallEntry[] = [];
  for (let at = transcript.order.length - 1; at >= 0; at--) {
    const id = transcript.order[at];
    const entry = id === undefined ? undefined : transcript.entries.get(id);
    if (entry && entry.turn < turn - 1) break;
    if (entry?.kind === 'tool_call' && !hasEnded(entry.status)) calls.push(entry);
  }
  return calls.reverse();
}

function planCallEnd(transcript: Transcript, call: ToolCallEntry, status: ToolCallStatus, now: number): TranscriptOp[] {
  const ops: TranscriptOp[] = [{ op: 'patch', id: call.id, kind: 'tool_call', fields: { status, endedAt: now } }];
  for (const item of call.content) {
    const terminal = item.type === 'terminal' ? transcript.terminals.get(item.terminalId) : undefined;
    // Our own terminals run on until they are released; they know best.
    if (terminal?.driver !== 'agent' || terminal.exit.state !== 'running') continue;
    ops.push({ op: 'patchTerminal', id: terminal.terminalId, fields: { exit: { state: 'exited', endedAt: now } } });
  }
  return ops;
}

type StopWords = Pick<NoticeEntry, 'severity' | 'title' | 'description'>;

/**
 * A stop reason in words (https://agentclientprotocol.com/protocol/prompt-turn#stop-reasons); undefined for the ordinary
 * end of a turn in which something was said or done. One that we do not know is shown as the agent wrote it.
 */
export function stopReasonWords(
  agent: string,
  stopReason: string,
  { byUser, isSilent }: { readonly byUser: boolean; readonly isSilent: boolean },
): StopWords | undefined {
  switch (stopReason) {
    case 'end_turn':
      if (!isSilent) return undefined;
      // Some agents keep the errors of their model to themselves.
      return {
        severity: 'info',
        title: l10n.t('{0} ended the turn without an answer', agent),
        description: l10n.t('If you expected one, send the message again, or look into the protocol log.'),
      };
    case 'cancelled':
      return { severity: 'info', title: byUser ? l10n.t('Turn cancelled') : l10n.t('{0} cancelled this turn', agent) };
    case 'max_tokens':
      return {
        severity: 'warning',
        title: l10n.t('{0} stopped at its token limit', agent),
        description: l10n.t('The answer is not complete. Send another message to go on.'),
      };
    case 'max_turn_requests':
      return {
        severity: 'warning',
        title: l10n.t('{0} stopped after too many requests in one turn', agent),
        description: l10n.t('Send another message to go on.'),
      };
    case 'refusal':
      return {
        severity: 'warning',
        title: l10n.t('{0} refused to answer', agent),
        description: l10n.t('It will not see your last message, and what followed it, again.'),
      };
    default:
      return { severity: 'info', title: l10n.t('The turn ended: {0}', stopReason) };
  }
}
