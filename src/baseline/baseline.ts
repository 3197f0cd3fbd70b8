/**
 * The content of a path at a moment. `skipped` means that the path existed, or may have, but wasn't recorded; `within` is the folder that
 * was skipped as a whole. A `folder` is an empty folder.
 */
export type FileBefore =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      readonly bytes: Uint8Array;
      readonly isExecutable: boolean;
      /** All permission bits, if known. Git has only the executable bit. */
      readonly mode?: number;
    }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder' }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly within?: string };

/**
 * Why a file's content wasn't recorded: too large, ignored by rules, over the budget, unreadable, or changed too early. Or the repository
 * that had it is gone.
 */
export type SkipReason = 'large' | 'ignored' | 'budget' | 'unreadable' | 'late' | 'repository';

/** A file or folder whose changes can't be undone, because its content isn't recorded. The path is absolute. */
export interface Unprotected {
  readonly path: string;
  readonly reason: SkipReason;
  readonly isFolder: boolean;
}

/** The file contents of one folder when the baseline was taken. Paths are absolute and real. */
export interface Baseline {
  /** The folder of the baseline. */
  readonly folder: string;
  /** Repositories inside the folder, which this baseline doesn't cover. Absolute paths. */
  readonly nested: readonly string[];
  /** Resolves once nothing is recorded any longer. Files beyond the first ones are recorded later, unless they changed in the meantime. */
  readonly whole: Promise<void>;
  /** What isn't recorded so far. */
  readonly unprotected: readonly Unprotected[];
  read(path: string): Promise<FileBefore>;
  /** Returns whether a path may have been a folder. */
  hadFolder(path: string): boolean;
  /**
   * Resolves to the paths that changed, according to size, time, and git's records: recorded files, skipped files written since, folders
   * skipped as a whole, and created or deleted empty folders. Also finds changes that no watcher reported.
   */
  changed(): Promise<readonly string[]>;
  /** Returns the recorded files that had last been written at or after `at` (milliseconds) when they were recorded. */
  changedSince(at: number): readonly string[];
  dispose(): void;
}

/** Limits for the content of a baseline. */
export interface BaselineLimits {
  /** Maximum size of a file, in bytes. Larger files are skipped. */
  readonly fileBytes: number;
  /** Maximum size of all recorded files, in bytes. */
  readonly totalBytes: number;
  /** Maximum number of files to examine. */
  readonly files: number;
  /** Maximum number of new or changed files to read and store before the turn begins. The rest follows. */
  readonly newFiles: number;
}

/**
 * In a repository, only differences from the last commit count toward these limits. In other folders, they keep the start of a turn under
 * 1.5 s of processor time, whatever the folder's size.
 */
export const defaultLimits: BaselineLimits = {
  fileBytes: 5_000_000,
  totalBytes: 200_000_000,
  files: 20_000,
  newFiles: 1500,
};

/** Limits for ignored files. Small ones are recorded, too, because `.env` and similar files exist nowhere else. */
export const ignoredLimits: BaselineLimits = {
  fileBytes: 5_000_000,
  totalBytes: 50_000_000,
  files: 2000,
  newFiles: 500,
};

/** Folders that tools make again. Their files are neither recorded nor missed. */
export const madeAgain: ReadonlySet<string> = new Set([
  ...['node_modules', 'bower_components', '.venv', 'venv', '__pycache__', 'vendor', 'Pods', '.gradle', '.terraform'],
  ...['dist', 'build', 'out', 'target', 'obj', 'coverage', '.next', '.nuxt', '.turbo', '.cache', '.parcel-cache'],
  ...['.tox', '.mypy_cache', '.pytest_cache', '.ruff_cache', '.vscode-test'],
]);

/** How far a file system's clock may lag behind the system clock, in milliseconds. */
export const clockLagMs = 50;

/** The folder into which repositories that an agent left are set aside. */
export const asideName = '.git-set-aside';

/** Folders that version control systems use internally. Baselines never enter them. */
export const internalNames: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', asideName]);

/** Sorts ignored files by value: secrets that can't be recreated first, then files near the top. */
export function byWorth(paths: readonly string[]): string[] {
  const depth = (path: string) => path.split(/[\\/]/).length;
  const isEnv = (path: string) => /(^|[\\/])\.env[^\\/]*$/.test(path);
  return [...paths].sort((a, b) => Number(isEnv(b)) - Number(isEnv(a)) || depth(a) - depth(b) || (a < b ? -1 : 1));
}

/** Returns the folders above a relative path, the topmost first, and the path itself. Separators are `/`. */
export function partsAbove(below: string): string[] {
  const parts: string[] = [];
  for (let at = below.indexOf('/'); at >= 0; at = below.indexOf('/', at + 1)) parts.push(below.slice(0, at));
  parts.push(below);
  return parts;
}

/** Returns what of these files and folders isn't recorded. */
export function unprotectedOf(recorded: ReadonlyMap<string, unknown>, folders: readonly string[]): Unprotected[] {
  const files = [...recorded].flatMap(([path, reason]) =>
    isSkipReason(reason) ? [{ path, reason, isFolder: false }] : [],
  );
  return [...files, ...folders.map((path) => ({ path, reason: 'ignored' as const, isFolder: true }))];
}

/** Whether a relative path is one of, or leads through, the folders that tools make again. */
export function isMadeAgain(below: string): boolean {
  return below.split(/[\\/]/).some((name) => madeAgain.has(name));
}

function isSkipReason(value: unknown): value is SkipReason {
  return typeof value === 'string';
}
