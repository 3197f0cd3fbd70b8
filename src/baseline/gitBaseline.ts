import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { byWorth, clockLagMs, ignoredLimits, partsAbove, type Baseline, type FileBefore } from './baseline';
import type { SkipReason } from './baseline';
import { emptyFolders, isFolderMadeSince, newestChange, repositoriesIn } from './folderScan';
import { git, GitContents, GitIgnores, run } from './git';
import type { Recorded, Recorder } from './recorder';

/** Time limit for one git command, in milliseconds. After that, there is no baseline. */
const patience = 20_000;
/** Maximum number of files to list for a repository created in a turn. A larger one is listed as a folder. */
const clonedFiles = 3000;
/** Package folders. Never read, even if git doesn't ignore them. */
const packageNames: ReadonlySet<string> = new Set(['node_modules']);

interface TreeEntry {
  readonly mode: string;
  readonly blob: string;
}

/** The state of git's working tree. Paths are relative with `/`; folders don't end with it. */
interface Status {
  readonly head: string | undefined;
  /** Paths that differ from the last commit or are untracked. */
  readonly paths: readonly string[];
  readonly ignoredFiles: readonly string[];
  readonly ignoredFolders: readonly string[];
  /** Nested repositories that this one doesn't track. */
  readonly repositories: readonly string[];
}

/** The state of a repository when its baseline was taken. See `Status`. */
interface Taken extends Status {
  readonly recorded: ReadonlyMap<string, Recorded | SkipReason>;
  readonly nested: readonly string[];
  readonly empty: ReadonlySet<string>;
  readonly at: number;
  /** The absolute path of its object store. */
  readonly objects: string;
}

/**
 * Resolves to the top folder of the repository around a folder. Undefined if there is none, git is missing, or the repository ignores the
 * folder.
 */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  const found = await git(folder, ['rev-parse', '--show-toplevel'], patience);
  if (!found) return undefined;
  const top = await realpath(found.toString('utf8').replace(/\r?\n$/, ''));
  // For example, a repository of dotfiles in the home folder that ignores everything else.
  const isIgnored = top !== folder && (await git(folder, ['check-ignore', '-q', '--no-index', '.'], patience));
  return isIgnored ? undefined : top;
}

/**
 * Takes the baseline of a repository. Unchanged files are read from git's objects on request; all others are recorded now. Resolves to
 * undefined if git fails. `onNested` receives `Baseline.nested` as soon as it is known.
 */
export async function gitBaseline(
  top: string,
  recorder: Recorder,
  onNested: (nested: readonly string[]) => void,
): Promise<Baseline | undefined> {
  const at = recorder.time() - clockLagMs;
  const [status, empty, links, common] = await Promise.all([
    statusOf(top),
    emptyOf(top),
    gitlinksOf(top),
    git(top, ['rev-parse', '--git-common-dir'], patience),
  ]);
  if (!status || !common) return undefined;
  const objects = resolveFrom(top, common.toString('utf8').replace(/\r?\n$/, ''));
  const [nested, own] = await Promise.all([nestedOf(top, status, links, objects), guardedFiles(top)]);
  onNested(nested);
  const recorded = await recorder.record([...own, ...status.paths].map((path) => join(top, path)));
  const ignored = byWorth(status.ignoredFiles).map((path) => join(top, path));
  const rest = await recorder.record(ignored, ignoredLimits);
  // An ignored file over its own limits is only known to exist.
  for (const [path, one] of rest) recorded.set(path, typeof one === 'string' && one !== 'unreadable' ? 'ignored' : one);
  return new GitBaseline(top, { ...status, recorded, nested, empty: new Set(empty), at, objects }, recorder);
}

class GitBaseline implements Baseline {
  readonly folder: string;
  private readonly taken: Taken;
  private readonly differing: ReadonlySet<string>;
  private readonly ignoredFolders: ReadonlySet<string>;
  private readonly nestedBelow: ReadonlySet<string>;
  private readonly recorder: Recorder;
  private tree: Promise<Tree | undefined> | undefined;
  private contents: Promise<GitContents | undefined> | undefined;
  private ignores: GitIgnores | undefined;
  /** Whether git ignores a folder, by path. */
  private readonly ignoredByFolder = new Map<string, Promise<boolean>>();
  private isDisposed = false;

  constructor(folder: string, taken: Taken, recorder: Recorder) {
    this.folder = folder;
    this.taken = taken;
    this.recorder = recorder;
    this.differing = new Set(taken.paths);
    this.ignoredFolders = new Set(taken.ignoredFolders);
    this.nestedBelow = new Set(taken.nested.map((path) => this.below(path)));
  }

  get nested(): readonly string[] {
    return this.taken.nested;
  }

  async read(path: string): Promise<FileBefore> {
    const below = this.below(path);
    const found = this.taken.recorded.get(path);
    if (found !== undefined || this.differing.has(below)) return this.recorder.read(found);
    if (below === '.git' || below.startsWith('.git/')) return readInternal(below);
    if (this.taken.empty.has(path)) return { kind: 'folder' };
    const tree = await this.entries();
    if (!tree) return { kind: 'skipped', reason: 'unreadable' };
    const entry = tree.files.get(below);
    if (entry && entry.mode !== gitlink) return this.readEntry(entry, below);
    const above = partsAbove(below);
    // Folders with their own baseline are excluded.
    const repository = above.find((one) => this.nestedBelow.has(one) || tree.files.get(one)?.mode === gitlink);
    if (repository !== undefined) return { kind: 'skipped', reason: 'budget', within: join(this.folder, repository) };
    const ignored = above.find((one) => this.ignoredFolders.has(one));
    if (ignored !== undefined) return { kind: 'skipped', reason: 'ignored', within: join(this.folder, ignored) };
    // All files from before are known, so files created in an ignored folder are listed with it.
    for (const one of above.slice(0, -1)) {
      if (tree.folders.has(one)) continue;
      const isPackages = packageNames.has(one.slice(one.lastIndexOf('/') + 1));
      if (isPackages || (await this.isIgnored(one))) {
        return { kind: 'skipped', reason: 'ignored', within: join(this.folder, one) };
      }
    }
    return { kind: 'absent' };
  }

  async changed(): Promise<string[]> {
    const { recorded, empty, at, ignoredFolders, nested } = this.taken;
    const [status, touched, emptyNow, links, own] = await Promise.all([
      statusOf(this.folder),
      this.recorder.changed(recorded, at),
      emptyOf(this.folder),
      gitlinksOf(this.folder),
      guardedFiles(this.folder),
    ]);
    // Without the repository, all its records are gone.
    if (!status) return (await isThere(join(this.folder, '.git'))) ? touched : [this.folder];
    const found = new Set(await withoutBranches(touched, join(this.folder, '.git/config'), this));
    const committed = status.head !== this.taken.head ? await this.committedTo(status.head) : [];
    for (const below of [...status.paths, ...committed, ...status.ignoredFiles, ...own]) {
      const path = join(this.folder, below);
      // Recorded files were already checked.
      if (!recorded.has(path) && !this.nestedBelow.has(below)) found.add(path);
    }
    for (const path of await this.cloned(status, links)) found.add(path);
    for (const below of new Set([...ignoredFolders, ...status.ignoredFolders])) {
      const path = join(this.folder, below);
      const isOwn = nested.some((one) => one === path || path.startsWith(one + sep));
      if (isOwn) continue;
      const newest = await newestChange(path);
      const wasThere = this.ignoredFolders.has(below);
      if (newest === undefined ? wasThere : newest >= at) found.add(path);
    }
    for (const path of empty) if (!(await isThere(path))) found.add(path);
    for (const path of emptyNow) if (!empty.has(path) && (await isFolderMadeSince(path, at))) found.add(path);
    return [...found].filter((path) => !this.isInPackages(path));
  }

  dispose(): void {
    this.isDisposed = true;
    void this.contents?.then((contents) => contents?.dispose());
    this.ignores?.dispose();
  }

  private below(path: string): string {
    return relative(this.folder, path).split(sep).join('/');
  }

  /** Returns whether a path is an untracked file of a package, which isn't listed separately. */
  private isInPackages(path: string): boolean {
    const below = this.below(path);
    const names = below.split('/').slice(0, -1);
    return names.some((name) => packageNames.has(name)) && !this.differing.has(below);
  }

  private async readEntry({ mode, blob }: TreeEntry, below: string): Promise<FileBefore> {
    this.contents ??= this.where().then((where) => (this.isDisposed ? undefined : new GitContents(where)));
    const bytes = await (await this.contents)?.read(blob, below);
    if (!bytes) return { kind: 'skipped', reason: 'unreadable' };
    if (mode === '120000') return { kind: 'link', target: bytes.toString('utf8') };
    return { kind: 'file', bytes, isExecutable: mode === '100755' };
  }

  /** Returns the git arguments that select the repository. The objects of a submodule or worktree outlive its folder. */
  private async where(): Promise<readonly string[]> {
    if (await isThere(this.folder)) return ['-C', this.folder];
    return [`--git-dir=${this.taken.objects}`, `--work-tree=${dirname(this.taken.objects)}`];
  }

  /** Returns the files of repositories created since. */
  private async cloned(status: Status, links: readonly string[]): Promise<string[]> {
    const all = new Set([...status.repositories, ...links]);
    const came = [...all].filter((below) => !this.nestedBelow.has(below));
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

  /** Lists all files of the checked-out commit once, on first use. */
  private entries(): Promise<Tree | undefined> {
    this.tree ??= this.list();
    return this.tree;
  }

  private async list(): Promise<Tree | undefined> {
    const files = new Map<string, TreeEntry>();
    const folders = new Set<string>();
    const tree = { files, folders };
    if (this.taken.head === undefined) return tree;
    const where = await this.where();
    const printed = await run([...where, 'ls-tree', '-r', '-z', '--full-tree', this.taken.head], patience);
    if (!printed) return undefined;
    for (const line of printed.toString('utf8').split('\0')) {
      const match = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line);
      if (!match) continue;
      const path = match[3] ?? '';
      files.set(path, { mode: match[1] ?? '', blob: match[2] ?? '' });
      for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
        const folder = path.slice(0, at);
        if (folders.has(folder)) break;
        folders.add(folder);
      }
    }
    return tree;
  }

  /** Returns the paths that differ between another commit and the baseline's. */
  private async committedTo(head: string | undefined): Promise<string[]> {
    if (head === undefined) return [...((await this.entries())?.files.keys() ?? [])];
    const args =
      this.taken.head === undefined
        ? ['ls-tree', '-r', '-z', '--name-only', head]
        : ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--ignore-submodules=all', this.taken.head, head];
    const printed = await git(this.folder, args, patience);
    return (
      printed
        ?.toString('utf8')
        .split('\0')
        .filter((below) => below !== '') ?? []
    );
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

/** The files of a commit and all folders above them. */
interface Tree {
  readonly files: ReadonlyMap<string, TreeEntry>;
  readonly folders: ReadonlySet<string>;
}

/** The mode of a tree entry that references a commit of another repository. */
const gitlink = '160000';

async function statusOf(top: string): Promise<Status | undefined> {
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

/** Returns the empty folders as absolute paths. */
async function emptyOf(top: string): Promise<string[]> {
  const printed = await git(top, ['ls-files', '-o', '--directory', '--exclude-standard', '-z'], patience);
  const folders = printed?.toString('utf8').split('\0') ?? [];
  return emptyFolders(folders.filter((path) => path.endsWith('/')).map((path) => join(top, path.slice(0, -1))));
}

/** Returns the paths in the index that reference commits of other repositories, such as submodules. */
async function gitlinksOf(top: string): Promise<string[]> {
  const printed = await git(top, ['ls-files', '-s', '-z'], patience);
  const found: string[] = [];
  const mark = Buffer.from(`${gitlink} `);
  for (let at = printed?.indexOf(mark) ?? -1; printed && at >= 0; at = printed.indexOf(mark, at + 1)) {
    if (at > 0 && printed[at - 1] !== 0) continue;
    const [, path] = printed.toString('utf8', at, printed.indexOf(0, at)).split('\t');
    if (path !== undefined) found.push(path);
  }
  return found;
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

async function worktreesOf(objects: string): Promise<string[]> {
  const names = await readdir(join(objects, 'worktrees')).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(objects, 'worktrees', name, 'gitdir'), 'utf8').catch(() => '');
      const path = dirname(text.trim());
      return text === '' ? [] : [await realpath(path).catch(() => path)];
    }),
  );
  return found.flat();
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

function resolveFrom(top: string, path: string): string {
  return /^([a-z]:)?[\\/]/i.test(path) ? path : join(top, path);
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
