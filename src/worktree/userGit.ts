import { runGit, type GitOutput } from '../baseline/git';
import { scrubEnvironment } from '../process/scrubEnvironment';

/** Variables that select another repository than the one of the folder, as in an editor that was started by a hook. */
const selecting = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_PREFIX']);

/** Runs git as the user does: with hooks and signing, but without an editor. `more` are further variables. */
export function userGit(
  folder: string,
  args: readonly string[],
  input: string | Uint8Array = '',
  more: Readonly<Record<string, string>> = {},
): Promise<GitOutput> {
  const own = Object.entries(scrubEnvironment(process.env)).filter(([name]) => !selecting.has(name.toUpperCase()));
  // What git reports is read to find the user's next step.
  const quiet = { GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', GIT_PAGER: '', LANGUAGE: 'en' };
  const env = { ...Object.fromEntries(own), ...quiet, ...more };
  return runGit(['-C', folder, ...args], { env, input, readsErrors: true });
}

/**
 * Runs git in a repository that an agent may have configured, to read it. What is configured there isn't started: no monitor, no hook, and no
 * transport that would fetch a missing object.
 */
export function inertGit(folder: string, args: readonly string[], input = ''): Promise<GitOutput> {
  const off = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  const more = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_NO_REPLACE_OBJECTS: '1' };
  return userGit(folder, ['--no-optional-locks', ...off, ...args], input, more);
}

/** Returns a line that git printed, or an empty text if it failed. */
export function lineOf({ code, out }: GitOutput): string {
  return code === 0 ? out.toString().replace(/\r?\n$/, '') : '';
}

/** Returns the parts of git's output that are separated by NUL. */
export function partsOf({ code, out }: GitOutput): string[] {
  return code === 0 ? out.toString().split('\0').filter(Boolean) : [];
}
