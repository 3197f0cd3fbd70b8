import {
  copyFile,
  constants,
  lstat,
  mkdir,
  readdir,
  readlink,
  realpath,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isLossy } from '../../disk/lossyNames';
import { hasStrangeName, wayBelow } from '../../disk/paths';
import { messageOf } from '../../shared/values/messageOf';
import { gitFolderOf } from '../repository/innerRepositories';
import { baseBranches, branchNames, incompleteParts, type DirtyFile, type Repository } from '../repository/repository';
import { branchProblem } from '../repository/branchName';
import type { FileVersion } from '../repository/mergeFiles';
import { forgetFolder, rememberFolder } from './ownFolders';
import { baseRef, newRecordId, writeRecord, type WorktreeRecord } from './worktreeRecord';
import { stageAll } from '../repository/stageAll';
import { withIndexCopy } from './withIndexCopy';
import { lineOf, plainGit, userGit } from '../repository/userGit';
import { forgetWorktrees } from './worktreeOf';
import { listWorktrees } from './worktreeList';
import { failedProblem, reportedProblem, WorktreeProblem, wordsOf } from '../repository/worktreeProblem';

/** A worktree to create. */
export interface WorktreeRequest {
  /** The branch to start from. Undefined for the current commit. */
  readonly base: string | undefined;
  /** The new branch. */
  readonly branch: string;
  /** The absolute path of the new folder. */
  readonly path: string;
  /** Uncommitted changes to bring along as they are. Only from the current commit. */
  readonly changes: readonly DirtyFile[];
  /** Ignored files to copy, relative to the repository's root. */
  readonly ignored: readonly string[];
  /** Files that start with another content than the repository's, as if it were committed. */
  readonly contents?: readonly PlacedFile[];
}

/** What a file of a worktree has. The path is relative to the root, with slashes. */
export interface PlacedFile {
  readonly path: string;
  readonly version: FileVersion;
}

/** A worktree that was created, and what the user should know about it. */
export interface CreatedWorktree {
  readonly record: WorktreeRecord;
  /** The session's folder: the same folder as in the repository. */
  readonly cwd: string;
  /** Sentences, each with a next step. */
  readonly notes: readonly string[];
}

/** Maximum length of a worktree's name. On Windows, the files in it must have paths of at most 260 characters unless Git is told otherwise. */
const maxLeaf = 40;

/**
 * Returns the folder for a new worktree: in the one of the settings, or beside the repository. Relative settings start at the
 * repository. The last name is that of the branch, and another one if it exists.
 */
export async function suggestPlace(
  { outermost }: Pick<Repository, 'outermost'>,
  setting: string,
  branch: string,
): Promise<string> {
  const around = setting.trim() === '' ? `${outermost}.worktrees` : resolve(outermost, setting.trim());
  // Repositories may have branches of the same name.
  const folder = setting.trim() === '' ? around : join(around, basename(outermost));
  const words = branch.replace(/^parley\//, '').replace(/[^\p{L}\p{N}._-]+/gu, '-');
  const name = trimmed(trimmed(words).slice(0, maxLeaf)) || 'session';
  // Windows can't have a folder with the name of a device.
  const leaf = hasStrangeName(name, 'win32') ? `session-${name}` : name;
  for (let number = 1; ; number++) {
    const path = join(folder, number === 1 ? leaf : `${leaf}-${number}`);
    if ((await lstat(path).catch(() => undefined)) === undefined) return path;
  }
}

/** Removes what a folder's name can't begin or end with. */
function trimmed(name: string): string {
  return name.replace(/^[-.]+|[-.]+$/g, '');
}

/** Creates a worktree on a branch of its own. Throws a `WorktreeProblem` if it can't, and leaves nothing behind. */
export async function createWorktree(
  repository: Repository,
  request: WorktreeRequest,
  now: number,
): Promise<CreatedWorktree> {
  const { root, below } = repository;
  const { branch } = request;
  const problem = await branchProblem(root, branch, await branchNames(repository));
  if (problem !== undefined) throw new WorktreeProblem(problem);
  const commit = await commitOf(repository, request.base);
  await checkPlace(repository, request.path);
  const failed = l10n.t('Couldn’t create the worktree');
  let hookNotes: readonly string[];
  try {
    hookNotes = await addWorktree(root, ['--no-track', '-b', branch, request.path, commit], request.path, failed);
  } catch (error) {
    // Git may have created the branch before it failed.
    await deleteNewBranch(root, branch, commit);
    throw error;
  }
  const id = newRecordId();
  try {
    const path = await realpath(request.path);
    const skipped = await copyFiles(root, path, [...request.changes.map((file) => file.path), ...request.ignored]);
    const { contents = [] } = request;
    await placeFiles(path, contents);
    const base = request.changes.length + contents.length > 0 ? await snapshot(path) : commit;
    const kept = await plainGit(root, ['update-ref', baseRef(id), base]);
    if (kept.code !== 0) throw reportedProblem(failed, kept);
    const from = request.base ?? repository.branch;
    const record: WorktreeRecord = {
      id,
      path,
      branch,
      base,
      ...(from === undefined ? {} : { baseBranch: from }),
      from: root,
      createdAt: now,
    };
    await rememberFolder(repository.common, record);
    await writeRecord(repository, record);
    forgetWorktrees();
    // The base may not have the folder.
    const inside = join(path, below);
    const cwd = (await isFolder(inside)) ? inside : path;
    return { record, cwd, notes: [...hookNotes, ...skippedNotes(skipped), ...(await incompleteParts(path))] };
  } catch (error) {
    await userGit(root, ['worktree', 'remove', '--force', request.path]);
    await deleteNewBranch(root, branch, commit);
    await plainGit(root, ['update-ref', '-d', baseRef(id)]);
    await forgetFolder(id);
    throw failedProblem(failed, error);
  }
}

/**
 * Adds a worktree at a path. Resolves to sentences about what isn't complete. Rejects with a `WorktreeProblem` if there is no worktree, with
 * `failed` as its title.
 */
export async function addWorktree(
  folder: string,
  args: readonly string[],
  path: string,
  failed: string,
): Promise<readonly string[]> {
  const added = await userGit(folder, ['worktree', 'add', ...args]);
  if (added.code === 0) return [];
  // Git removes a worktree that it couldn't check out, but not one in which only the user's hook failed afterwards.
  const real = await realpath(path).catch(() => path);
  const isThere = (await lstat(join(real, '.git')).catch(() => undefined)) !== undefined;
  const isListed = isThere && (await listWorktrees(folder)).some((one) => one.path === real);
  if (!isListed) throw reportedProblem(failed, added);
  return [l10n.t('The hook “post-checkout” failed, so something may be missing. Run it there. {0}', wordsOf(added))];
}

async function commitOf(repository: Repository, base: string | undefined): Promise<string> {
  if (base === undefined) return repository.head;
  const known = (await baseBranches(repository)).find(({ name }) => name === base);
  const place = known?.isRemote === true ? `refs/remotes/${base}` : `refs/heads/${base}`;
  const commit = lineOf(await plainGit(repository.root, ['rev-parse', '--verify', '--quiet', `${place}^{commit}`]));
  if (commit !== '') return commit;
  throw new WorktreeProblem(l10n.t('The branch “{0}” no longer exists. Choose another one.', base));
}

/** Throws a `WorktreeProblem` if a worktree can't be at a path. Creates the folder above it. */
async function checkPlace({ root, outermost, isBare }: Repository, path: string): Promise<void> {
  const elsewhere = l10n.t('Choose another place in the setting parley.worktrees.folder.');
  if (!isAbsolute(path)) throw new WorktreeProblem(l10n.t('{0} isn’t an absolute path. {1}', path, elsewhere));
  const entries = await readdir(path).catch((error: unknown) => (isMissing(error) ? [] : ['']));
  if (entries.length > 0) throw new WorktreeProblem(l10n.t('{0} already exists. Choose another name.', path));
  const above = await realParent(path);
  for (const tree of isBare ? [] : [root, outermost]) {
    if (!isWithin(tree, above)) continue;
    const ignored = await plainGit(tree, ['check-ignore', '--quiet', '--', join(above, basename(path))]);
    if (ignored.code === 0) continue;
    throw new WorktreeProblem(l10n.t('{0} is inside the repository, which would list its files. {1}', path, elsewhere));
  }
  try {
    await mkdir(dirname(path), { recursive: true });
  } catch (error) {
    throw new WorktreeProblem(l10n.t('Couldn’t create the folder {0}: {1}. {2}', above, messageOf(error), elsewhere));
  }
}

/** Resolves to the real path of the folder above a place, also if it doesn't exist yet. */
async function realParent(path: string): Promise<string> {
  const above = dirname(path);
  const real = await realpath(above).catch(() => undefined);
  return real ?? (above === path ? above : join(await realParent(above), basename(above)));
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function deleteNewBranch(root: string, branch: string, commit: string): Promise<void> {
  await plainGit(root, ['update-ref', '-d', `refs/heads/${branch}`, commit]);
}

/** Copies files as they are, and removes those that are gone. Resolves to the paths that can't be copied. */
async function copyFiles(from: string, to: string, paths: readonly string[]): Promise<readonly string[]> {
  const gone: string[] = [];
  const present: string[] = [];
  const skipped: string[] = [];
  for (const path of paths) {
    const stat = await lstat(join(from, path)).catch(() => undefined);
    if (isLossy(path)) skipped.push(path);
    // Files in a folder that is in a file's place are listed themselves.
    else if (stat === undefined || stat.isDirectory()) gone.push(path);
    else present.push(path);
  }
  // A file may be where a folder was.
  for (const path of gone) await clear(to, path);
  for (const path of present) {
    const source = join(from, path);
    const stat = await lstat(source);
    if (!stat.isFile() && !stat.isSymbolicLink()) {
      skipped.push(path);
      continue;
    }
    await clear(to, path);
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true });
    if (!isWithin(to, await realpath(dirname(target)))) skipped.push(path);
    else if (stat.isSymbolicLink()) await symlink(await readlink(source), target);
    else await copyFile(source, target, constants.COPYFILE_FICLONE);
  }
  return skipped;
}

/** Writes files of a worktree. Rejects instead of following a link. */
async function placeFiles(top: string, files: readonly PlacedFile[]): Promise<void> {
  const absent = files.filter(({ version }) => version.kind === 'absent');
  // A file may be where a folder was.
  for (const { path } of absent) await clear(top, path);
  for (const { path, version } of files) {
    if (version.kind === 'absent') continue;
    await clear(top, path);
    const target = join(top, path);
    await mkdir(dirname(target), { recursive: true });
    if (!isWithin(top, await realpath(dirname(target)))) {
      throw new WorktreeProblem(
        l10n.t('{0} is behind a link, so it can’t move. Keep or undo its changes first.', path),
      );
    }
    if (version.kind === 'link') await symlink(version.target, target);
    else await writeFile(target, version.bytes, { mode: version.isExecutable ? 0o755 : 0o644, flag: 'wx' });
  }
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || wayBelow(folder, path) !== undefined;
}

/** Removes a file, and the folders above it that are empty then. Never follows a link. */
async function clear(top: string, path: string): Promise<void> {
  const target = join(top, path);
  const parent = await realpath(dirname(target)).catch(() => undefined);
  if (parent === undefined || !isWithin(top, parent)) return;
  const stat = await lstat(target).catch(() => undefined);
  if (stat?.isDirectory() === true) {
    await rmdir(target).catch(() => undefined);
    return;
  }
  await rm(target, { force: true });
  for (let at = dirname(target); at !== top; at = dirname(at)) {
    if (
      await rmdir(at).then(
        () => false,
        () => true,
      )
    )
      return;
  }
}

function skippedNotes(paths: readonly string[]): string[] {
  const [first] = paths;
  if (first === undefined) return [];
  return paths.length === 1
    ? [l10n.t('{0} couldn’t be copied, because it isn’t an ordinary file. Copy it yourself if you need it.', first)]
    : [l10n.t('{0} and {1} more couldn’t be copied. Copy them yourself if you need them.', first, paths.length - 1)];
}

/** Who makes Parley's own commits, which no branch has. */
export const ownIdentity = {
  GIT_AUTHOR_NAME: 'Parley',
  GIT_AUTHOR_EMAIL: 'parley@localhost',
  GIT_COMMITTER_NAME: 'Parley',
  GIT_COMMITTER_EMAIL: 'parley@localhost',
};

/** Creates a commit of a worktree's files as they are, without the repositories in it that git doesn't track, and without changing its branch or its index. Resolves to its id. */
export async function snapshot(worktree: string): Promise<string> {
  const failed = l10n.t('Couldn’t record the worktree’s files');
  return withIndexCopy(await gitFolderOf(worktree), async (own) => {
    await stageAll(worktree, failed, plainGit, own);
    const tree = await plainGit(worktree, ['write-tree'], '', own);
    if (tree.code !== 0) throw reportedProblem(failed, tree);
    const args = ['commit-tree', lineOf(tree), '-p', 'HEAD', '-m', 'Files of a Parley worktree'];
    const commit = await plainGit(worktree, args, '', ownIdentity);
    if (commit.code !== 0) throw reportedProblem(failed, commit);
    return lineOf(commit);
  });
}

/** Resolves to whether a folder is in a repository with a commit. */
export async function hasCommit(folder: string): Promise<boolean> {
  return (await plainGit(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])).code === 0;
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
}
