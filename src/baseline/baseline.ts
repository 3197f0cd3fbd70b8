/** What a path held at a moment. `skipped`: it was there, or may have been, but was not recorded. */
export type FileBefore =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly isExecutable: boolean }
  | { readonly kind: 'skipped'; readonly reason: SkipReason };

/** Why a file's content was not recorded: too large, left out by ignore rules, over the budget, or not readable. */
export type SkipReason = 'large' | 'ignored' | 'budget' | 'unreadable';

/** What the files of one folder held when it was taken. Paths are absolute and real. */
export interface Baseline {
  /** The folder it speaks for. */
  readonly folder: string;
  read(path: string): Promise<FileBefore>;
  /**
   * Files that hold something else now, as far as size, time and git's own records tell; what was skipped is left out.
   * It finds what no watcher has told of.
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
