import type { ProblemText } from '../editor/problemText';

/** The problems of a file by its URI. */
export type ProblemsByFile = ReadonlyMap<string, readonly ProblemText[]>;

/** A problem that wasn't there before a turn. */
export interface NewProblem {
  readonly uri: string;
  readonly problem: ProblemText;
}

/** What is known about a file's part in a turn. */
export interface FileInTurn {
  /** Whether the language services had checked the file before the turn, so that its problems were known. */
  readonly wasChecked: boolean;
  /** Returns whether the turn changed this line, which starts at 1. */
  readonly isChangedLine: (line: number) => boolean;
}

/**
 * Returns the errors and warnings that these files didn't have before. Lines move, so problems are compared by what
 * they say. In a file whose earlier problems aren't known, only those in changed lines count.
 */
export function newProblems(
  before: ProblemsByFile,
  after: ProblemsByFile,
  fileInTurn: (uri: string) => FileInTurn,
): readonly NewProblem[] {
  return [...after].flatMap(([uri, problems]) => {
    const { wasChecked, isChangedLine } = fileInTurn(uri);
    const serious = problems.filter(isSerious);
    // Of several that say the same, those in changed lines are likelier to be new.
    const likeliest = [...serious].sort((a, b) => Number(isChangedLine(b.line)) - Number(isChangedLine(a.line)));
    const known = counts((before.get(uri) ?? []).filter(isSerious));
    const total = counts(serious);
    const fresh = likeliest.filter((problem) => {
      if (!wasChecked) return isChangedLine(problem.line);
      const key = saidBy(problem);
      const left = (total.get(key) ?? 0) - (known.get(key) ?? 0);
      total.set(key, (total.get(key) ?? 0) - 1);
      return left > 0;
    });
    fresh.sort((a, b) => a.line - b.line || a.column - b.column);
    return fresh.map((problem) => ({ uri, problem }));
  });
}

/** Returns the new problems that are still there. */
export function remaining(found: readonly NewProblem[], now: ProblemsByFile): readonly NewProblem[] {
  const left = new Map([...now].map(([uri, problems]) => [uri, counts(problems)]));
  return found.filter(({ uri, problem }) => {
    const inFile = left.get(uri);
    const key = saidBy(problem);
    const count = inFile?.get(key) ?? 0;
    inFile?.set(key, count - 1);
    return count > 0;
  });
}

function isSerious({ severity }: ProblemText): boolean {
  return severity === 'error' || severity === 'warning';
}

function counts(problems: readonly ProblemText[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const problem of problems) all.set(saidBy(problem), (all.get(saidBy(problem)) ?? 0) + 1);
  return all;
}

function saidBy({ severity, message, source }: ProblemText): string {
  return JSON.stringify([severity, source, message]);
}
