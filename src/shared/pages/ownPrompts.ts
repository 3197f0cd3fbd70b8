/** What a message is that Parley wrote for an agent. */
export type OwnPrompt = 'review' | 'reviewAgain' | 'edited' | 'conflict';

/** The words that such messages begin with. For agents, so they aren't translated. */
export const ownIntros = {
  review: 'Review the changes that another agent (',
  reviewWorktree: 'Review everything that has changed in this Git worktree since it was made, by another agent (',
  reviewAgain: 'Your request was rejected because this is a review: you can read, ',
  edited: 'I changed your edit before I allowed it. This is the difference between your version and mine:',
  editedSeveral:
    'I changed your edits before I allowed them. These are the differences between your versions and mine:',
  conflict: 'Your changes conflict with changes that I made to the same lines in the meantime. ',
} as const;

const kinds: Readonly<Record<keyof typeof ownIntros, OwnPrompt>> = {
  review: 'review',
  reviewWorktree: 'review',
  reviewAgain: 'reviewAgain',
  edited: 'edited',
  editedSeveral: 'edited',
  conflict: 'conflict',
};

/** Tells whether Parley wrote a message, by the words that it begins with. The user hasn't typed those. */
export function ownPromptIn(text: string): OwnPrompt | undefined {
  const key = (Object.keys(ownIntros) as (keyof typeof ownIntros)[]).find((one) => text.startsWith(ownIntros[one]));
  return key && kinds[key];
}

/** Whether an answer is nothing but a list in JSON, as Parley asks reviewers for. */
export function isBareList(text: string): boolean {
  const [, inner = text] = /^\s*```(?:json)?[^\S\n]*\n([^]*?)\n```\s*$/.exec(text) ?? [];
  try {
    return Array.isArray(JSON.parse(inner));
  } catch {
    return false;
  }
}
