import { join, relative } from 'node:path';
import { redactText } from '../../acp/base/redactText';
import { changesText } from '../../review/shown/changesText';
import type { AgentAuthor } from '../../review/hunks/hunk';
import { isBinary, type FileVersion } from '../../worktree/repository/mergeFiles';
import { worktreeChanges } from '../../worktree/bring/worktreeChanges';
import type { FolderWorktree } from '../../worktree/made/worktreeOf';
import type { ReviewedChanges } from './reviewedChanges';

/**
 * Returns everything that differs in a worktree from what it started from, as a diff: also what was committed there, or kept. Undefined if no
 * text differs. `uriOf` returns the URI of a file, and `owner` is who gets remarks on it. Throws a `WorktreeProblem`.
 */
export async function worktreeReview(
  worktree: FolderWorktree,
  cwd: string,
  owner: AgentAuthor,
  uriOf: (path: string) => string,
): Promise<ReviewedChanges | undefined> {
  const { changes } = await worktreeChanges(worktree);
  const files = changes.flatMap(({ path: place, base, theirs }) => {
    const [before, after] = [textOf(base), textOf(theirs)];
    // A rename alone has no lines to review.
    if (before === false || after === false || before === after) return [];
    const absolute = join(worktree.record.path, place);
    const path = relative(cwd, absolute).replaceAll('\\', '/');
    return [{ uri: uriOf(absolute), path, absolute, authors: [owner], before, after, text: after ?? '' }];
  });
  return files.length === 0 ? undefined : { files, diff: redactText(changesText(files)) };
}

/** Returns a file's text, undefined if there's no file, and false if it isn't text. */
function textOf(version: FileVersion): string | undefined | false {
  if (version.kind === 'absent') return undefined;
  if (version.kind !== 'file' || isBinary(version.bytes)) return false;
  return Buffer.from(version.bytes).toString('utf8');
}
