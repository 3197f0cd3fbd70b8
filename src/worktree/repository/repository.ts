import { lstat, mkdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { gitPlaceOf } from '../../git/gitPlace';
import { lineOf, partsOf, plainGit } from './userGit';
import { reportedProblem, WorktreeProblem } from './worktreeProblem';

/** A repository as seen from one of its folders. Paths are real ones. */
export interface Repository {
  /** The root of the working tree, or the repository itself if it is bare. */
  readonly root: string;
  /** The folder of git that all worktrees share. */
  readonly common: string;
  readonly isBare: boolean;
  /** The folder below `root`, empty for the root itself. */
  readonly below: string;
  /** The working tree that is around all others: the first one, or that of the repository that this is a submodule of. */
  readonly outermost: string;
  /** The commit that is checked out. */
  readonly head: string;
  /** Undefined with a detached head. */
  readonly branch: string | undefined;
}

/** A branch that a worktree can start from. */
export interface BaseBranch {
  readonly name: string;
  readonly isRemote: boolean;
}

/** A file that differs from the last commit. Paths are relative to the repository's root. */
export interface DirtyFile {
  readonly path: string;
  readonly isUntracked: boolean;
}

/** Finds the repository of a folder. Throws a `WorktreeProblem` if no worktree can be made of it. */
export async function openRepository(folder: string): Promise<Repository> {
  const [place, usable] = [await gitPlaceOf(folder), await plainGit(folder, ['rev-parse', '--git-dir'])];
  if (usable.code === null) {
    throw new WorktreeProblem(l10n.t('Worktrees need Git, which wasn’t found. Install it and try again.'));
  }
  if (!place || usable.code !== 0) {
    throw new WorktreeProblem(l10n.t('{0} isn’t in a Git repository. Run “git init” there and commit first.', folder));
  }
  const common = await realpath(place.common);
  const isBare = place.top === undefined;
  const root = place.top ?? common;
  const head = lineOf(await plainGit(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']));
  if (head === '') {
    throw new WorktreeProblem(
      l10n.t('The repository has no commit yet, and a worktree starts from one. Commit first, then try again.'),
    );
  }
  const branch = lineOf(await plainGit(folder, ['symbolic-ref', '--short', '--quiet', 'HEAD']));
  const below = isBare ? '' : relative(root, await realpath(folder));
  const outermost = await outermostOf(root, common);
  return { root, common, isBare, below, outermost, head, branch: branch === '' ? undefined : branch };
}

async function outermostOf(root: string, common: string): Promise<string> {
  let outer = basename(common) === '.git' ? dirname(common) : root;
  for (;;) {
    const around = (await gitPlaceOf(dirname(outer)))?.top;
    if (around === undefined) return outer;
    // Git tracks a submodule as a commit.
    const path = relative(around, outer).split(sep).join('/');
    const tracked = partsOf(await plainGit(around, ['ls-files', '-z', '--stage', '--', `:(top,literal)${path}`]));
    if (!tracked.some((line) => line.startsWith('160000 ') && line.endsWith(`\t${path}`))) return outer;
    outer = around;
  }
}

/** Lists the branches, those of this machine first, the latest ones first. */
export async function baseBranches({ root }: Pick<Repository, 'root'>): Promise<readonly BaseBranch[]> {
  const list = (place: string) =>
    plainGit(root, ['for-each-ref', '--sort=-committerdate', '--format=%(refname)%00%(symref)', place]);
  const read = (out: Buffer, prefix: string, isRemote: boolean) =>
    out
      .toString()
      .split('\n')
      .map((line) => line.split('\0'))
      .filter(([name = '', symbolic]) => name.startsWith(prefix) && symbolic === '')
      .map(([name = '']) => ({ name: name.slice(prefix.length), isRemote }));
  const [local, remote] = await Promise.all([list('refs/heads/'), list('refs/remotes/')]);
  return [...read(local.out, 'refs/heads/', false), ...read(remote.out, 'refs/remotes/', true)];
}

/** Lists the names of this machine's branches. */
export async function branchNames(repository: Pick<Repository, 'root'>): Promise<readonly string[]> {
  return (await baseBranches(repository)).filter(({ isRemote }) => !isRemote).map(({ name }) => name);
}

/** Lists the files that differ from the last commit. Throws a `WorktreeProblem` if some have conflicts. */
export async function dirtyFiles({ root, isBare }: Repository): Promise<readonly DirtyFile[]> {
  if (isBare) return [];
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all'];
  const status = await plainGit(root, ['--no-optional-locks', ...args]);
  if (status.code !== 0) throw reportedProblem(l10n.t('Couldn’t read the uncommitted changes'), status);
  const lines = partsOf(status);
  const conflict = lines.find((line) => /^(U.|.U|AA|DD) /.test(line))?.slice(3);
  if (conflict !== undefined) {
    throw new WorktreeProblem(
      l10n.t('{0} has conflicts that aren’t resolved. Resolve them, or leave uncommitted changes here.', conflict),
    );
  }
  // A path that ends with a slash is another repository.
  return lines
    .filter((line) => !line.endsWith('/'))
    .map((line) => ({ path: line.slice(3), isUntracked: line.startsWith('??') }));
}

/** Returns those of some paths that git ignores. They are relative to the root, and outside of submodules. */
export async function ignoredAmong(root: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  return new Set(partsOf(await plainGit(root, ['check-ignore', '-z', '--stdin'], paths.join('\0'))));
}

/** Lists ignored files that match one of the globs, without those in folders of packages. */
export async function ignoredFiles(
  { root, isBare }: Pick<Repository, 'root' | 'isBare'>,
  globs: readonly string[],
): Promise<readonly string[]> {
  if (isBare || globs.length === 0) return [];
  const wanted = globs.flatMap((glob) => [`:(top,glob)${glob}`, `:(top,glob)**/${glob}`]);
  const unwanted = ['node_modules', '.venv'].map((name) => `:(top,exclude,glob)**/${name}/**`);
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--full-name', '--'];
  return partsOf(await plainGit(root, [...args, ...wanted, ...unwanted])).filter((path) => !path.endsWith('/'));
}

/** The folder for Parley's own notes about a repository's worktrees. */
export async function notesFolder({ common }: Pick<Repository, 'common'>): Promise<string> {
  let folder = common;
  for (const name of ['parley', 'worktrees']) {
    folder = join(folder, name);
    await mkdir(folder).catch(() => undefined);
    // An agent may have put a link there.
    if ((await lstat(folder)).isDirectory()) continue;
    throw new WorktreeProblem(l10n.t('{0} isn’t a folder. Move it away and try again.', folder));
  }
  return folder;
}

/** Returns the sentences about what isn't complete in a new worktree, each with a next step. */
export async function incompleteParts(worktree: string): Promise<readonly string[]> {
  const found: string[] = [];
  const modules = lineOf(await plainGit(worktree, ['config', '--file', '.gitmodules', '--get-regexp', '\\.path$']));
  if (modules !== '') {
    found.push(l10n.t('Submodules are empty in a new worktree. Run “git submodule update --init” there.'));
  }
  const sparse = lineOf(await plainGit(worktree, ['config', '--get', '--bool', 'core.sparseCheckout']));
  if (sparse === 'true') {
    found.push(
      l10n.t('The repository has a sparse checkout, so some files are missing. Run “git sparse-checkout” there.'),
    );
  }
  const pointers = await firstPointer(worktree);
  if (pointers !== undefined) {
    found.push(l10n.t('{0} is only a pointer of Git LFS. Run “git lfs pull” there.', pointers));
  }
  return found;
}

/** Maximum number of files of Git LFS that are read. */
const maxPointers = 50;

/** Returns the first file of Git LFS whose content wasn't fetched. */
async function firstPointer(worktree: string): Promise<string | undefined> {
  const files = partsOf(await plainGit(worktree, ['ls-files', '-z', '--', ':(attr:filter=lfs)']));
  for (const path of files.slice(0, maxPointers)) {
    const text = await readFile(join(worktree, path)).catch(() => Buffer.alloc(0));
    if (text.length < 1024 && text.toString().startsWith('version https://git-lfs.github.com/spec/v1')) return path;
  }
  return undefined;
}
