import * as l10n from '@vscode/l10n';
import { explainRuling } from '../../rules/judge/explainRuling';
import { findRuling } from '../../rules/judge/findRuling';
import { parsePermissionRules } from '../../rules/judge/permissionRule';
import { answersBy, suggestRules } from '../../rules/judge/suggestRule';
import type { Session } from '../../session/session';
import type { PermissionCase } from '../../session/services';
import { messageOf } from '../../shared/values/messageOf';
import type { RuleOffer, WrittenRule } from '../../shared/permissions/permissionRules';
import type { IntentOf } from '../pages/intent';
import type { UserPermissionRules } from '../permissions/permissionRules';
import type { RuleBook } from '../permissions/ruleBook';
import { bookProblemWords, obstacleWords, ruleProblemWords } from './ruleProblems';

/** What rules are offered from, and saved to. */
export interface RuleOfferServices {
  readonly book: RuleBook;
  readonly rules: Pick<UserPermissionRules, 'place'>;
}

/** Resolves to the rules that would answer a request, or to why there are none. */
export async function offerFor(
  { book, rules }: RuleOfferServices,
  asked: PermissionCase,
  answer: 'allow_once' | 'reject_once',
): Promise<RuleOffer> {
  const forbidden = forbiddenWords(book, answer);
  if (forbidden !== undefined) return { state: 'none', reason: forbidden };
  const placed = await rules.place(asked);
  const present = book.rulesFor(asked.session);
  const suggested = suggestRules(placed, answer, present);
  if (suggested) return { state: 'ready', rules: suggested };
  const obstacle =
    answer === 'allow_once' ? (explainRuling('ever', placed) ?? explainRuling(present, placed)) : undefined;
  return {
    state: 'none',
    reason: obstacle ? obstacleWords(obstacle) : l10n.t('No rule fits this request. Answer it once instead.'),
  };
}

/**
 * Saves the rule first. The request is answered only if that worked, so that the user can try again. Resolves to why it
 * didn't.
 */
export async function save(
  { book, rules }: RuleOfferServices,
  session: Session,
  { request, scope, rule }: IntentOf<'saveRule'>,
): Promise<string | undefined> {
  const asked = session.openCase(request);
  if (!asked) return undefined;
  const problem = ruleProblemWords(rule) ?? forbiddenWords(book, rule.answer);
  if (problem !== undefined) return problem;
  const options = asked.options.filter(({ kind }) => kind === rule.answer);
  const [option] = options;
  // If several options allow, the choice is the user's.
  if (!option || (rule.answer === 'allow_once' && options.length > 1))
    return l10n.t('The agent offers no option for this answer.');
  const useless = await whyUseless({ book, rules }, asked, rule);
  if (useless !== undefined) return useless;
  // The request may have been withdrawn in the meantime, and the user can't see what would be saved.
  if (!session.openCase(request)) return undefined;
  try {
    const failed = await book.add(scope, scope === 'session' ? session.key : undefined, rule);
    if (failed) return bookProblemWords(failed);
  } catch (error) {
    return l10n.t('Couldn’t save the rule: {0}', messageOf(error));
  }
  session.answerPermission(request, option.optionId);
  return undefined;
}

/** Returns why a rule wouldn't answer the request that it is made for; undefined if it would. */
async function whyUseless(
  { book, rules }: RuleOfferServices,
  asked: PermissionCase,
  written: WrittenRule,
): Promise<string | undefined> {
  const [rule] = parsePermissionRules([written]).rules;
  const placed = await rules.place(asked);
  const present = book.rulesFor(asked.session);
  const allowing = present.filter((one) => one.rule.answer === 'allow_once');
  if (!rule || !answersBy(rule, allowing, placed))
    return l10n.t('This rule doesn’t cover the request above. Change the pattern, or answer once instead.');
  if (rule.answer !== 'allow_once') return undefined;
  const found = findRuling([...present, { rule, scope: 'session', index: 0 }], placed, asked.options);
  if (found?.answer === 'allow_once') return undefined;
  return l10n.t('Another rule asks about requests like this one, and wins. Change that rule first.');
}

function forbiddenWords(book: RuleBook, answer: WrittenRule['answer']): string | undefined {
  if (answer !== 'allow_once' || book.policy.takesAllowRules) return undefined;
  return l10n.t('Your organization doesn’t permit rules that allow.');
}
