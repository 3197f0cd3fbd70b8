import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Baseline, FileBefore, SkipReason } from './baseline';
import type { Recorded, Recorder } from './recorder';

/** Decides by a path below the folder, with `/` between its parts, whether a folder or file is left out. */
export type IsIgnored = (relativePath: string) => boolean;

/**
 * Records a whole folder that is in no repository. What ignore rules leave out, and what is over the limits, reads as skipped.
 */
export async function folderBaseline(
  folder: string,
  recorder: Recorder,
  isIgnored: IsIgnored,
  limit: number,
): Promise<Baseline> {
  const { paths, isWhole } = await walk(folder, isIgnored, limit);
  const recorded = await recorder.record(paths);
  return new FolderBaseline(folder, recorder, recorded, isIgnored, isWhole ? limit : undefined);
}

class FolderBaseline implements Baseline {
  readonly folder: string;
  private readonly recorder: Recorder;
  private readonly recorded: ReadonlyMap<string, Recorded | SkipReason>;
  private readonly isIgnored: IsIgnored;
  /** Within how many files all of them were found; undefined when there are more. */
  private readonly limit: number | undefined;

  constructor(
    folder: string,
    recorder: Recorder,
    recorded: ReadonlyMap<string, Recorded | SkipReason>,
    isIgnored: IsIgnored,
    limit: number | undefined,
  ) {
    this.folder = folder;
    this.recorder = recorder;
    this.recorded = recorded;
    this.isIgnored = isIgnored;
    this.limit = limit;
  }

  read(path: string): Promise<FileBefore> {
    const found = this.recorded.get(path);
    if (found !== undefined) return this.recorder.read(found);
    const parts = path.slice(this.folder.length + 1).split(/[\\/]/);
    const isOut = parts.some((_, at) => this.isIgnored(parts.slice(0, at + 1).join('/')));
    if (isOut) return Promise.resolve({ kind: 'skipped', reason: 'ignored' });
    return Promise.resolve(this.limit === undefined ? { kind: 'skipped', reason: 'budget' } : { kind: 'absent' });
  }

  async changed(): Promise<string[]> {
    const touched = await this.recorder.changed(this.recorded);
    if (this.limit === undefined) return touched;
    const { paths } = await walk(this.folder, this.isIgnored, this.limit);
    return [...touched, ...paths.filter((path) => !this.recorded.has(path))];
  }

  dispose(): void {
    // Nothing runs on.
  }
}

async function walk(
  folder: string,
  isIgnored: IsIgnored,
  limit: number,
): Promise<{ paths: string[]; isWhole: boolean }> {
  const paths: string[] = [];
  const waiting = [''];
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const relative = below === '' ? entry.name : `${below}/${entry.name}`;
      if (isIgnored(relative)) continue;
      if (entry.isDirectory()) waiting.push(relative);
      else paths.push(join(folder, relative));
      if (paths.length > limit) return { paths: paths.slice(0, limit), isWhole: false };
    }
  }
  return { paths, isWhole: true };
}
