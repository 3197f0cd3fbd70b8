import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isLossy, lossyStat } from '../disk/lossyNames';
import { wayBelow } from '../disk/paths';
import { folderBaseline } from './folderBaseline';
import {
  clockLagMs,
  isMadeAgain,
  type Baseline,
  type BaselineLimits,
  type FileBefore,
  type Unprotected,
} from './baseline';
import { gitBaseline, repositoryOf } from './gitBaseline';
import type { IgnoredPaths } from './ignoreRules';
import type { Recorder } from './recorder';

/** Maximum number of nested repositories with a baseline. Files in all others read as skipped. */
const repositories = 500;
/** Maximum number of repositories to ask at the same time, because each one starts several processes. */
const lanes = 10;

/** A folder as named in the workspace, and its real path, which may differ because of links. */
interface Folder {
  readonly named: string;
  readonly real: string;
}

/** The file contents of all folders of a workspace at one moment. Paths are absolute, inside the folders as named in the workspace. */
export class WorkspaceBaseline {
  private readonly folders: readonly Folder[];
  private readonly parts: readonly Baseline[];

  private constructor(folders: readonly Folder[], parts: readonly Baseline[]) {
    this.folders = folders;
    // The innermost folder comes first.
    this.parts = [...parts].sort((a, b) => b.folder.length - a.folder.length);
  }

  /** Takes baselines of all folders: with git in a repository, by file otherwise. Each nested repository gets its own. */
  static async take(
    folders: readonly string[],
    recorder: Recorder,
    ignored: IgnoredPaths,
    limits: BaselineLimits,
    takeRepository = gitBaseline,
  ): Promise<WorkspaceBaseline> {
    // What is written from here on may be the agent's, however long git takes.
    const at = recorder.time() - clockLagMs;
    const both = await Promise.all(
      folders.map(async (named) => ({ named, real: await realpath(named).catch(() => named) })),
    );
    const taken = new Set<string>();
    const limit = new Limit(lanes);
    const parts: Baseline[] = [];
    const byFolder = (folder: string, onNested: (nested: readonly string[]) => void) =>
      folderBaseline(folder, recorder, at, ignored, limits.files, onNested);
    const take = async (folder: string, isRepository: boolean, otherwise = folder): Promise<void> => {
      if (taken.has(folder) || taken.size >= both.length + repositories) return;
      taken.add(folder);
      const inner: Promise<void>[] = [];
      // Concurrently, because a prompt waits for all of them.
      const onNested = (nested: readonly string[]) => void inner.push(...nested.map((one) => take(one, true)));
      const byGit = () => (isRepository ? takeRepository(folder, recorder, at, onNested) : undefined);
      parts.push(await limit.run(async () => (await byGit()) ?? byFolder(otherwise, onNested)));
      await Promise.all(inner);
    };
    await Promise.all(
      both.map(async ({ real }) => {
        const top = await repositoryOf(real);
        await take(top ?? real, top !== undefined, real);
      }),
    );
    return new WorkspaceBaseline(both, parts);
  }

  /** See `Baseline.whole`. */
  get whole(): Promise<void> {
    return Promise.all(this.parts.map(({ whole }) => whole)).then(() => undefined);
  }

  /** See `Baseline.unprotected`. Without packages and build output, which tools make again. */
  get unprotected(): readonly Unprotected[] {
    const found = this.parts.flatMap(({ folder, unprotected }) =>
      unprotected.filter(({ path }) => !isMadeAgain(this.below(path) ?? wayBelow(folder, path) ?? '')),
    );
    return found.map((one) => ({ ...one, path: this.toNamed(one.path) }));
  }

  /** Resolves to undefined for a path outside all folders and the repositories around them. */
  async read(path: string): Promise<FileBefore | undefined> {
    const real = this.toReal(path);
    const before = await this.readReal(real);
    // A string can't have such a name, so the file can't be written.
    if (isLossy(real) && before?.kind !== 'skipped') {
      const isKnown = before !== undefined && before.kind !== 'absent';
      const isUnreadable = (isKnown || (await lossyStat(real)) !== undefined) && !(await canOpen(real));
      if (isUnreadable) return { kind: 'skipped', reason: 'unreadable' };
    }
    if (before?.kind !== 'skipped' || before.within === undefined) return before;
    return { ...before, within: this.toNamed(before.within) };
  }

  /** See `Baseline.hadFolder`. True for a path outside all folders. */
  hadFolder(path: string): boolean {
    const real = this.toReal(path);
    return this.parts.find(({ folder }) => wayBelow(folder, real) !== undefined)?.hadFolder(real) ?? true;
  }

  private readReal(real: string): Promise<FileBefore> | undefined {
    return this.parts.find(({ folder }) => wayBelow(folder, real) !== undefined)?.read(real);
  }

  /** See `Baseline.changed`. Includes all folders, each path once. */
  async changed(): Promise<string[]> {
    const limit = new Limit(lanes);
    const found = await Promise.all(this.parts.map((part) => limit.run(() => part.changed())));
    return [...new Set(found.flat().map((path) => this.toNamed(path)))];
  }

  /** See `Baseline.changedSince`. Includes all folders, each path once. */
  changedSince(at: number): string[] {
    return [...new Set(this.parts.flatMap((part) => part.changedSince(at)).map((path) => this.toNamed(path)))];
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }

  /** Returns the way to a path from the workspace's folder around it. Names above that folder mean nothing. */
  private below(path: string): string | undefined {
    for (const { real } of this.folders) {
      const way = wayBelow(real, path);
      if (way !== undefined) return way;
    }
    return undefined;
  }

  private toReal(path: string): string {
    return moved(path, this.folders, ({ named, real }) => [named, real]);
  }

  private toNamed(path: string): string {
    return moved(path, this.folders, ({ named, real }) => [real, named]);
  }
}

async function canOpen(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Runs at most so many actions at the same time. */
class Limit {
  private left: number;
  private readonly waiting: (() => void)[] = [];

  constructor(most: number) {
    this.left = most;
  }

  async run<T>(act: () => Promise<T>): Promise<T> {
    if (this.left === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.left--;
    try {
      return await act();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.left++;
    }
  }
}

/** Returns a path below the first place of a folder as the same path below its second place. */
function moved(
  path: string,
  folders: readonly Folder[],
  places: (folder: Folder) => readonly [from: string, to: string],
): string {
  for (const folder of folders) {
    const [from, to] = places(folder);
    const way = wayBelow(from, path);
    if (way !== undefined) return join(to, way);
  }
  return path;
}
