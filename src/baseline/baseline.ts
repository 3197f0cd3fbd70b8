/**
 * What a path held at a moment. `skipped`: it was there, or may have been, but was not recorded; `within` is the folder that was left
 * out as a whole. A `folder` is an empty one.
 */
export type FileBefore =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      readonly bytes: Uint8Array;
      readonly isExecutable: boolean;
      /** All permission bits, where they are known: git knows only the one above. */
      readonly mode?: number;
    }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder' }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly within?: string };

/** Why a file's content was not recorded: too large, left out by ignore rules, over the budget, or not readable. */
export type SkipReason = 'large' | 'ignored' | 'budget' | 'unreadable';

/** What the files of one folder held when it was taken. Paths are absolute and real. */
export interface Baseline {
  /** The folder it speaks for. */
  readonly folder: string;
  /** Repositories below it, which it says nothing about; absolute. */
  readonly nested: readonly string[];
  read(path: string): Promise<FileBefore>;
  /**
   * What is something else now, as far as size, time and git's own records tell. Of what was skipped, that it was written since; of a
   * folder that is left out as a whole, the folder; empty folders that came or went. It finds what no watcher has told of.
   */
  changed(): Promise<readonly string[]>;
  dispose(): void;
}

/** How much a baseline may record. */
export interface BaselineLimits {
  /** Larger files are skipped; bytes. */
  readonly fileBytes: number;
  /** All recorded files together; bytes. */
  readonly totalBytes: number;
  /** So many files are looked at. */
  readonly files: number;
  /** So many files are read and stored at a time, because they are new or have changed; the others come with the next baseline. */
  readonly newFiles: number;
}

/**
 * In a repository only what differs from the last commit counts towards these. Without one, they keep a turn's start below a
 * second and a half of processor time, however large the folder is.
 */
export const defaultLimits: BaselineLimits = {
  fileBytes: 5_000_000,
  totalBytes: 200_000_000,
  files: 20_000,
  newFiles: 1500,
};

/** Of what ignore rules leave out, small files are recorded all the same: `.env` and the like are nowhere else. */
export const ignoredLimits: BaselineLimits = {
  fileBytes: 1_000_000,
  totalBytes: 20_000_000,
  files: 400,
  newFiles: 200,
};

/** The clock of a file system may lag behind ours by this much (ms). */
export const clockLagMs = 50;

/** Names of folders that version control keeps for itself: no baseline enters them. */
export const internalNames: ReadonlySet<string> = new Set(['.git', '.hg', '.svn']);

/** Ignored files in the order in which they are worth recording: secrets that nobody can write again, then what lies near the top. */
export function byWorth(paths: readonly string[]): string[] {
  const depth = (path: string) => path.split('/').length;
  const isEnv = (path: string) => /(^|\/)\.env[^/]*$/.test(path);
  return [...paths].sort((a, b) => Number(isEnv(b)) - Number(isEnv(a)) || depth(a) - depth(b) || (a < b ? -1 : 1));
}

/** The folders above a path, the topmost first, and the path itself; relative, with `/`. */
export function partsAbove(below: string): string[] {
  const parts: string[] = [];
  for (let at = below.indexOf('/'); at >= 0; at = below.indexOf('/', at + 1)) parts.push(below.slice(0, at));
  parts.push(below);
  return parts;
}
