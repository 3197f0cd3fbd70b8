import * as l10n from '@vscode/l10n';
import { parsePermissionRules, ruleProblem } from '../../rules/judge/permissionRule';
import type { Obstacle } from '../../rules/judge/obstacles';
import { assertNever } from '../../shared/values/assert';
import type { WrittenRule } from '../../shared/permissions/permissionRules';
import { riskWords } from '../../shared/permissions/ruleWords';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import type { BookProblem } from '../permissions/ruleBook';

/** Returns what is wrong with a rule that the user typed; undefined if it is valid. */
export function ruleProblemWords(rule: WrittenRule): string | undefined {
  if (isUnlimited(rule)) return l10n.t('A rule that allows needs at least one condition.');
  const { command, title, path, mcpServer, mcpTool, host, agent } = rule;
  const paths = typeof path === 'string' ? [path] : path;
  const texts = [command, title, mcpServer, mcpTool, host, agent, ...(paths ?? [])];
  if (paths?.length === 0 || texts.some((text) => text?.trim() === '')) return l10n.t('Enter a pattern.');
  const reason = ruleProblem(rule);
  if (reason === undefined) return undefined;
  if (host !== undefined) {
    if (ruleProblem({ host, answer: 'ask' }) !== undefined)
      return l10n.t('This isn’t a host. Enter one such as example.com, *.example.com, or example.com:443.');
    return l10n.t('A rule for a host can only have an agent as another condition.');
  }
  const isExpression = [command, title].some((text) => text?.startsWith('/') === true);
  if (isExpression && parsePermissionRules([{ ...rule, command: 'a', title: 'a' }]).problems.length === 0)
    return l10n.t('This regular expression isn’t supported. Use a simpler one, or * as a wildcard.');
  return l10n.t('This rule isn’t valid: {0}.', reason);
}

/** Returns whether a rule would allow every request. */
function isUnlimited({ answer, ...conditions }: WrittenRule): boolean {
  return answer === 'allow_once' && Object.keys(conditions).length === 0;
}

/** Returns why a rule couldn't be changed. */
export function bookProblemWords(problem: BookProblem): string {
  switch (problem) {
    case 'gone':
      return l10n.t('This rule no longer exists. It was changed somewhere else.');
    case 'locked':
      return l10n.t('This rule can’t be changed here.');
    case 'unreadable':
      return l10n.t('The setting “parley.permissions” isn’t a list. Fix it in Settings first.');
    default:
      return assertNever(problem);
  }
}

/** Returns why no rule can allow a request. Texts of the request are shown as they are. */
export function obstacleWords(obstacle: Obstacle): string {
  switch (obstacle.kind) {
    case 'unclear':
    case 'unplaced':
    case 'none':
      return l10n.t('No rule can allow this request, because Parley can’t tell everything that it would do.');
    case 'openKind':
      return l10n.t('No rule can allow requests of this kind, because they can be anything.');
    case 'environment':
      return l10n.t(
        'No rule can allow this, because the variable “{0}” can change which programs run.',
        shown(obstacle.name),
      );
    case 'guarded':
      return l10n.t(
        'No rule can allow this, because files in “{0}” decide what runs or what is allowed.',
        shown(obstacle.path),
      );
    case 'outside':
      return l10n.t('No rule fits, because “{0}” is outside the workspace.', shown(obstacle.path));
    case 'writes':
      return l10n.t('No rule for a command fits, because it also writes “{0}”.', shown(obstacle.path));
    case 'unparsed':
      return l10n.t('No rule can allow this command line, because Parley can’t split it into its commands.');
    case 'dynamic':
      return l10n.t(
        'No rule can allow this, because the value of “{0}” is only known when it runs.',
        shown(obstacle.text),
      );
    case 'destructive':
      return l10n.t(
        'No single rule fits, because “{0}” is destructive: {1}.',
        shown(obstacle.command),
        riskWords({ kind: obstacle.risk }),
      );
    case 'command':
      return l10n.t('No single rule fits, because the line also runs “{0}”.', shown(obstacle.command));
    default:
      return assertNever(obstacle);
  }
}

function shown(text: string): string {
  return showHiddenOnOneLine(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}
