import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fullGit, type GitOutput, type StartedPrograms } from '../../git/git';
import { compact } from '../../shared/values/decodeValue';
import { plainGit } from '../../worktree/repository/userGit';

/** A file that differs from the last commit. */
export interface UncommittedFile {
  /** Relative to the repository's root, separated by `/`. */
  readonly path: string;
  readonly status: 'modified' | 'created' | 'deleted';
  /** Absent for binary files. */
  readonly counts?: { readonly added: number; readonly removed: number };
  /** Whether git doesn't track the file yet. */
  readonly isUntracked: boolean;
  /** Identifies the content on disk. */
  readonly print: string;
}

/** What can be committed in a repository. */
export interface Uncommitted {
  readonly root: string;
  /** Empty without a branch. */
  readonly branch: string;
  readonly files: readonly UncommittedFile[];
  /** Files with conflicts. Git commits nothing but all of them. */
  readonly conflicts: readonly string[];
}

export type CommitResult =
  | { readonly kind: 'committed'; readonly id: string }
  /** Files whose content isn't the one that was shown. Nothing was committed. */
  | { readonly kind: 'changed'; readonly paths: readonly string[] }
  /** What git or a hook printed. Nothing was committed. */
  | { readonly kind: 'failed'; readonly output: string };

/** Larger files count as binary, in bytes. */
const maxCounted = 4_000_000;

/** Reads what differs from the last commit. Undefined if the folder isn't in a repository, or git is missing. */
export async function readUncommitted(folder: string): Promise<Uncommitted | undefined> {
  const top = await plainGit(folder, ['rev-parse', '--show-toplevel']);
  const root = top.out.toString().replace(/\r?\n$/, '');
  if (top.code !== 0 || root === '') return undefined;
  const [status, branch, counts] = await Promise.all([
    plainGit(root, [
      'status',
      '--porcelain=v1',
      '-z',
      '--untracked-files=all',
      '--no-renames',
      '--ignore-submodules=dirty',
    ]),
    plainGit(root, ['symbolic-ref', '--short', '--quiet', 'HEAD']),
    countsOf(root),
  ]);
  if (status.code !== 0) return undefined;
  const conflicts: string[] = [];
  const files: UncommittedFile[] = [];
  for (const line of status.out.toString().split('\0')) {
    const [state, path] = [line.slice(0, 2), line.slice(3)];
    if (path === '') continue;
    if (/U|AA|DD/.test(state)) conflicts.push(path);
    const isUntracked = state === '??';
    const print = await printOf(join(root, path));
    // A file that was added and deleted again, or a folder such as a repository of its own.
    if (print === 'folder' || (print === 'gone' && state.startsWith('A'))) continue;
    const counted = isUntracked ? await countLines(join(root, path)) : counts.get(path);
    const isNew = isUntracked || state.startsWith('A') || state === ' A';
    files.push({
      path,
      status: print === 'gone' ? 'deleted' : isNew ? 'created' : 'modified',
      ...(counted ? { counts: counted } : {}),
      isUntracked,
      print,
    });
  }
  return { root, branch: branch.code === 0 ? branch.out.toString().trim() : '', files, conflicts };
}

/**
 * Commits exactly these files, as they are on disk, by the user's own git with its hooks and signing. What else is staged stays staged. Commits
 * nothing if a file changed since it was read. `programs` is what the user said git may start, if it was asked about.
 */
export async function commitFiles(
  root: string,
  files: readonly UncommittedFile[],
  message: string,
  programs?: StartedPrograms,
): Promise<CommitResult> {
  const whole = { readsErrors: true, ...compact({ programs }) };
  const changed: string[] = [];
  for (const { path, print } of files) if ((await printOf(join(root, path))) !== print) changed.push(path);
  if (changed.length > 0) return { kind: 'changed', paths: changed };
  const fresh = files.filter(({ isUntracked }) => isUntracked).map(({ path }) => path);
  if (fresh.length > 0) {
    const added = await fullGit(root, ['add', '--intent-to-add', ...fromInput], { ...whole, input: pathInput(fresh) });
    if (added.code !== 0) return failure(added);
  }
  const all = files.map(({ path }) => path);
  const commit = await fullGit(root, ['commit', '--only', '--message', message, ...fromInput], {
    ...whole,
    input: pathInput(all),
  });
  if (commit.code !== 0) {
    // The new files are as unknown to git as they were.
    if (fresh.length > 0)
      await fullGit(root, ['rm', '--cached', '--force', '--quiet', ...fromInput], {
        ...whole,
        input: pathInput(fresh),
      });
    return failure(commit);
  }
  const head = await plainGit(root, ['rev-parse', '--short', 'HEAD']);
  return { kind: 'committed', id: head.out.toString().trim() };
}

const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul'];

/** Paths as git reads them from its input, without a meaning for `*` or `:`. */
function pathInput(paths: readonly string[]): string {
  return paths.map((path) => `:(top,literal)${path}`).join('\0');
}

function failure({ out, err }: GitOutput): CommitResult {
  return { kind: 'failed', output: `${err}\n${out.toString()}`.trim() };
}

async function countsOf(root: string): Promise<Map<string, { added: number; removed: number }>> {
  const head = await plainGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD']);
  // Before the first commit, everything is new.
  const base = head.code === 0 ? head : await plainGit(root, ['hash-object', '-t', 'tree', '--stdin'], '');
  const diff = await plainGit(root, [
    'diff',
    '--ignore-submodules=dirty',
    '--numstat',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    base.out.toString().trim(),
  ]);
  const counts = new Map<string, { added: number; removed: number }>();
  for (const line of diff.out.toString().split('\0')) {
    const [, added, removed, path] = /^(\d+)\t(\d+)\t([\s\S]+)$/.exec(line) ?? [];
    if (path !== undefined) counts.set(path, { added: Number(added), removed: Number(removed) });
  }
  return counts;
}

async function countLines(path: string): Promise<{ added: number; removed: number } | undefined> {
  try {
    const stat = await lstat(path);
    if (!stat.isFile() || stat.size > maxCounted) return undefined;
    const bytes = await readFile(path);
    if (bytes.subarray(0, 8000).includes(0)) return undefined;
    const breaks = bytes.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
    const isCut = bytes.length > 0 && bytes.at(-1) !== 10;
    return { added: breaks + (isCut ? 1 : 0), removed: 0 };
  } catch {
    return undefined; // It has just been deleted.
  }
}

/** Returns what identifies a file's content. */
async function printOf(path: string): Promise<string> {
  try {
    const stat = await lstat(path);
    if (stat.isDirectory()) return 'folder';
    const content = stat.isSymbolicLink() ? await readlink(path, 'buffer') : await readFile(path);
    return `${stat.mode.toString(8)} ${createHash('sha256').update(content).digest('hex')}`;
  } catch {
    return 'gone';
  }
}
