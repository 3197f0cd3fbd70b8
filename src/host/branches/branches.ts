import { readFileSync, statSync, watch, type FSWatcher } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { attempt } from '../../shared/values/attempt';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';

/** What is checked out in a folder. */
export interface CheckedOut {
  /** The branch, or the first digits of the commit if there is no branch. */
  readonly branch: string;
  /** True for a worktree besides the repository's first one. */
  readonly isWorktree: boolean;
}

/** A repository whose `HEAD` is watched. */
interface Watched {
  readonly isWorktree: boolean;
  readonly watcher: FSWatcher | undefined;
  branch: string | undefined;
}

/** How long a folder without a repository counts as one without asking the disk again, in milliseconds. */
const settledMs = 5000;

/** Knows the branches of folders and follows `git switch`. Watches each repository's `HEAD` and asks nothing regularly. */
export class Branches extends Disposable {
  private readonly now: () => number;
  /** The folder with `HEAD`, by folder; empty if there is no repository. */
  private readonly places = new Map<string, { readonly gitFolder: string; readonly at: number }>();
  private readonly repositories = new Map<string, Watched>();
  private readonly changed = this.register(new Emitter<void>());
  /** Fires when another branch was checked out in one of the folders. */
  readonly onDidChange = this.changed.event;

  constructor(now: () => number = () => performance.now()) {
    super();
    this.now = now;
    this.register({ dispose: () => this.repositories.forEach(({ watcher }) => watcher?.close()) });
  }

  /** Returns what is checked out in a folder, which is watched from now on. Undefined if it isn't in a repository. */
  of(folder: string): CheckedOut | undefined {
    const gitFolder = this.gitFolderOf(folder);
    if (gitFolder === '') return undefined;
    const known = this.repositories.get(gitFolder) ?? this.follow(gitFolder);
    return known?.branch === undefined ? undefined : { branch: known.branch, isWorktree: known.isWorktree };
  }

  private gitFolderOf(folder: string): string {
    const known = this.places.get(folder);
    if (known && (known.gitFolder !== '' || this.now() - known.at < settledMs)) return known.gitFolder;
    const gitFolder = findGitFolder(folder);
    // A worktree may be created where there is nothing yet.
    if (attempt(() => statSync(folder))) this.places.set(folder, { gitFolder, at: this.now() });
    return gitFolder;
  }

  private follow(gitFolder: string): Watched | undefined {
    // Git replaces the file, so its folder is watched. If that isn't possible, the branch is the one at the start.
    const watcher = attempt(() =>
      watch(gitFolder, { persistent: false }, (_event, name) => {
        if (name === null || name === 'HEAD') this.readAgain(gitFolder);
      }),
    );
    watcher?.on('error', () => this.forget(gitFolder));
    const branch = readBranch(gitFolder);
    // It has gone, and may come back with a new worktree of the same name. A watcher of the folder that has gone wouldn't say so.
    if (branch === undefined) {
      watcher?.close();
      this.forget(gitFolder);
      return undefined;
    }
    const isWorktree = dirname(gitFolder).endsWith('worktrees');
    const repository = { isWorktree, watcher, branch };
    if (!this.isDisposed) this.repositories.set(gitFolder, repository);
    else watcher?.close();
    return repository;
  }

  private readAgain(gitFolder: string): void {
    const repository = this.repositories.get(gitFolder);
    if (!repository) return;
    const branch = readBranch(gitFolder);
    if (branch === repository.branch) return;
    repository.branch = branch;
    // The repository may have been removed, and the folder may be in another one now.
    if (branch === undefined) this.forget(gitFolder);
    this.changed.fire();
  }

  private forget(gitFolder: string): void {
    this.repositories.get(gitFolder)?.watcher?.close();
    this.repositories.delete(gitFolder);
    for (const [folder, place] of this.places) if (place.gitFolder === gitFolder) this.places.delete(folder);
  }
}

/** Returns the folder with `HEAD`, of the repository or worktree that a folder is in. Empty if there is none. */
function findGitFolder(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = join(at, '.git');
    const stat = attempt(() => statSync(path, { throwIfNoEntry: false }));
    if (stat?.isDirectory()) return path;
    if (stat?.isFile()) {
      const to = /^gitdir: (.+?)\r?\n?$/.exec(attempt(() => readFileSync(path, 'utf8')) ?? '')?.[1];
      if (to !== undefined) return resolve(at, to);
    }
    if (dirname(at) === at) return '';
  }
}

function readBranch(gitFolder: string): string | undefined {
  const path = join(gitFolder, 'HEAD');
  // A pipe, which an agent can put there, would never end.
  const head = attempt(() => (statSync(path).isFile() ? readFileSync(path, 'utf8').trim() : undefined));
  const branch = head === undefined ? undefined : /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  // In repositories with reftables, the file doesn't have the branch.
  if (branch === '.invalid') return undefined;
  return branch ?? (head !== undefined && /^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 7) : undefined);
}
