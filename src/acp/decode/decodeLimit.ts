import { asNumber, asObject, asOneOf, asString, compact } from '../../shared/values/decodeValue';
import type { UsageLimit } from '../../shared/amounts/usageLimit';

const states = { allowed: 'ok', allowed_warning: 'warning', rejected: 'reached' } as const;
/** Times before 2001 or after 5138 are in another unit or wrong. In seconds. */
const earliest = 1e9;
const latest = 1e11;
const maxType = 100;

/** Reads a limit of Claude's provider (`_meta["_claude/rateLimit"]` of `usage_update`). */
export function decodeLimit(value: unknown): UsageLimit | undefined {
  const limit = asObject(value);
  const status = asOneOf(limit?.['status'], ['allowed', 'allowed_warning', 'rejected'] as const);
  if (!limit || !status) return undefined;
  const seconds = asNumber(limit['resetsAt']);
  const isTime = seconds !== undefined && seconds >= earliest && seconds < latest;
  const share = asNumber(limit['utilization']);
  return {
    type: asString(limit['rateLimitType'])?.slice(0, maxType) ?? '',
    // With extra usage, the user can go on.
    state: status === 'rejected' && limit['isUsingOverage'] === true ? 'warning' : states[status],
    ...compact({
      resetsAt: isTime ? Math.round(seconds * 1000) : undefined,
      used: share !== undefined && share >= 0 ? Math.min(1, share) : undefined,
    }),
  };
}
