import { shortenMiddle, showHidden, showHiddenOnOneLine } from '../../shared/text/visibleText';

/** A problem that a tool found in a file. Everything in it was written by the tool. */
export interface ProblemText {
  /** Starting at 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  /** The tool and its code for the problem, if known. */
  readonly source: string;
}

/** Maximum number of characters of a problem's message. */
const longestMessage = 2000;

/** Returns the problem as one line of a list, as compilers write it. */
export function problemLine(path: string, problem: ProblemText): string {
  const { line, column, severity } = problem;
  return `${path}:${line}:${column}: ${severity}: ${wordsOf(problem).replace(/\s*\n\s*/g, ' ')}`;
}

/**
 * Returns the problem as a quotation. A tool's words can't leave it, so an agent can tell them from the user's, and the
 * user sees hidden characters.
 */
export function quotedProblem(problem: ProblemText): string {
  return wordsOf(problem)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function wordsOf({ message, source }: ProblemText): string {
  const words = showHidden(shortenMiddle(message.trim().replace(/\r\n?/g, '\n'), longestMessage));
  return source === '' ? words : `${words} (${showHiddenOnOneLine(shortenMiddle(source, 100))})`;
}
