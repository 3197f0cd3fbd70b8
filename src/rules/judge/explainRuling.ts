import { allowingRules } from './allowingRules';
import { lastingObstacle, type Obstacle } from './obstacles';
import type { SourcedRule } from './permissionRule';
import type { PlacedRequest } from '../request/placedRequest';

export type { Obstacle };

/**
 * Returns why these rules don't allow a request; undefined if they do. With `ever`, what keeps any rule from allowing
 * it.
 */
export function explainRuling(rules: readonly SourcedRule[] | 'ever', request: PlacedRequest): Obstacle | undefined {
  if (rules === 'ever') return lastingObstacle(request);
  const verdict = allowingRules(
    rules.filter(({ rule }) => rule.answer === 'allow_once'),
    request,
  );
  return 'obstacle' in verdict ? verdict.obstacle : undefined;
}
