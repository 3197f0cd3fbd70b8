import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { folderBaseline } from './folderBaseline';
import type { Baseline, BaselineLimits, FileBefore } from './baseline';
import { gitBaseline } from './gitBaseline';
import type { LeftOut } from './ignoreRules';
import type { Recorder } from './recorder';

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

  /** Looks at all folders: through git where there is a repository, else file by file. */
  static async take(
    folders: readonly string[],
    recorder: Recorder,
    leftOut: LeftOut,
    limits: BaselineLimits,
  ): Promise<WorkspaceBaseline> {
    const both = await Promise.all(
      folders.map(async (named) => ({ named, real: await realpath(named).catch(() => named) })),
    );
    const parts = await Promise.all(
      both.map(
        async ({ real }) =>
          (await gitBaseline(real, recorder)) ?? (await folderBaseline(real, recorder, leftOut, limits.files)),
      ),
    );
    return new WorkspaceBaseline(both, parts);
  }

  /** Undefined for what lies in none of the folders, nor in the repositories around them. */
  async read(path: string): Promise<FileBefore | undefined> {
    const inside = this.folders.find(({ named }) => isBelow(path, named));
    const real = inside ? inside.real + path.slice(inside.named.length) : path;
    return this.parts.find(({ folder }) => isBelow(real, folder))?.read(real);
  }

  /** See `Baseline.changed`; of all folders, each path once. */
  async changed(): Promise<string[]> {
    const found = await Promise.all(this.parts.map((part) => part.changed()));
    const paths = found.flat().map((path) => {
      const inside = this.folders.find(({ real }) => isBelow(path, real));
      return inside ? inside.named + path.slice(inside.real.length) : path;
    });
    return [...new Set(paths)];
  }

  dispose(): void {
    for (const part of this.parts) part.dispose();
  }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder) && path.charAt(folder.length) === sep;
}
