import { asNumber, asObject, asOneOf, asString, compact } from '../../shared/values/decodeValue';
import { goalStatuses, longestGoal, type Goal } from '../../shared/transcript/goal';

const longestReason = 500;

/** Reads the goal in `_meta` of a `session_info_update`, as Claude and Codex send it; undefined if it says nothing. */
export function decodeGoal(meta: unknown): Goal | 'none' | undefined {
  const air = asObject(asObject(asObject(meta)?.['jetbrains'])?.['air']);
  const told = air && 'goal' in air ? air['goal'] : asObject(meta)?.['goal'];
  if (told === null) return 'none';
  const goal = asObject(told);
  const objective = asString(goal?.['objective'])?.trim();
  if (!goal || !objective) return undefined;
  return compact({
    objective: objective.slice(0, longestGoal),
    status: asOneOf(goal['status'], goalStatuses),
    iterations: countOf(goal['iterations']),
    tokens: countOf(goal['tokensUsed']),
    seconds: countOf(goal['timeUsedSeconds']),
    reason: asString(goal['lastReason'])?.slice(0, longestReason) || undefined,
  });
}

function countOf(value: unknown): number | undefined {
  const count = asNumber(value);
  return count !== undefined && count >= 0 ? Math.round(count) : undefined;
}
