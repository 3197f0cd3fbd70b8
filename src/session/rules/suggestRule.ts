import { type WrittenRule } from './permissionRule';
import type { PlacedRequest } from './placedRequest';
import { linesOf } from './ruleRequest';

/**
 * Returns the rules to offer for requests like this one, as written in settings, the best first. Undefined if no rule
 * may allow it; `explainRuling` then says why.
 */
export function suggestRules(
  request: PlacedRequest,
  answer: 'allow_once' | 'reject_once',
): readonly [WrittenRule, ...WrittenRule[]] | undefined {
  const [command] = linesOf(request);
  if (command === undefined || (answer === 'allow_once' && !request.isClear)) return undefined;
  return [{ kind: 'execute', command, answer }];
}
