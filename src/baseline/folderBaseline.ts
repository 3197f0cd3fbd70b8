import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Baseline, FileBefore, SkipReason } from './baseline';
import { IgnoreRules, type LeftOut } from './ignoreRules';
import type { Recorded, Recorder } from './recorder';

/**
 * Records a whole folder that is in no repository. What ignore rules leave out, and what is over the limits, reads as skipped.
 */
export async function folderBaseline(
  folder: string,
  recorder: Recorder,
  leftOut: LeftOut,
  limit: number,
): Promise<Baseline> {
  const rules = new IgnoreRules(folder, leftOut);
  const { paths, isWhole } = await walk(folder, rules, limit);
  const recorded = await recorder.record(paths);
  return new FolderBaseline(folder, recorder, recorded, rules, isWhole ? limit : undefined);
}

class FolderBaseline implements Baseline {
  readonly folder: string;
  private readonly recorder: Recorder;
  private readonly recorded: ReadonlyMap<string, Recorded | SkipReason>;
  private readonly rules: IgnoreRules;
  /** Within how many files all of them were found; undefined when there are more. */
  private readonly limit: number | undefined;

  constructor(
    folder: string,
    recorder: Recorder,
    recorded: ReadonlyMap<string, Recorded | SkipReason>,
    rules: IgnoreRules,
    limit: number | undefined,
  ) {
    this.folder = folder;
    this.recorder = recorder;
    this.recorded = recorded;
    this.rules = rules;
    this.limit = limit;
  }

  async read(path: string): Promise<FileBefore> {
    const found = this.recorded.get(path);
    if (found !== undefined) return this.recorder.read(found);
    const below = path.slice(this.folder.length + 1).replaceAll(sep, '/');
    // A folder that is new may bring its own rules, as what tools make often does.
    for (let at = below.indexOf('/'); at >= 0; at = below.indexOf('/', at + 1)) {
      await this.rules.enter(below.slice(0, at));
    }
    if (this.rules.isLeftOut(below)) return { kind: 'skipped', reason: 'ignored' };
    return this.limit === undefined ? { kind: 'skipped', reason: 'budget' } : { kind: 'absent' };
  }

  async changed(): Promise<string[]> {
    const touched = await this.recorder.changed(this.recorded);
    if (this.limit === undefined) return touched;
    const { paths } = await walk(this.folder, this.rules, this.limit);
    return [...touched, ...paths.filter((path) => !this.recorded.has(path))];
  }

  dispose(): void {
    // Nothing runs on.
  }
}

async function walk(folder: string, rules: IgnoreRules, limit: number): Promise<{ paths: string[]; isWhole: boolean }> {
  const paths: string[] = [];
  const waiting = [''];
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    // Most folders have none, and then nothing is read.
    if (entries.some(({ name }) => name === '.gitignore')) await rules.enter(below);
    else rules.passBy(below);
    for (const entry of entries) {
      const relative = below === '' ? entry.name : `${below}/${entry.name}`;
      if (rules.isIgnored(relative, entry.isDirectory())) continue;
      if (entry.isDirectory()) waiting.push(relative);
      else paths.push(join(folder, relative));
      if (paths.length > limit) return { paths: paths.slice(0, limit), isWhole: false };
    }
  }
  return { paths, isWhole: true };
}
