import type { FileVersion } from '../../worktree/repository/mergeFiles';
import type { PresentFile } from '../workspaceFiles/presentFile';

/** Returns the user's file as a version to merge. `isExecutable` counts where files have no such bits. */
export function versionAt({ ref, bytes }: PresentFile, isExecutable: boolean): FileVersion {
  if (ref.kind === 'link') return { kind: 'link', target: ref.target };
  if (ref.kind !== 'stored' || !bytes) return { kind: 'absent' };
  // Windows has no such bits.
  return { kind: 'file', bytes, isExecutable: ref.mode === undefined ? isExecutable : (ref.mode & 0o111) !== 0 };
}
