import { lstat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { wayBelow } from '../disk/paths';
import { byWorth, ignoredLimits, partsAbove, unprotectedOf } from './baseline';
import type { Baseline, FileBefore, SkipReason, Unprotected } from './baseline';
import { isFolderCreatedSince, newestChange } from './folderScan';
import { changedAmong, FolderWalk, holdsAtMost } from './folderWalk';
import { IgnoreRules, type IgnoredPaths } from './ignoreRules';
import { writtenSince, type Recorded, type Recorder } from './recorder';

/** Maximum number of files for which a generated folder is recorded like any other. */
const maxGeneratedFiles = 500;
/** In a folder too large to record, up to this many times its limit is examined when a turn ends. */
const lateLimit = 5;

/**
 * Records a whole folder outside any repository. Files that are ignored or over the limits read as skipped. `at` is when the recording of the
 * workspace began, in milliseconds. `onNested` receives `Baseline.nested` as soon as it is known.
 */
export async function folderBaseline(
  folder: string,
  recorder: Recorder,
  at: number,
  ignored: IgnoredPaths,
  limit: number,
  onNested: (nested: readonly string[]) => void,
): Promise<Baseline> {
  const rules = new IgnoreRules(folder, ignored);
  const generated = new Map<string, boolean>();
  const walk = new FolderWalk(folder, rules, ignored.generated ?? new Set(), limit, async (found) => {
    const isSmall = await holdsAtMost(join(folder, found), maxGeneratedFiles);
    generated.set(found, isSmall);
    return isSmall;
  });
  await walk.run();
  onNested(walk.nested.map((below) => join(folder, below)));
  const recorded = await recorder.record(walk.files);
  const rest = await recorder.record(byWorth(walk.ignoredFiles), ignoredLimits);
  for (const [path, one] of rest) recorded.set(path, one === 'budget' ? 'ignored' : one);
  return new FolderBaseline(folder, recorder, recorded, rules, walk, generated, at, limit);
}

class FolderBaseline implements Baseline {
  readonly folder: string;
  private readonly recorder: Recorder;
  private readonly recorded: ReadonlyMap<string, Recorded | SkipReason>;
  private readonly rules: IgnoreRules;
  private readonly first: FolderWalk;
  /** The generated folders, and whether they are recorded. */
  private readonly generatedFolders: ReadonlyMap<string, boolean>;
  private readonly at: number;
  private readonly limit: number;
  private readonly ignoredFolders: ReadonlySet<string>;
  private readonly nestedBelow: ReadonlySet<string>;
  private readonly empty: ReadonlySet<string>;
  private readonly askedInGenerated = new Map<string, Set<string>>();
  private isDisposed = false;
  readonly whole: Promise<void>;

  constructor(
    folder: string,
    recorder: Recorder,
    recorded: Map<string, Recorded | SkipReason>,
    rules: IgnoreRules,
    first: FolderWalk,
    generatedFolders: ReadonlyMap<string, boolean>,
    at: number,
    limit: number,
  ) {
    this.folder = folder;
    this.recorder = recorder;
    this.recorded = recorded;
    this.rules = rules;
    this.first = first;
    this.generatedFolders = generatedFolders;
    this.at = at;
    this.limit = limit;
    this.ignoredFolders = new Set(first.ignoredFolders);
    this.nestedBelow = new Set(first.nested);
    this.empty = new Set(first.emptyFolders);
    this.whole = recorder.recordRest(recorded, at, () => this.isDisposed);
  }

  get nested(): readonly string[] {
    return this.first.nested.map((below) => join(this.folder, below));
  }

  get unprotected(): readonly Unprotected[] {
    const { first, folder } = this;
    const found = unprotectedOf(
      this.recorded,
      first.ignoredFolders.map((below) => join(folder, below)),
    );
    return first.isWhole ? found : [...found, { path: folder, reason: 'budget', isFolder: true }];
  }

  async read(path: string): Promise<FileBefore> {
    const found = this.recorded.get(path);
    if (found !== undefined) return this.recorder.read(found);
    const below = (wayBelow(this.folder, path) ?? path).replaceAll(sep, '/');
    if (this.empty.has(below)) return { kind: 'folder' };
    const above = partsAbove(below);
    // Folders with their own baseline are excluded.
    const repository = above.find((one) => this.nestedBelow.has(one));
    if (repository !== undefined) return { kind: 'skipped', reason: 'budget', within: join(this.folder, repository) };
    const known = above.find((one) => this.ignoredFolders.has(one));
    if (known !== undefined) return { kind: 'skipped', reason: 'ignored', within: join(this.folder, known) };
    // A new folder may contain its own rules; generated folders often do.
    for (const one of above.slice(0, -1)) await this.rules.enter(one);
    const ignored =
      this.rules.ignoredFolderAbove(below) ?? above.slice(0, -1).find((one) => this.isLargeGenerated(one, path));
    if (ignored !== undefined) return { kind: 'skipped', reason: 'ignored', within: join(this.folder, ignored) };
    return this.first.isWhole ? { kind: 'absent' } : { kind: 'skipped', reason: 'budget' };
  }

  hadFolder(path: string): boolean {
    if (path === this.folder || !this.first.isWhole) return true;
    const below = (wayBelow(this.folder, path) ?? path).replaceAll(sep, '/');
    if (partsAbove(below).some((one) => this.ignoredFolders.has(one) || this.nestedBelow.has(one))) return true;
    const { ignoredFolders, nested, emptyFolders } = this.first;
    const others = [...ignoredFolders, ...nested, ...emptyFolders].map((one) => join(this.folder, one));
    return [...this.recorded.keys(), ...others].some((one) => one === path || one.startsWith(path + sep));
  }

  async changed(): Promise<string[]> {
    const { recorded, at } = this;
    const found = new Set(await this.recorder.changed(recorded, at));
    const limit = this.first.isWhole ? this.limit : this.limit * lateLimit;
    const isRecorded = (one: string) =>
      this.generatedFolders.get(one) ?? holdsAtMost(join(this.folder, one), maxGeneratedFiles);
    const now = new FolderWalk(this.folder, this.rules, this.first.generatedNames, limit, isRecorded, this.nestedBelow);
    await now.run();
    const others = [...now.files, ...now.ignoredFiles].filter((path) => !recorded.has(path));
    if (this.first.isWhole) for (const path of others) found.add(path);
    else for (const path of await changedAmong(others, at)) found.add(path);
    for (const below of new Set([...this.ignoredFolders, ...now.ignoredFolders])) {
      const newest = await newestChange(join(this.folder, below));
      if (newest === undefined ? this.ignoredFolders.has(below) : newest >= at) found.add(join(this.folder, below));
    }
    for (const below of this.empty) if (!(await isThere(join(this.folder, below)))) found.add(join(this.folder, below));
    for (const below of now.emptyFolders) {
      const path = join(this.folder, below);
      const isNew = !this.empty.has(below) && (!this.hadFolder(path) || (await isFolderCreatedSince(path, at)));
      if (isNew) found.add(path);
    }
    return [...found];
  }

  changedSince(at: number): string[] {
    return writtenSince(this.recorded, at);
  }

  dispose(): void {
    this.isDisposed = true;
  }

  /** Returns whether a generated folder is new and has too many files to list. */
  private isLargeGenerated(folder: string, path: string): boolean {
    if (!this.first.isGeneratedName(folder) || this.generatedFolders.has(folder)) return false;
    const asked = this.askedInGenerated.get(folder) ?? new Set();
    this.askedInGenerated.set(folder, asked.add(path));
    return asked.size > maxGeneratedFiles;
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
