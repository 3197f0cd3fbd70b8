import type { UncommittedFile } from './gitCommit';

/** The files of a commit dialog, by what they have to do with the session. */
export interface CommitChoices {
  /** Changed by the agent, with nothing left to review. Selected at first. */
  readonly kept: readonly UncommittedFile[];
  /** Changed by the user or other programs. Not selected at first. */
  readonly others: readonly UncommittedFile[];
  /** With changes that wait for review. They can't be committed. */
  readonly pending: readonly UncommittedFile[];
}

/** Sorts files. The two functions say whether the agent changed a file, and whether changes in it wait for review. */
export function commitChoices(
  files: readonly UncommittedFile[],
  isOfAgent: (path: string) => boolean,
  isPending: (path: string) => boolean,
): CommitChoices {
  const pending = files.filter(({ path }) => isPending(path));
  const rest = files.filter(({ path }) => !isPending(path));
  return {
    kept: rest.filter(({ path }) => isOfAgent(path)),
    others: rest.filter(({ path }) => !isOfAgent(path)),
    pending,
  };
}

/** Returns the line of a commit message in an agent's answer: without a fence, quotes, or a word of introduction. */
export function subjectOf(answer: string): string {
  const lines = answer
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('```') && !line.endsWith(':'));
  const [first = ''] = lines;
  return first.replace(/^(["'`“]|\*\*)(.+?)(["'`”]|\*\*)$/u, '$2').trim();
}

/** Returns the prompt that asks an agent for a message. */
export function messagePrompt(files: readonly UncommittedFile[]): string {
  const list = files.map(({ path, status }) => `- ${path} (${status})`).join('\n');
  return `Suggest a message for a Git commit of these files. Answer with its subject line only, and don't change or run anything.\n\n${list}`;
}
