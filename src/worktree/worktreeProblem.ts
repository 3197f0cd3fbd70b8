import * as l10n from '@vscode/l10n';
import type { GitOutput } from '../baseline/git';

/** Why something can't be done with a worktree: a sentence with the next step. Nothing was changed. */
export class WorktreeProblem extends Error {}

/** The problem that git reported, in its own words. */
export function reportedProblem(title: string, { code, out, err }: GitOutput): WorktreeProblem {
  if (code === null) return new WorktreeProblem(l10n.t('{0}: Git wasn’t found. Install it and try again.', title));
  const words = `${err}\n${out.toString()}`.trim().replace(/^(fatal|error): /gm, '');
  const reported = l10n.t('{0}. Git reported: {1}', title, words);
  if (!/\bfile ?name too long\b/i.test(words)) return new WorktreeProblem(reported);
  const next = l10n.t(
    'Choose a shorter path in the setting parley.worktrees.folder. On Windows, “git config core.longpaths true” also helps.',
  );
  return new WorktreeProblem(`${reported}\n${next}`);
}
