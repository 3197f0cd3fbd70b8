import * as l10n from '@vscode/l10n';
import type { GitOutput } from '../../git/git';
import { messageOf } from '../../shared/values/messageOf';

/** Why something can't be done with a worktree: a sentence with the next step. Nothing was changed. */
export class WorktreeProblem extends Error {}

/** Maximum length of git's words. A hook can print more. */
const maxWords = 600;

/** What git prints besides the reason. */
const beside =
  /^(Preparing worktree|HEAD is now at|hint:|Updating |Aborting\b|Please commit your changes|Please move or remove)/;

/** The problem that git reported, in its own words, and what the user can do about it. */
export function reportedProblem(title: string, output: GitOutput): WorktreeProblem {
  if (output.code === null)
    return new WorktreeProblem(l10n.t('{0}: Git wasn’t found. Install it and try again.', title));
  const words = wordsOf(output);
  if (words === '') return new WorktreeProblem(l10n.t('{0}. Git didn’t say why. Try again.', title));
  const next = nextStep(words) ?? l10n.t('Fix what Git reports, then try again.');
  return new WorktreeProblem(l10n.t('{0}. Git reported: {1} {2}', title, words, next));
}

/** The problem that the system reported about files, and what the user can do about it. */
export function failedProblem(title: string, error: unknown): WorktreeProblem {
  if (error instanceof WorktreeProblem) return error;
  const words = messageOf(error);
  return new WorktreeProblem(l10n.t('{0}: {1}. {2}', title, words, nextStep(words) ?? l10n.t('Try again.')));
}

/** The problem that the folder of a worktree is gone. */
export function goneProblem({ path, branch }: { readonly path: string; readonly branch: string }): WorktreeProblem {
  return new WorktreeProblem(
    l10n.t('The worktree {0} no longer exists. What was committed may be on the branch “{1}”.', path, branch),
  );
}

/** Returns why git failed, as sentences. */
export function wordsOf({ out, err }: GitOutput): string {
  const lines = `${err}\n${out.toString()}`
    .split(/\r?\n/)
    .map((line) => line.replace(/^(fatal|error): /, '').trim())
    .filter((line) => line !== '' && !beside.test(line));
  const words = lines.join('\n');
  if (words === '') return '';
  if (words.length > maxWords) return `${words.slice(0, maxWords)}…`;
  return /[.!?:…]$/.test(words) ? words : `${words}.`;
}

/** Returns what the user can do about a failure, if its cause is known. Git's words are in English, see `userGit`. */
function nextStep(words: string): string | undefined {
  return nextSteps().find(([cause]) => cause.test(words))?.[1];
}

/** Returns causes as git words them, with the user's next step. */
function nextSteps(): readonly (readonly [RegExp, string])[] {
  return [
    [
      /\bfile ?name too long\b/i,
      l10n.t(
        'Choose a shorter path in the setting parley.worktrees.folder. On Windows, “git config core.longpaths true” also helps.',
      ),
    ],
    [/cannot change to '/i, l10n.t('The folder was moved or deleted. Put it back if you can, then try again.')],
    [/no space left|disk quota exceeded/i, l10n.t('Free some disk space, then try again.')],
    [/dubious ownership/i, l10n.t('Add the folder to “safe.directory” in Git’s configuration, then try again.')],
    [
      /unable to create '.*\.lock'|cannot lock ref|another git process/i,
      l10n.t(
        'Another program may be using the repository. Wait until it’s done. If there is none, delete the lock file.',
      ),
    ],
    [
      /(smudge|clean) filter .*failed|external filter .*failed|git-lfs.*not found/i,
      l10n.t('Install the program of this filter, such as Git LFS, or fix the filter in Git’s configuration.'),
    ],
    [
      /already (checked out|used by worktree) at|cannot delete branch .* (checked out|used by worktree)/i,
      l10n.t('Switch to another branch there, then try again.'),
    ],
    [
      /missing but (already registered|locked) worktree/i,
      l10n.t('Run “git worktree prune” in the repository, then try again.'),
    ],
    [/branch named .* already exists/i, l10n.t('Choose another name for the branch.')],
    [
      /promisor remote|could not (fetch|read from remote)|could not resolve host/i,
      l10n.t('Git needs files that only the remote has. Check your connection, then try again.'),
    ],
    [/invalid path '/i, l10n.t('This system can’t have a file with that name. Start from a branch without it.')],
    [
      /unable to read (sha1 file|tree)|bad object|object file .* is empty|loose object|missing blob|invalid object/i,
      l10n.t('The repository is damaged. Run “git fsck” in it to see what is missing.'),
    ],
    [
      /would be overwritten by merge|local changes|untracked working tree files/i,
      l10n.t('Commit these files or move them away, then try again.'),
    ],
    [
      /not concluded your (merge|cherry-pick)|unmerged files|unfinished|in progress/i,
      l10n.t('Finish what Git is in the middle of, or abort it, then try again.'),
    ],
    [
      /tell me who you are|unable to auto-detect email|empty ident name/i,
      l10n.t('Set your name and email with “git config user.name” and “git config user.email”, then try again.'),
    ],
    [
      /failed to sign|gpg failed/i,
      l10n.t('Fix the signing of commits, or turn it off with “git config commit.gpgSign false”.'),
    ],
    [
      /permission denied|operation not permitted|read-only file system/i,
      l10n.t('Check who may write there, and close the programs that use these files. Then try again.'),
    ],
    [
      /directory not empty|device or resource busy|failed to delete/i,
      l10n.t('Close the programs that use these files, then try again.'),
    ],
  ];
}
