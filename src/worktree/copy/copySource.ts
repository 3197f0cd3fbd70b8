import { lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { allSettings } from '../../git/git';
import { gitPlaceOf } from '../../git/gitPlace';
import { isSecretFile } from '../../shared/limits/secretFile';
import { lineOf, partsOf, plainGit } from '../repository/userGit';
import { reportedProblem, WorktreeProblem } from '../repository/worktreeProblem';

/** What a copy of its own is made from. Paths are real ones. */
export interface CopySource {
  /** The folder whose files are copied: the root of the working tree, or the folder itself without a repository. */
  readonly root: string;
  /** The session's folder below `root`, empty for the root itself. */
  readonly below: string;
  /** Undefined without a repository. */
  readonly repository: SourceRepository | undefined;
}

/** The repository of a folder that is copied. */
export interface SourceRepository {
  /** The folder of git that all worktrees share. */
  readonly common: string;
  /** The commit that is checked out. Undefined before the first one. */
  readonly head: string | undefined;
  /** What `HEAD` has: the full name of a branch. Undefined with a detached head. */
  readonly branch: string | undefined;
  readonly format: string;
  /** All references that the copy has, by name. */
  readonly refs: ReadonlyMap<string, SourceRef>;
  /** Settings that matter for the files and commits of the copy. */
  readonly settings: readonly (readonly [name: string, value: string])[];
}

/** What a reference leads to. */
export interface SourceRef {
  readonly object: string;
  /** The commit of a tag with a message. */
  readonly peeled: string;
}

/** The files that a copy gets, relative to the root. */
export interface SourceFiles {
  readonly paths: readonly string[];
  /** Files of the repository that aren't checked out. */
  readonly sparse: readonly string[];
  /** What isn't copied: repositories inside, and files that may have secrets. */
  readonly inner: readonly string[];
  readonly secret: readonly string[];
}

/** With more references than this, only the branches of this machine are in a copy. */
const mostRefs = 2000;
/** How much is copied of a folder without a repository. */
const mostFiles = 50_000;
const mostBytes = 2 * 1024 ** 3;

/** Finds what a copy of a folder is made from. Throws a `WorktreeProblem` if there can't be one. */
export async function openSource(folder: string): Promise<CopySource> {
  const at = await realpath(folder);
  const answer = await plainGit(at, ['rev-parse', '--is-inside-work-tree']);
  if (answer.code === null) {
    throw new WorktreeProblem(
      l10n.t('Parley needs Git to copy your files, and didn’t find it. Install it and try again.'),
    );
  }
  const place = await gitPlaceOf(at);
  if (!place) return { root: at, below: '', repository: undefined };
  if (answer.code !== 0) throw reportedProblem(l10n.t('Couldn’t read the repository'), answer);
  if (place.top === undefined || lineOf(answer) !== 'true') {
    throw new WorktreeProblem(
      l10n.t('There are no files to copy in {0}, which is a bare repository. Open a worktree of it.', folder),
    );
  }
  const root = await realpath(place.top);
  return { root, below: relative(root, at), repository: await readRepository(root, await realpath(place.common)) };
}

async function readRepository(root: string, common: string): Promise<SourceRepository> {
  const line = async (...args: readonly string[]) => lineOf(await plainGit(root, args));
  const head = await line('rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  const branch = await line('symbolic-ref', '--quiet', 'HEAD');
  const format = await line('rev-parse', '--show-object-format');
  return {
    common,
    head: head === '' ? undefined : head,
    branch: branch === '' ? undefined : branch,
    format: format === '' ? 'sha1' : format,
    refs: await readRefs(root),
    settings: await readSettings(root),
  };
}

async function readRefs(root: string): Promise<ReadonlyMap<string, SourceRef>> {
  const format = '%(refname)%00%(objectname)%00%(*objectname)%00%(symref)';
  const read = async (...places: readonly string[]) => {
    const listed = await plainGit(root, ['for-each-ref', `--format=${format}`, ...places]);
    if (listed.code !== 0) throw reportedProblem(l10n.t('Couldn’t read the repository'), listed);
    const lines = listed.out.toString().split('\n').filter(Boolean);
    return new Map(
      lines
        .map((one) => one.split('\0'))
        .filter(([, , , symbolic]) => symbolic === '')
        .map(([name = '', object = '', peeled = '']) => [name, { object, peeled }] as const),
    );
  };
  const all = await read('refs/heads/', 'refs/tags/', 'refs/remotes/');
  return all.size <= mostRefs ? all : read('refs/heads/');
}

/** Settings that are copied as they are. None of them names a program. */
const plainSettings =
  /^(core\.(autocrlf|eol|safecrlf|filemode|ignorecase|symlinks|precomposeunicode|longpaths)|user\.(name|email)|extensions\.partialclone|remote\..+\.(fetch|promisor|partialclonefilter)|branch\..+\.(remote|merge))$/i;

async function readSettings(root: string): Promise<SourceRepository['settings']> {
  const place = await gitPlaceOf(root);
  const listed = (place && (await allSettings(place))) ?? [];
  return listed.flatMap(([name, value]): (readonly [string, string])[] => {
    if (plainSettings.test(name)) return [[name, value]];
    return /^remote\..+\.url$/i.test(name) ? [[name, withoutUser(value)]] : [];
  });
}

/** Returns the address of a remote without a name and a token. */
function withoutUser(address: string): string {
  return address.replace(/^(https?:\/\/)[^/@]*@/i, '$1');
}

/** Lists what a copy of the files gets. `own` are the variables with which git looks at a folder without a repository. */
export async function sourceFiles(
  { root, repository }: CopySource,
  own: Readonly<Record<string, string>>,
): Promise<SourceFiles> {
  const read = async (...args: readonly string[]) => {
    const output = await plainGit(root, ['--no-optional-locks', 'ls-files', '-z', ...args], '', repository ? {} : own);
    if (output.code !== 0) throw reportedProblem(l10n.t('Couldn’t read the files'), output);
    return partsOf(output);
  };
  const others = await read('--others', '--exclude-standard');
  const inner = others.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
  const untracked = others.filter((path) => !path.endsWith('/'));
  if (!repository) {
    const secret = untracked.filter((path) => isSecretFile(join(root, path), root));
    const paths = untracked.filter((path) => !secret.includes(path));
    await checkSize(root, paths);
    return { paths, sparse: [], inner, secret };
  }
  const tracked: string[] = [];
  const sparse: string[] = [];
  // S 100644 0123… 0\tpath
  for (const line of await read('--cached', '--stage', '-t')) {
    const [, tag, mode, path = ''] = /^(\S) (\d+) \S+ \d\t(.+)$/s.exec(line) ?? [];
    if (mode === undefined || mode === '160000') continue;
    if (tag === 'S' && (await lstat(join(root, path)).catch(() => undefined)) === undefined) sparse.push(path);
    else tracked.push(path);
  }
  const changed = new Set(await changedFiles(root));
  const isSecret = (path: string) => isSecretFile(join(root, path), root);
  const secret = [...new Set([...untracked, ...changed])].filter(isSecret);
  const left = new Set(secret);
  return { paths: [...new Set([...tracked, ...untracked])].filter((path) => !left.has(path)), sparse, inner, secret };
}

/** Lists the tracked files that differ from the last commit. */
async function changedFiles(root: string): Promise<readonly string[]> {
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=all'];
  const status = await plainGit(root, ['--no-optional-locks', ...args]);
  if (status.code !== 0) throw reportedProblem(l10n.t('Couldn’t read the uncommitted changes'), status);
  return partsOf(status).map((line) => line.slice(3));
}

/** Throws a `WorktreeProblem` if a folder without a repository is too big for a copy. */
async function checkSize(root: string, paths: readonly string[]): Promise<void> {
  const next = l10n.t('Open a smaller folder, or run “git init” there and ignore what agents don’t need.');
  if (paths.length > mostFiles) {
    throw new WorktreeProblem(l10n.t('{0} has {1} files, too many to copy. {2}', root, paths.length, next));
  }
  let bytes = 0;
  for (const path of paths) bytes += (await lstat(join(root, path)).catch(() => undefined))?.size ?? 0;
  if (bytes > mostBytes) throw new WorktreeProblem(l10n.t('{0} is too big to copy. {1}', root, next));
}

/**
 * Returns the folders with the objects of a repository, with those that it borrows from. Throws a `WorktreeProblem` if git
 * couldn't find one of them from a copy.
 */
export async function objectFolders(common: string): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = [join(common, 'objects')];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const real = await realpath(at).catch(() => undefined);
    if (real === undefined || found.includes(real)) continue;
    if (/["\r\n]|^#/.test(real)) {
      throw new WorktreeProblem(l10n.t('A copy can’t refer to the folder {0}, because of its name. Rename it.', real));
    }
    found.push(real);
    const text = await readFile(join(real, 'info', 'alternates'), 'utf8').catch(() => '');
    const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
    waiting.push(...lines.map((line) => resolve(real, line)));
  }
  return found;
}

/** The name of a copied folder, as the user knows it. */
export function sourceName({ root }: Pick<CopySource, 'root'>): string {
  return basename(root) || basename(dirname(root)) || 'files';
}
