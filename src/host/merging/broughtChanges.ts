import type { Session } from '../../session/session';
import type { ConflictKind, FileVersion } from '../../worktree/repository/mergeFiles';
import type { SkipReason } from '../../worktree/bring/worktreeChanges';
import type { FolderWorktree } from '../../worktree/made/worktreeOf';

/** A file whose changes are wanted. */
export interface ChosenFile {
  /** As in `WorktreeChange`. */
  readonly path: string;
  /** Positions in what `changedHunks` returns for the file. All of the file if absent. */
  readonly hunks?: ReadonlySet<number>;
}

/** What to bring from a worktree into the workspace. */
export interface BringRequest {
  /** The session whose changes they are. */
  readonly session: Session;
  readonly worktree: FolderWorktree;
  /** All changes if absent. */
  readonly files?: readonly ChosenFile[];
  /** The commit to compare the worktree with. The one that it started from if absent. */
  readonly base?: string;
}

/** A file that couldn't be merged, or only in part. The user's version has no change that conflicts. */
export interface BringConflict {
  /** The user's file. */
  readonly uri: string;
  /** The file in the worktree, relative to its root. */
  readonly path: string;
  /** Its path before the agent renamed it. */
  readonly from?: string;
  readonly conflict: ConflictKind;
  /** What both versions started from. */
  readonly base: FileVersion;
  readonly theirs: FileVersion;
  /** The user's bytes after the merge. Absent if there is no file. */
  readonly present?: Uint8Array;
  /** The user's text with both sides between conflict markers. Only of conflicting lines. */
  readonly marked?: Uint8Array;
}

/** Why a file was skipped: it can't be merged, it leads out of the repository, or it couldn't be written. */
export interface SkippedFile {
  readonly path: string;
  /** The old place of a file that moves. */
  readonly from?: string;
  readonly reason: SkipReason | 'outside' | 'notebook' | { readonly cause: string };
}

/** What became of the changes. */
export interface BroughtChanges {
  /** The files that were written, as URIs. */
  readonly written: readonly string[];
  readonly conflicts: readonly BringConflict[];
  readonly skipped: readonly SkippedFile[];
  /** The commit that has the worktree's files as they were merged. */
  readonly snapshot: string;
  /** True if the user's answer was to leave the files as they are. */
  readonly isCancelled?: true;
}

/** The files that are merged again the next time, because what was in the way can go. */
export function unbrought({ worktree, base = worktree.record.base }: BringRequest, { skipped }: BroughtChanges) {
  const again = skipped.filter(
    ({ reason }) => typeof reason !== 'string' || reason === 'notebook' || reason === 'unreadable',
  );
  return { base, paths: again.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])) };
}
