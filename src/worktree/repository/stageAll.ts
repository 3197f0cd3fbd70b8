import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { lineOf, partsOf, plainGit } from './userGit';
import { reportedProblem } from './worktreeProblem';

/** Lists the repositories in a worktree that git doesn't track, relative to its root. It can't add one without a commit. */
export async function untrackedRepositories(worktree: string): Promise<readonly string[]> {
  const args = ['ls-files', '-z', '--others', '--exclude-standard', '--full-name', '--', ':/'];
  return partsOf(await plainGit(worktree, args))
    .filter((path) => path.endsWith('/'))
    .map((path) => path.slice(0, -1));
}

/**
 * Stages everything in a worktree but the repositories in it that git doesn't track. Throws a `WorktreeProblem` with `failed` as its title.
 * `run` is the
 * git that does it: only the user's own runs filters. `more` are further variables, such as another index.
 */
export async function stageAll(
  worktree: string,
  failed: string,
  run: typeof plainGit,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const git = async (args: readonly string[]) => {
    const output = await run(worktree, args, '', more);
    if (output.code !== 0) throw reportedProblem(failed, output);
    return output;
  };
  const untracked = await untrackedRepositories(worktree);
  const submodules: string[] = [];
  for (const line of partsOf(await git(['ls-files', '-z', '--stage', '--full-name', '--', ':/']))) {
    const path = /^160000 [0-9a-f]+ 0\t(.+)$/s.exec(line)?.[1];
    if (path !== undefined && (await lstat(join(worktree, path)).catch(() => undefined))) submodules.push(path);
  }
  // To look into a submodule, git would start a second one, with what is configured there.
  const without = [...untracked, ...submodules].map((path) => `:(top,exclude,literal)${path}`);
  await git(['-c', 'add.ignoreErrors=false', 'add', '--all', '--', ':/', ...without]);
  const around = untracked.map((path) => `:(top,literal)${path}`);
  // Files that git tracked before there was a repository around them.
  if (around.length > 0) await git(['add', '--update', '--', ...around]);
  for (const path of submodules) {
    const folder = join(worktree, path);
    if (!(await lstat(join(folder, '.git')).catch(() => undefined))) continue;
    const head = lineOf(await plainGit(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']));
    if (head !== '') await git(['update-index', '--cacheinfo', `160000,${head},${path}`]);
  }
}
