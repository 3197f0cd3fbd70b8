import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { allSettings } from '../git/git';
import { gitFolderAt, gitPlaceOf, type GitPlace } from '../git/gitPlace';
import { byWorth, defaultLimits, ignoredLimits, madeAgain, partsAbove, unprotectedOf } from './baseline';
import type { Baseline, FileBefore, SkipReason, Unprotected } from './baseline';
import { bytesOf, dirtyOf, existing, gitlink, inLanes, isAsProven, isAsWritten, withOtherBits } from './checkedOut';
import type { CheckedOut, IndexEntry, ProvenFile, Repository } from './checkedOut';
import { emptyFolders, filesIn, isFolderCreatedSince, newestChange, repositoriesIn } from './folderScan';
import { changedAmong, FolderWalk } from './folderWalk';
import { git, GitContents, GitIgnores } from './git';
import { IgnoreRules } from './ignoreRules';
import { MadeWorktrees, worktreesOf } from './madeWorktrees';
import { writtenSince, type Recorded, type Recorder } from './recorder';

/** Time limit for one git command, in milliseconds. After that, there is no baseline. */
const patience = 20_000;
/** Maximum number of files to list for a repository created in a turn. A larger one is listed as a folder. */
const clonedFiles = 3000;
/** Maximum number of files and folders in an ignored folder for which its files are recorded, and of such folders. */
const smallFolderEntries = 300;
const smallFolderCount = 50;
/** Without git, so many times more files are looked at than are recorded. */
const lateLimit = 5;
const noNames: ReadonlySet<string> = new Set();
/** Package folders. Never read, even if git doesn't ignore them. */
const packageNames: ReadonlySet<string> = new Set(['node_modules']);

/** The state of git's working tree. Paths are relative with `/`; folders don't end with it. */
interface Status {
  readonly head: string | undefined;
  /** Paths that git lists as different from the last commit, or as untracked. */
  readonly paths: readonly string[];
  readonly ignoredFiles: readonly string[];
  readonly ignoredFolders: readonly string[];
  /** Nested repositories that this one doesn't track. */
  readonly repositories: readonly string[];
}

/** The state of a repository when its baseline was taken. See `Status`. */
interface Taken extends Status {
  readonly recorded: Map<string, Recorded | SkipReason>;
  /** Ignored folders whose files are recorded. */
  readonly kept: ReadonlySet<string>;
  readonly nested: readonly string[];
  readonly empty: ReadonlySet<string>;
  readonly at: number;
  readonly repository: Repository;
  readonly checkedOut: CheckedOut;
}

/**
 * Resolves to the top folder of the repository around a folder. Undefined if there is none, git is missing, or the repository ignores the
 * folder.
 */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  const place = await gitPlaceOf(folder);
  const top = place?.top;
  if (place === undefined || top === undefined || !(await allSettings(place))) return undefined;
  // For example, a repository of dotfiles in the home folder that ignores everything else.
  const isIgnored = top !== folder && (await git(folder, ['check-ignore', '-q', '--no-index', '.'], patience));
  return isIgnored ? undefined : top;
}

/**
 * Takes the baseline of a repository. Files whose bytes git's objects prove are read from there on request; all others are recorded now.
 * Resolves to undefined if git fails. `at` is when the recording of the workspace began, in milliseconds. `onNested` receives
 * `Baseline.nested` as soon as it is known.
 */
export async function gitBaseline(
  top: string,
  recorder: Recorder,
  at: number,
  onNested: (nested: readonly string[]) => void,
): Promise<Baseline | undefined> {
  const found = await lookAt(top, recorder);
  if (!found) return undefined;
  const { repository, status, checkedOut, empty } = found;
  const [nested, own] = await Promise.all([
    nestedOf(top, status, linksIn(checkedOut.entries), repository.common),
    guardedFiles(top),
  ]);
  onNested(nested);
  const recorded = await recorder.record(
    [...own, ...status.paths, ...checkedOut.unproven].map((path) => join(top, path)),
  );
  const small = await smallFolders(top, status.ignoredFolders);
  const ignored = byWorth([...status.ignoredFiles, ...[...small.values()].flat()]).map((path) => join(top, path));
  const rest = await recorder.record(ignored, ignoredLimits);
  // An ignored file over its own limits is only known to exist.
  for (const [path, one] of rest) recorded.set(path, one === 'budget' ? 'ignored' : one);
  const ignoredFolders = status.ignoredFolders.filter((below) => !small.has(below));
  const kept = new Set(small.keys());
  const taken = {
    ...status,
    ignoredFolders,
    kept,
    recorded,
    nested,
    empty: new Set(empty),
    at,
    repository,
    checkedOut,
  };
  return new GitBaseline(top, taken, recorder);
}

interface Looked {
  readonly repository: Repository;
  readonly status: Status;
  readonly checkedOut: CheckedOut;
  readonly empty: readonly string[];
}

/** Asks git about a repository. Its settings rarely change, so the rest doesn't wait for them. */
async function lookAt(top: string, recorder: Recorder): Promise<Looked | undefined> {
  const { checkouts } = recorder;
  const asked = await checkouts.repository(top);
  if (!asked) return undefined;
  const { known: repository, isSame } = asked;
  let status: Status | undefined;
  const list = async () => {
    status = await statusOf(repository);
    return status?.paths;
  };
  const [checkedOut, empty] = await Promise.all([checkouts.look(repository, list), emptyOf(top)]);
  if (!(await isSame)) return lookAt(top, recorder);
  if (!status || !checkedOut) return undefined;
  return { repository, status, checkedOut, empty: [...empty, ...(await leftEmpty(top, status.paths))] };
}

class GitBaseline implements Baseline {
  readonly folder: string;
  private readonly taken: Taken;
  /** Paths whose bytes are recorded or that didn't exist, whatever git's objects have. */
  private readonly differing: ReadonlySet<string>;
  private readonly ignoredFolders: ReadonlySet<string>;
  private readonly nestedBelow: ReadonlySet<string>;
  private readonly recorder: Recorder;
  /** The files that differed when the baseline was taken, and the folders above them. */
  private known: ReadonlySet<string> | undefined;
  private contents: Promise<GitContents | undefined> | undefined;
  private ignores: GitIgnores | undefined;
  /** Whether git ignores a folder, by path. */
  private readonly ignoredByFolder = new Map<string, Promise<boolean>>();
  private readonly worktrees: MadeWorktrees;
  private readonly askedInKept = new Map<string, Set<string>>();
  private isDisposed = false;
  readonly whole: Promise<void>;

  constructor(folder: string, taken: Taken, recorder: Recorder) {
    this.folder = folder;
    this.taken = taken;
    this.recorder = recorder;
    this.whole = recorder.recordRest(taken.recorded, taken.at, () => this.isDisposed);
    const { unproven, missing } = taken.checkedOut;
    this.differing = new Set([...taken.paths, ...unproven, ...missing]);
    this.ignoredFolders = new Set(taken.ignoredFolders);
    this.nestedBelow = new Set(taken.nested.map((path) => this.below(path)));
    const { folders } = taken.checkedOut;
    const hadFiles = (root: string) => [...taken.recorded.keys()].some((path) => path.startsWith(root + sep));
    const isKnown = (root: string) => taken.nested.includes(root) || folders.has(this.below(root)) || hadFiles(root);
    this.worktrees = new MadeWorktrees(folder, taken.repository.common, isKnown);
  }

  get nested(): readonly string[] {
    return this.taken.nested;
  }

  get unprotected(): readonly Unprotected[] {
    return unprotectedOf(
      this.taken.recorded,
      this.taken.ignoredFolders.map((below) => join(this.folder, below)),
    );
  }

  async read(path: string): Promise<FileBefore> {
    const below = this.below(path);
    const found = this.taken.recorded.get(path);
    if (found !== undefined || this.differing.has(below)) return this.recorder.read(found);
    if (below === '.git' && !(await isThere(path))) return { kind: 'skipped', reason: 'repository', within: path };
    if (below === '.git' || below.startsWith('.git/')) return readInternal(below);
    if (this.taken.empty.has(path)) return { kind: 'folder' };
    const { proven, entries, folders } = this.taken.checkedOut;
    const file = proven.get(below);
    if (file) return this.readProven(file);
    const above = partsAbove(below);
    // Folders with their own baseline are excluded.
    const repository = above.find((one) => this.nestedBelow.has(one) || entries.get(one)?.mode === gitlink);
    if (repository !== undefined) return { kind: 'skipped', reason: 'budget', within: join(this.folder, repository) };
    const inWorktree = await this.worktrees.read(path, (name) => this.readBlob(name));
    if (inWorktree) return inWorktree;
    const ignored = above.find((one) => this.ignoredFolders.has(one));
    if (ignored !== undefined) return { kind: 'skipped', reason: 'ignored', within: join(this.folder, ignored) };
    const kept = above.find((one) => this.taken.kept.has(one));
    if (kept !== undefined) return this.readNewIn(kept, below);
    // All files from before are known, so files created in an ignored folder are listed with it.
    for (const one of above.slice(0, -1)) {
      if (folders.has(one)) continue;
      const isPackages = packageNames.has(posix.basename(one));
      if (isPackages || (await this.isIgnored(one))) {
        return { kind: 'skipped', reason: 'ignored', within: join(this.folder, one) };
      }
    }
    return { kind: 'absent' };
  }

  hadFolder(path: string): boolean {
    const { taken } = this;
    const below = this.below(path);
    if (path === this.folder) return true;
    // The index also has files that weren't there.
    for (const file of taken.checkedOut.proven.keys()) if (file.startsWith(`${below}/`)) return true;
    if (partsAbove(below).some((one) => this.ignoredFolders.has(one) || this.nestedBelow.has(one))) return true;
    const others = [...taken.ignoredFolders, ...taken.kept].map((one) => join(this.folder, one));
    const known = [...taken.recorded.keys(), ...taken.empty, ...taken.nested, ...others];
    return known.some((one) => one === path || one.startsWith(path + sep));
  }

  async changed(): Promise<string[]> {
    const { recorded, empty, at, ignoredFolders, nested, repository } = this.taken;
    const [status, touched, emptyNow, entries, dirty, own] = await Promise.all([
      statusOf(repository),
      this.recorder.changed(recorded, at),
      emptyOf(this.folder),
      this.recorder.checkouts.entries(repository),
      dirtyOf(repository),
      guardedFiles(this.folder),
    ]);
    if (!status || !entries || !dirty) return this.changedWithoutGit(touched);
    emptyNow.push(...(await leftEmpty(this.folder, status.paths)));
    const found = new Set(await withoutBranches(touched, join(this.folder, '.git/config'), this));
    for (const below of [...status.paths, ...(await this.rewritten(entries, dirty)), ...status.ignoredFiles, ...own]) {
      const path = join(this.folder, below);
      // Recorded files were already checked, and those that were missing before are below.
      if (!recorded.has(path) && !this.differing.has(below) && !this.nestedBelow.has(below)) found.add(path);
    }
    const absent = [...this.differing].filter((below) => !recorded.has(join(this.folder, below)));
    for (const below of await existing(this.folder, absent)) found.add(join(this.folder, below));
    const links = linksIn(entries);
    const worktrees = await this.worktrees.roots();
    for (const path of await this.cloned(status, links, worktrees)) found.add(path);
    for (const path of await this.worktrees.changed(clonedFiles)) found.add(path);
    for (const below of this.taken.kept) {
      const folder = join(this.folder, below);
      const files = await filesIn(folder, smallFolderEntries, noNames);
      if (!files && (await isThere(folder))) found.add(folder);
      for (const path of files ?? []) if (!recorded.has(path)) found.add(path);
    }
    for (const below of new Set([...ignoredFolders, ...status.ignoredFolders])) {
      if (this.taken.kept.has(below)) continue;
      const path = join(this.folder, below);
      const isOwn = nested.some((one) => one === path || path.startsWith(one + sep));
      if (isOwn) continue;
      const newest = await newestChange(path, [...worktrees, ...nested]);
      const wasThere = this.ignoredFolders.has(below);
      if (newest === undefined ? wasThere : newest >= at) found.add(path);
    }
    for (const path of empty) if (!(await isThere(path))) found.add(path);
    for (const path of emptyNow) {
      const isNew = !empty.has(path) && (!this.hadFolder(path) || (await isFolderCreatedSince(path, at)));
      if (isNew) found.add(path);
    }
    return [...new Set([...found].flatMap((path) => this.listed(path)))];
  }

  changedSince(at: number): string[] {
    return writtenSince(this.taken.recorded, at);
  }

  /** All files from before in a recorded folder are known. If a tool writes many new ones, they are listed with it. */
  private readNewIn(kept: string, below: string): FileBefore {
    const asked = (this.askedInKept.get(kept) ?? new Set()).add(below);
    this.askedInKept.set(kept, asked);
    const isMany = below === kept || asked.size > smallFolderEntries;
    return isMany ? { kind: 'skipped', reason: 'ignored', within: join(this.folder, kept) } : { kind: 'absent' };
  }

  dispose(): void {
    this.isDisposed = true;
    void this.contents?.then((contents) => contents?.dispose());
    this.ignores?.dispose();
  }

  private below(path: string): string {
    return relative(this.folder, path).split(sep).join('/');
  }

  /** Files of packages that git doesn't track are listed as their folder if it's new, and otherwise not at all. */
  private listed(path: string): string[] {
    const below = this.below(path);
    const { folders } = this.taken.checkedOut;
    const isUntracked = (one: string) => packageNames.has(posix.basename(one)) && !folders.has(one);
    const packages = this.differing.has(below) ? undefined : partsAbove(below).slice(0, -1).find(isUntracked);
    if (packages === undefined) return [path];
    this.known ??= new Set([...this.differing].flatMap((one) => partsAbove(one)));
    return this.known.has(packages) || this.ignoredFolders.has(packages) ? [] : [join(this.folder, packages)];
  }

  /**
   * Returns the files that differ although git may call them clean: their size, time, or index entry changed, and so did their bytes. Also
   * returns files that came into the index.
   */
  private async rewritten(entries: ReadonlyMap<string, IndexEntry>, dirty: readonly string[]): Promise<string[]> {
    const { proven, entries: before } = this.taken.checkedOut;
    const { hasChangeTime } = this.taken.repository;
    const asked = new Set([...dirty, ...(hasChangeTime ? [] : await withOtherBits(this.folder, proven))]);
    const found: string[] = [];
    if (entries !== before) {
      for (const [below, { stamp, blob, isUnseen }] of proven) {
        const now = entries.get(below);
        if (now?.stamp !== stamp || now.blob !== blob || isUnseen !== now.isUnseen) asked.add(below);
      }
      for (const [below, { mode }] of entries) if (!before.has(below) && mode !== gitlink) found.push(below);
    }
    await inLanes([...asked], async (below) => {
      const file = this.differing.has(below) ? undefined : proven.get(below);
      if (file && !(await isAsProven(join(this.folder, below), file, this.taken.repository))) found.push(below);
    });
    return found;
  }

  /** Git fails, or the repository is gone. Then, the files themselves still tell what changed. */
  private async changedWithoutGit(touched: readonly string[]): Promise<string[]> {
    const { proven } = this.taken.checkedOut;
    if (!(await isThere(this.folder))) return [this.folder];
    const internal = join(this.folder, '.git');
    const hasGit = await isThere(internal);
    const found = new Set(hasGit ? touched : touched.filter((path) => !path.startsWith(internal + sep)));
    if (!hasGit) found.add(internal);
    await inLanes([...proven], async ([below, file]) => {
      const path = join(this.folder, below);
      if (!this.differing.has(below) && !(await isAsWritten(path, file))) found.add(path);
    });
    for (const path of await this.newFiles()) found.add(path);
    return [...found].flatMap((path) => this.listed(path));
  }

  /** Finds files that came since without git, which may be too slow on a busy machine. */
  private async newFiles(): Promise<string[]> {
    const { kept, recorded, checkedOut, ignoredFiles, at } = this.taken;
    const rules = new IgnoreRules(this.folder, { names: packageNames, globs: [] });
    const elsewhere = new Set([...this.nestedBelow, ...this.ignoredFolders, ...kept]);
    const walk = new FolderWalk(this.folder, rules, noNames, defaultLimits.files * lateLimit, () => false, elsewhere);
    await walk.run();
    const known = new Set([...recorded.keys(), ...ignoredFiles.map((below) => join(this.folder, below))]);
    const isNew = (path: string) => !known.has(path) && !checkedOut.proven.has(this.below(path));
    return changedAmong(walk.files.filter(isNew), at);
  }

  private async readProven(file: ProvenFile): Promise<FileBefore> {
    const bytes = await bytesOf(file, (blob) => this.readBlob(blob));
    if (!bytes) {
      const isGone = !(await isThere(this.taken.repository.common));
      return { kind: 'skipped', reason: isGone ? 'repository' : 'unreadable' };
    }
    if (file.mode === '120000') return { kind: 'link', target: bytes.toString('utf8') };
    const { mode, bits } = file;
    if (bits === undefined) return { kind: 'file', bytes, isExecutable: mode === '100755' };
    return { kind: 'file', bytes, isExecutable: (bits & 0o111) !== 0, mode: bits };
  }

  /** Returns one of git's objects, also by a commit and a path. */
  private async readBlob(name: string): Promise<Buffer | undefined> {
    this.contents ??= this.place().then((place) => (place && !this.isDisposed ? new GitContents(place) : undefined));
    return (await this.contents)?.read(name);
  }

  /** Returns the repository. The objects of a submodule or worktree outlive its folder. */
  private async place(): Promise<GitPlace | undefined> {
    if (await isThere(this.folder)) return gitPlaceOf(this.folder);
    return gitFolderAt(this.taken.repository.common, undefined);
  }

  /** Returns the files of repositories created since, except worktrees of this one. */
  private async cloned(status: Status, links: readonly string[], worktrees: readonly string[]): Promise<string[]> {
    const all = new Set([...status.repositories, ...links]);
    const isOther = (below: string) => !worktrees.includes(join(this.folder, below));
    const came = [...all].filter((below) => !this.nestedBelow.has(below) && isOther(below));
    const found = await Promise.all(
      came.map(async (below) => {
        const top = join(this.folder, below);
        if (!(await isThere(join(top, '.git')))) return [];
        const printed = await git(top, ['ls-files', '-co', '--exclude-standard', '-z'], patience);
        const files = printed?.toString('utf8').split('\0').filter(Boolean) ?? [];
        return files.length > clonedFiles ? [top] : files.map((path) => join(top, path));
      }),
    );
    return found.flat();
  }

  /** Caches the result per folder, because a build may write ten thousand files into an ignored one. */
  private isIgnored(folder: string): Promise<boolean> {
    const known = this.ignoredByFolder.get(folder);
    if (known) return known;
    if (this.isDisposed) return Promise.resolve(false);
    this.ignores ??= new GitIgnores(this.folder);
    const answer = this.ignores.isIgnored(`${folder}/`);
    this.ignoredByFolder.set(folder, answer);
    return answer;
  }
}

/** Returns the ignored folders with few files, and these files, because they may exist nowhere else. */
async function smallFolders(top: string, folders: readonly string[]): Promise<Map<string, string[]>> {
  const small = new Map<string, string[]>();
  for (const below of folders.slice(0, smallFolderCount)) {
    if (below.split('/').some((name) => madeAgain.has(name))) continue;
    const files = await filesIn(join(top, below), smallFolderEntries, madeAgain);
    if (files)
      small.set(
        below,
        files.map((path) => relative(top, path).split(sep).join('/')),
      );
  }
  return small;
}

async function statusOf({ top }: Repository): Promise<Status | undefined> {
  const args = ['--porcelain=v2', '-z', '--branch', '--untracked-files=all', '--ignored=matching', '--no-renames'];
  const status = await git(top, ['status', ...args, '--ignore-submodules=all'], patience);
  return status && parseStatus(status.toString('utf8'));
}

/** Parses `git status` output in porcelain v2 format (https://git-scm.com/docs/git-status, "Porcelain Format Version 2"). */
export function parseStatus(text: string): Status {
  let head: string | undefined;
  const [paths, ignoredFiles, ignoredFolders, repositories]: [string[], string[], string[], string[]] = [
    [],
    [],
    [],
    [],
  ];
  // Number of fields before the path, by line type: changed, unmerged, untracked, ignored.
  const fields: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1, '!': 1 };
  for (const line of text.split('\0')) {
    const oid = /^# branch\.oid ([0-9a-f]+)$/.exec(line)?.[1];
    if (oid !== undefined) head = oid;
    const kind = line.charAt(0);
    const count = fields[kind];
    if (count === undefined || line.startsWith('#')) continue;
    const path = line.split(' ').slice(count).join(' ');
    const folder = path.endsWith('/') ? path.slice(0, -1) : undefined;
    if (path === '') continue;
    if (kind === '!') (folder === undefined ? ignoredFiles : ignoredFolders).push(folder ?? path);
    else if (folder !== undefined) repositories.push(folder);
    else if (!/^[1u] \S+ S/.test(line)) paths.push(path);
  }
  return { head, paths, ignoredFiles, ignoredFolders, repositories };
}

/** Returns the empty folders above these files as absolute paths. For git, a folder in which its files are missing isn't untracked. */
async function leftEmpty(top: string, files: readonly string[]): Promise<string[]> {
  const above = [...new Set(files.flatMap((below) => partsAbove(posix.dirname(below))))].slice(0, smallFolderEntries);
  const paths = above.filter((below) => below !== '.').map((below) => join(top, below));
  const names = await Promise.all(paths.map((path) => readdir(path).catch(() => undefined)));
  return paths.filter((_, at) => names[at]?.length === 0);
}

/** Returns the empty folders that git doesn't track as absolute paths. */
async function emptyOf(top: string): Promise<string[]> {
  const printed = await git(top, ['ls-files', '-o', '--directory', '--exclude-standard', '-z'], patience);
  const folders = printed?.toString('utf8').split('\0') ?? [];
  return emptyFolders(folders.filter((path) => path.endsWith('/')).map((path) => join(top, path.slice(0, -1))));
}

/** Returns the paths in the index that reference commits of other repositories, such as submodules. */
function linksIn(entries: ReadonlyMap<string, IndexEntry>): string[] {
  return [...entries].flatMap(([path, { mode }]) => (mode === gitlink ? [path] : []));
}

/** Returns the absolute paths of nested repositories, submodules, and worktrees. */
async function nestedOf(top: string, status: Status, links: readonly string[], objects: string): Promise<string[]> {
  const named = [...status.repositories, ...links].map((below) => join(top, below));
  const inIgnored = await repositoriesIn(status.ignoredFolders.map((below) => join(top, below)));
  const worktrees = await worktreesOf(objects);
  const found = new Set([...named, ...inIgnored, ...worktrees.filter((path) => path.startsWith(top + sep))]);
  const there = await Promise.all([...found].map(async (path) => ((await isThere(join(path, '.git'))) ? [path] : [])));
  return there.flat();
}

/** Returns the relative paths of git's internal files that can run programs: configuration and hooks, including those of submodules. */
async function guardedFiles(top: string): Promise<string[]> {
  const folders = ['.git', ...(await submoduleFolders(top, '.git/modules'))];
  const files = await Promise.all(
    folders.map(async (folder) => {
      const hooks = await readdir(join(top, folder, 'hooks')).catch(() => []);
      const own = ['config', 'config.worktree', 'info/attributes'];
      const there = await Promise.all(
        own.map(async (name) => ((await isThere(join(top, folder, name))) ? [name] : [])),
      );
      const named = hooks.filter((name) => !name.endsWith('.sample')).map((name) => `hooks/${name}`);
      return [...there.flat(), ...named].map((name) => `${folder}/${name}`);
    }),
  );
  return files.flat();
}

/** Returns the folders in which git stores its submodules. Each has a HEAD, and a submodule's name may contain slashes. */
async function submoduleFolders(top: string, within: string): Promise<string[]> {
  const entries = await readdir(join(top, within), { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map(async ({ name }) => {
        const folder = `${within}/${name}`;
        if (!(await isThere(join(top, folder, 'HEAD')))) return submoduleFolders(top, folder);
        return [folder, ...(await submoduleFolders(top, `${folder}/modules`))];
      }),
  );
  return found.flat();
}

function readInternal(below: string): FileBefore {
  // All existing files that match are recorded.
  const isGuarded = /^\.git\/(modules\/.+\/)?(config|config\.worktree|info\/attributes|hooks\/[^/]+)$/.test(below);
  return isGuarded ? { kind: 'absent' } : { kind: 'skipped', reason: 'ignored' };
}

/** Removes a configuration file in which only git's branch sections changed, because every new branch changes them. */
async function withoutBranches(
  paths: readonly string[],
  config: string,
  baseline: Baseline,
): Promise<readonly string[]> {
  if (!paths.includes(config)) return paths;
  const [before, now] = await Promise.all([baseline.read(config), readFile(config, 'utf8').catch(() => '')]);
  const then = before.kind === 'file' ? Buffer.from(before.bytes).toString('utf8') : '';
  return withoutSections(then) === withoutSections(now) ? paths.filter((path) => path !== config) : paths;
}

function withoutSections(text: string): string {
  // Matches only sections that are certainly for branches, because another section may begin in the middle of a line.
  return text.replace(/^\[branch "[^"\n]*"\][ \t]*\n(?:[ \t]+[\w-]+ = [^\n[\\]*(?:\n|$))*/gm, '').trim();
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
