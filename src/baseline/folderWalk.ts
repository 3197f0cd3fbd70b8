import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { internalNames } from './baseline';
import { isChangedSince } from './folderScan';
import type { IgnoreRules } from './ignoreRules';

/** A breadth-first walk over a folder, which finds what's in it now. File paths are absolute, folder paths relative with `/`. */
export class FolderWalk {
  readonly files: string[] = [];
  readonly ignoredFiles: string[] = [];
  readonly ignoredFolders: string[] = [];
  readonly emptyFolders: string[] = [];
  readonly nested: string[] = [];
  isWhole = true;
  private readonly folder: string;
  private readonly rules: IgnoreRules;
  readonly generatedNames: ReadonlySet<string>;
  private readonly limit: number;
  private readonly isRecorded: (found: string) => Promise<boolean> | boolean;
  /** The repositories that an earlier walk found. Later ones belong to the folder. */
  private readonly known: ReadonlySet<string> | undefined;

  constructor(
    folder: string,
    rules: IgnoreRules,
    generatedNames: ReadonlySet<string>,
    limit: number,
    isRecorded: (found: string) => Promise<boolean> | boolean,
    known?: ReadonlySet<string>,
  ) {
    this.folder = folder;
    this.rules = rules;
    this.generatedNames = generatedNames;
    this.limit = limit;
    this.isRecorded = isRecorded;
    this.known = known;
  }

  /** Whether a folder has the name of one that tools generate. */
  isGeneratedName(below: string): boolean {
    return this.generatedNames.has(below.slice(below.lastIndexOf('/') + 1));
  }

  /** Ends once everything or `limit` files are found. */
  async run(): Promise<void> {
    const waiting = [''];
    for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
      const entries = await readdir(join(this.folder, below), { withFileTypes: true }).catch(() => undefined);
      if (!entries) continue;
      if (entries.length === 0 && below !== '') this.emptyFolders.push(below);
      // Most folders have no `.gitignore`, so this avoids reading a missing file.
      if (entries.some(({ name }) => name === '.gitignore')) await this.rules.enter(below);
      else this.rules.passBy(below);
      for (const entry of entries) {
        const relative = below === '' ? entry.name : `${below}/${entry.name}`;
        if (internalNames.has(entry.name)) continue;
        if (entry.isDirectory()) {
          if (await this.isEntered(relative)) waiting.push(relative);
        } else if (this.rules.isIgnored(relative, false)) this.ignoredFiles.push(join(this.folder, relative));
        else this.files.push(join(this.folder, relative));
        if (this.files.length > this.limit) {
          this.files.length = this.limit;
          this.isWhole = false;
          return;
        }
      }
    }
  }

  private async isEntered(below: string): Promise<boolean> {
    if (this.rules.isIgnored(below, true) || (this.isGeneratedName(below) && !(await this.isRecorded(below)))) {
      this.ignoredFolders.push(below);
      return false;
    }
    if (this.known) return !this.known.has(below);
    const isRepository = await isThere(join(this.folder, below, '.git'));
    if (isRepository) this.nested.push(below);
    return !isRepository;
  }
}

/** Resolves to whether a folder has at most so many files and folders. */
export async function holdsAtMost(folder: string, limit: number): Promise<boolean> {
  let left = limit;
  const waiting = [folder];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    left -= entries.length;
    if (left < 0) return false;
    for (const entry of entries) if (entry.isDirectory()) waiting.push(join(next, entry.name));
  }
  return true;
}

/** Resolves to those of these paths that changed at or after `since` (in milliseconds), or no longer exist. */
export async function changedAmong(paths: readonly string[], since: number): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < paths.length; at += 64) {
    const some = paths.slice(at, at + 64);
    const changed = await Promise.all(some.map((path) => isChangedSince(path, since)));
    found.push(...some.filter((_, index) => changed[index]));
  }
  return found;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
