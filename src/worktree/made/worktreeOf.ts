import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { copyAround, type CopyPlace } from '../../git/copyPlaces';
import { pathKey, wayBelow } from '../../disk/paths';
import { attempt } from '../../shared/values/attempt';
import { Disposable, toDisposable, type IDisposable } from '../../shared/values/disposable';
import { Emitter, type Event } from '../../shared/values/event';
import { decodeRecord, type WorktreeRecord } from './worktreeRecord';

/**
 * The place of work that a folder is in: a worktree with the folder of git that all worktrees of the repository share, or a copy that an agent
 * has for itself with Parley's own repository about it.
 */
export interface FolderWorktree {
  readonly record: WorktreeRecord;
  readonly common: string;
  /** Set for a copy. Nothing may read the repository in it as git does: everything there is the agent's. */
  readonly isCopy?: true;
}

/** How long an answer counts without asking the disk again, in milliseconds. */
const settledMs = 5000;

/** How many folders are remembered. */
const mostKnown = 1000;

interface Answer {
  readonly worktree: FolderWorktree | undefined;
  readonly at: number;
}

/** What a window knows about worktrees: which folders are in one, and which were removed. */
export class KnownWorktrees extends Disposable {
  /** What is known of a folder, and of the folders around it that were passed on the way. The earliest answer comes first. */
  private readonly known = new Map<string, Answer>();
  private readonly removals = this.register(new Emitter<string>());
  /** Fires after Parley removed the folder of a worktree, with its path. */
  readonly onDidRemove = this.removals.event;

  /** See `worktreeOf`. */
  of(folder: string): FolderWorktree | undefined {
    const before = this.fresh(folder);
    return before ? before.worktree : this.look(folder);
  }

  forget(): void {
    this.known.clear();
  }

  removed(path: string): void {
    this.forget();
    this.removals.fire(path);
  }

  private look(folder: string): FolderWorktree | undefined {
    const copy = copyAround(resolve(folder));
    const passed = [folder];
    const now = performance.now();
    const found = attempt(() => (copy ? { worktree: readCopy(copy), at: now } : this.find(folder, passed, now)));
    const answer = found ?? { worktree: undefined, at: now };
    for (const one of passed) {
      this.known.delete(one);
      this.known.set(one, answer);
    }
    for (const [earliest] of this.known) {
      if (this.known.size <= mostKnown) break;
      this.known.delete(earliest);
    }
    return answer.worktree;
  }

  /** Goes up until a folder has a repository, or is known. Adds the folders on the way to `passed`. */
  private find(folder: string, passed: string[], now: number): Answer {
    for (let at = resolve(folder); ; at = dirname(at)) {
      const known = at === folder ? undefined : this.fresh(at);
      if (known) return known;
      if (at !== folder) passed.push(at);
      const git = statSync(join(at, '.git'), { throwIfNoEntry: false });
      // Only the first working tree has a folder, and Parley didn't make that one.
      if (git?.isDirectory()) return { worktree: undefined, at: now };
      if (git?.isFile()) return { worktree: readWorktree(at), at: now };
      if (dirname(at) === at) return { worktree: undefined, at: now };
    }
  }

  private fresh(folder: string): Answer | undefined {
    const answer = this.known.get(folder);
    return answer && performance.now() - answer.at < settledMs ? answer : undefined;
  }
}

/** Without a window, as in a test, what is known stays as long as the process. */
let inUse = new KnownWorktrees();

/** Asks `worktrees` from now on, until this is disposed. */
export function findWorktreesWith(worktrees: KnownWorktrees): IDisposable {
  inUse = worktrees;
  return toDisposable(() => {
    if (inUse === worktrees) inUse = new KnownWorktrees();
  });
}

/**
 * Returns the worktree that a folder is in, if Parley made it. Answers at once from a few small files, because every file of a turn
 * may ask.
 */
export function worktreeOf(folder: string): FolderWorktree | undefined {
  return inUse.of(folder);
}

/** Makes the next question look at the disk, because a worktree was created or has changed. */
export function forgetWorktrees(): void {
  inUse.forget();
}

/** Says that Parley removed the folder of a worktree. */
export function worktreeRemoved(path: string): void {
  inUse.removed(path);
}

/** Fires after Parley removed the folder of a worktree, with its path. */
export const onDidRemoveWorktree: Event<string> = (listener) => inUse.onDidRemove(listener);

/** Returns true if a path is the worktree's folder, or below it. */
export function isInWorktree({ record }: Pick<FolderWorktree, 'record'>, path: string): boolean {
  return pathKey(path) === pathKey(record.path) || wayBelow(record.path, path) !== undefined;
}

function readCopy({ id, git }: CopyPlace): FolderWorktree | undefined {
  const record = decodeRecord(id, readFileSync(join(git, 'parley', 'worktrees', `${id}.json`), 'utf8'));
  return record && { record, common: git, isCopy: true };
}

function readWorktree(root: string): FolderWorktree | undefined {
  const to = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(join(root, '.git'), 'utf8'))?.[1];
  if (to === undefined) return undefined;
  const own = resolve(root, to);
  const common = realpathSync.native(resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim()));
  const notes = join(common, 'parley', 'worktrees');
  // The editor writes drives in lower case on Windows, and the note has the path as the system writes it.
  const path = pathKey(realpathSync.native(root));
  for (const name of readdirSync(notes)) {
    const record = name.endsWith('.json') && decodeRecord(name.slice(0, -5), readFileSync(join(notes, name), 'utf8'));
    if (record && pathKey(record.path) === path) return { record, common };
  }
  return undefined;
}
