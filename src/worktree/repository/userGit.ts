import { compact } from '../../shared/values/decodeValue';
import { fullGit, safeGit, type GitOutput } from '../../git/git';

/**
 * Runs git as the user does: with hooks, filters, and signing, but without an editor. `more` are further variables. Ends it after `timeoutMs`, if
 * given.
 */
export function userGit(
  folder: string,
  args: readonly string[],
  input: string | Uint8Array = '',
  more: Readonly<Record<string, string>> = {},
  timeoutMs?: number,
): Promise<GitOutput> {
  return fullGit(folder, args, { input, more, readsErrors: true, ...compact({ timeoutMs }) });
}

/** Runs git so that nothing of the repository runs, see `safeGit`. `more` are further variables. */
export function plainGit(
  folder: string,
  args: readonly string[],
  input: string | Uint8Array = '',
  more: Readonly<Record<string, string>> = {},
  timeoutMs?: number,
): Promise<GitOutput> {
  return safeGit(folder, args, { input, more, readsErrors: true, ...compact({ timeoutMs }) });
}

/** Returns a line that git printed, or an empty text if it failed. */
export function lineOf({ code, out }: GitOutput): string {
  return code === 0 ? out.toString().replace(/\r?\n$/, '') : '';
}

/** Returns the parts of git's output that are separated by NUL. */
export function partsOf({ code, out }: GitOutput): string[] {
  return code === 0 ? out.toString().split('\0').filter(Boolean) : [];
}
