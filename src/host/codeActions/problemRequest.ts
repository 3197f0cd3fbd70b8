import * as l10n from '@vscode/l10n';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import { quotedProblem, type ProblemText } from '../editor/problemText';

/** What the agent is asked to do with problems. */
export type ProblemTask = 'fix' | 'explain';

/** Returns a message that asks the agent about problems in a file. What tools say about them is quoted. */
export function problemRequest(task: ProblemTask, path: string, problems: readonly ProblemText[]): string {
  const file = showHiddenOnOneLine(path);
  const [first] = problems;
  if (problems.length === 1 && first) {
    const line =
      task === 'fix'
        ? l10n.t('Fix this problem in {0}, line {1}:', file, first.line)
        : l10n.t('Explain this problem in {0}, line {1}:', file, first.line);
    return `${line}\n\n${quotedProblem(first)}\n`;
  }
  const title =
    task === 'fix' ? l10n.t('Fix these problems in {0}:', file) : l10n.t('Explain these problems in {0}:', file);
  const each = problems.map((problem) => `${l10n.t('Line {0}:', problem.line)}\n\n${quotedProblem(problem)}`);
  return `${[title, ...each].join('\n\n')}\n`;
}
