import { compact } from '../../shared/values/decodeValue';
import type { TranscriptOp } from '../../shared/transcript/ops';
import type { Entry, SessionView, Transcript } from '../../shared/transcript/transcript';
import type { Cost, TurnSummary } from '../../shared/amounts/turnSummary';
import { addTokens, spentTokens, type TurnUsage } from '../../shared/amounts/turnUsage';
import type { TurnOutcome } from '../update/closeTurn';
import type { RunningTurn } from './runningTurn';

/** Returns the ops that add the summary of an ended turn to its last entry. */
export function summarizeTurn(
  { order, entries, view }: Transcript,
  running: Pick<RunningTurn, 'turn' | 'since' | 'model' | 'cost'>,
  end: { readonly at: number; readonly outcome: TurnOutcome; readonly tokens?: TurnUsage | undefined },
): TranscriptOp[] {
  const last = order.findLast((id) => {
    const entry = entries.get(id);
    return entry?.turn === running.turn && isTopLevel(entry);
  });
  const entry = last === undefined ? undefined : entries.get(last);
  if (!entry) return [];
  const { turn, since, model } = running;
  const { at: endedAt, outcome, tokens } = end;
  const cost = costBetween(running.cost, costOf(view), turn === 1);
  const summary: TurnSummary = {
    startedAt: since,
    endedAt,
    ...(outcome === 'completed' ? {} : { brokenBy: outcome }),
    ...compact({ model, tokens, cost }),
  };
  return [{ op: 'summarize', id: entry.id, summary }, ...spentOps(view, tokens)];
}

/** Returns the op that shows the tokens of the last turn, and adds them to those of the session. */
function spentOps(view: SessionView, tokens: TurnUsage | undefined): TranscriptOp[] {
  if (!tokens) return view.turnUsage ? [{ op: 'view', fields: { turnUsage: 'none' } }] : [];
  const counts = spentTokens(tokens);
  const spent = view.spent ? addTokens(view.spent, counts) : counts;
  return [{ op: 'view', fields: { turnUsage: tokens, spent } }];
}

/** Returns the ops that remove the summary of a turn that was cut off and goes on. */
export function withoutSummary({ entries }: Transcript, turn: number): TranscriptOp[] {
  return [...entries.values()].flatMap((entry): TranscriptOp[] => {
    if (entry.turn !== turn || entry.kind === 'login' || entry.turnSummary?.brokenBy !== 'cutOff') return [];
    const open = { ...entry };
    delete open.turnSummary;
    return [{ op: 'replace', entry: open }];
  });
}

/** Returns the cost of the whole session so far, as far as the agent reported it. */
export function costOf({ usage }: SessionView): Cost | undefined {
  return usage.state === 'known' ? usage.cost : undefined;
}

/** Agents report the cost of the whole session. Without an earlier cost, only that of a first turn is known. */
function costBetween(before: Cost | undefined, after: Cost | undefined, isFirst: boolean): Cost | undefined {
  if (!after) return undefined;
  if (!before) return isFirst && after.amount > 0 ? after : undefined;
  // Decimal amounts have rounding errors in their difference.
  const amount = Number((after.amount - before.amount).toFixed(9));
  return before.currency === after.currency && amount > 0 ? { amount, currency: after.currency } : undefined;
}

/** Steps of a subagent or of another call are shown below an entry of their own. */
function isTopLevel(entry: Entry): boolean {
  return (
    entry.kind !== 'login' &&
    entry.subagent === undefined &&
    !(entry.kind === 'tool_call' && entry.parent !== undefined)
  );
}
