import * as l10n from '@vscode/l10n';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import { quotedProblem } from '../editor/problemText';
import type { NewProblem } from './newProblems';

/** Maximum number of problems in a message. */
export const mostReported = 20;

/** Returns a message that asks an agent to fix the problems of its changes. What tools say about them is quoted. */
export function problemReport(found: readonly NewProblem[], pathOf: (uri: string) => string): string {
  const title =
    found.length === 1
      ? l10n.t('Your changes caused a new problem. Fix it:')
      : l10n.t('Your changes caused {0} new problems. Fix them:', found.length);
  const shown = found.slice(0, mostReported).map(({ uri, problem }) => {
    const place = l10n.t('{0}, line {1}:', showHiddenOnOneLine(pathOf(uri)), problem.line);
    return `${place}\n\n${quotedProblem(problem)}`;
  });
  const more = found.length - shown.length;
  const rest = more > 0 ? [l10n.t('And {0} more.', more)] : [];
  return `${[title, ...shown, ...rest].join('\n\n')}\n`;
}
