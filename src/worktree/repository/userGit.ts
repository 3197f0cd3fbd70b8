import { compact } from '../../shared/values/decodeValue';
import { fullGit, safeGit, type GitOutput } from '../../git/git';

const runs =
  (git: typeof fullGit) =>
  (
    folder: string,
    args: readonly string[],
    input: string | Uint8Array = '',
    more: Readonly<Record<string, string>> = {},
    timeoutMs?: number,
  ): Promise<GitOutput> =>
    git(folder, args, { input, more, readsErrors: true, ...compact({ timeoutMs }) });

/**
 * Runs git as the user does: with hooks, filters, and signing, but without an editor. `more` are further variables. Ends it after `timeoutMs`, if
 * given.
 */
export const userGit = runs(fullGit);

/** Runs git so that nothing of the repository runs, see `safeGit`. `more` are further variables. */
export const plainGit = runs(safeGit);

/** Returns a line that git printed, or an empty text if it failed. */
export function lineOf({ code, out }: GitOutput): string {
  return code === 0 ? out.toString().replace(/\r?\n$/, '') : '';
}

/** Returns the parts of git's output that are separated by NUL. */
export function partsOf({ code, out }: GitOutput): string[] {
  return code === 0 ? out.toString().split('\0').filter(Boolean) : [];
}
