import type { Freedom } from '../../shared/limits/freedom';
import { isUnplaced, lastingObstacle } from './obstacles';
import type { PlacedRequest } from '../request/placedRequest';
import { risksOf } from '../request/risk';

/** Why a request can do more than can be read in it. A sandbox holds commands, whatever is in their lines. */
const unreadable: Readonly<Record<Freedom, ReadonlySet<string>>> = {
  everything: new Set(['unclear', 'guarded', 'environment', 'dynamic', 'unparsed']),
  inSandbox: new Set(['unclear', 'guarded']),
};

/**
 * Returns whether a request still asks where the user allowed everything: what is destructive or may be, what can change
 * what runs or what is allowed, and what Parley can't read. In a sandbox, command lines that it can't read don't ask.
 */
export function asksAlways(request: PlacedRequest, freedom: Freedom): boolean {
  // What a sandboxed agent may reach is the user's decision.
  if (request.host || request.kind === 'switch_mode' || isUnplaced(request)) return true;
  if (risksOf(request).length > 0) return true;
  const obstacle = lastingObstacle(request);
  return obstacle !== undefined && unreadable[freedom].has(obstacle.kind);
}
