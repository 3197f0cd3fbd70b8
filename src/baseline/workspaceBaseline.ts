import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { folderBaseline } from './folderBaseline';
import type { Baseline, BaselineLimits, FileBefore } from './baseline';
import { gitBaseline, repositoryOf } from './gitBaseline';
import type { LeftOut } from './ignoreRules';
import type { Recorder } from './recorder';

/** So many repositories below the workspace's folders get a baseline; what is in the others reads as skipped. */
const repositories = 40;

/** A folder as the workspace names it, and where it really is: links may lie between. */
interface Folder {
  readonly named: string;
  readonly real: string;
}

/** What all folders of a workspace held at one moment. Paths are absolute, below the folders as the workspace names them. */
export class WorkspaceBaseline {
  private readonly folders: readonly Folder[];
  private readonly parts: readonly Baseline[];

  private constructor(folders: readonly Folder[], parts: readonly Baseline[]) {
    this.folders = folders;
    // The innermost folder knows best.
    this.parts = [...parts].sort((a, b) => b.folder.length - a.folder.length);
  }

  /** Looks at all folders: through git where there is a repository, else file by file; each repository below them by itself. */
  static async take(
    folders: readonly string[],
    recorder: Recorder,
    leftOut: LeftOut,
    limits: BaselineLimits,
  ): Promise<WorkspaceBaseline> {
    const both = await Promise.all(
      folders.map(async (named) => ({ named, real: await realpath(named).catch(() => named) })),
    );
    const taken = new Set<string>();
    const parts: Baseline[] = [];
    type TakeOne = (onNested: (nested: readonly string[]) => void) => Promise<Baseline | undefined>;
    const take = async (folder: string, takeOne: TakeOne): Promise<void> => {
      if (taken.has(folder) || taken.size >= both.length + repositories) return;
      taken.add(folder);
      const inner: Promise<void>[] = [];
      // Not after one another: a prompt waits for all of them.
      const part = await takeOne((nested) => {
        inner.push(...nested.map((one) => take(one, (onNested) => gitBaseline(one, recorder, onNested))));
      });
      if (part) parts.push(part);
      await Promise.all(inner);
    };
    await Promise.all(
      both.map(async ({ real }) => {
        const top = await repositoryOf(real);
        const byFolder: TakeOne = (onNested) => folderBaseline(real, recorder, leftOut, limits.files, onNested);
        if (top === undefined) await take(real, byFolder);
        else await take(top, async (onNested) => (await gitBaseline(top, recorder, onNested)) ?? byFolder(onNested));
      }),
    );
    return new WorkspaceBaseline(both, parts);
  }

  /** Undefined for what lies in none of the folders, nor in the repositories around them. */
  async read(path: string): Promise<FileBefore | undefined> {
    const real = this.toReal(path);
    const before = await this.parts.find(({ folder }) => isBelow(real, folder))?.read(real);
    if (before?.kind !== 'skipped' || before.within === undefined) return before;
    return { ...before, within: this.toNamed(before.within) };
  }

  /** See `Baseline.changed`; of all folders, each path once. */
  async changed(): Promise<string[]> {
    const found = await Promise.all(this.parts.map((part) => part.changed()));
    return [...new Set(found.flat().map((path) => this.toNamed(path)))];
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }

  private toReal(path: string): string {
    const inside = this.folders.find(({ named }) => isBelow(path, named));
    return inside ? inside.real + path.slice(inside.named.length) : path;
  }

  private toNamed(path: string): string {
    const inside = this.folders.find(({ real }) => isBelow(path, real));
    return inside ? inside.named + path.slice(inside.real.length) : path;
  }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder) && path.charAt(folder.length) === sep;
}
