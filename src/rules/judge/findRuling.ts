import type { PermissionOption } from '../../shared/transcript/transcript';
import { allowingRules } from './allowingRules';
import { matchesAny, mayMatch } from './matchRules';
import type { RuleAnswer, SourcedRule } from './permissionRule';
import type { PlacedRequest } from '../request/placedRequest';

/** The rule that answers, and the option it chooses. Without an option, the user is asked. */
export interface Ruling {
  readonly answer: RuleAnswer;
  readonly source: SourcedRule;
  /** Further rules that were needed to allow, because each command of a line needs one. */
  readonly others: readonly SourcedRule[];
  readonly option: PermissionOption | undefined;
}

/**
 * Returns the rule that answers a request; undefined if none matches. Rules that reject win over rules that ask, and
 * these over rules that allow, whatever their order and scope.
 */
export function findRuling(
  rules: readonly SourcedRule[],
  request: PlacedRequest,
  options: readonly PermissionOption[],
): Ruling | undefined {
  const of = (answer: RuleAnswer) => rules.filter(({ rule }) => rule.answer === answer);
  const rejecting = of('reject_once').find(({ rule }) => matchesAny(rule, request));
  if (rejecting) return ruling('reject_once', [rejecting], options);
  const asking = of('ask').find(({ rule }) => matchesAny(rule, request));
  if (asking) return ruling('ask', [asking], options);
  // Only the user knows what an alias of theirs does.
  const unsure = [...of('reject_once'), ...of('ask')].find(({ rule }) => mayMatch(rule, request));
  if (unsure) return ruling('ask', [unsure], options);
  const verdict = allowingRules(of('allow_once'), request);
  return 'rules' in verdict ? ruling('allow_once', verdict.rules, options) : undefined;
}

function ruling(
  answer: RuleAnswer,
  [source, ...others]: readonly [SourcedRule, ...SourcedRule[]],
  options: readonly PermissionOption[],
): Ruling {
  return { answer, source, others, option: optionFor(answer, options) };
}

/** Returns the option of that kind. If several options allow, the choice is the user's. */
function optionFor(answer: RuleAnswer, options: readonly PermissionOption[]): PermissionOption | undefined {
  const found = options.filter(({ kind }) => kind === answer);
  return answer === 'reject_once' || found.length === 1 ? found[0] : undefined;
}
