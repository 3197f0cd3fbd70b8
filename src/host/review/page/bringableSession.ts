import * as vscode from 'vscode';
import type { Session } from '../../../session/session';
import { fileOfSide } from '../../../review/files/diskSide';
import type { SessionKey } from '../../../shared/values/ids';
import type { ReviewPageScope } from '../../../shared/changes/reviewPage';
import { isInWorktree, worktreeOf } from '../../../worktree/made/worktreeOf';
import { canBringFrom } from '../../base/folders';

/**
 * Returns the session whose changes a review page can offer to bring here: the files of the page are in its worktree, and in no other one.
 * Files that were brought are the user's own, so nothing is offered for them.
 */
export function bringableSession(
  sessions: readonly Pick<Session, 'key' | 'transcript'>[],
  scope: ReviewPageScope,
  uris: readonly string[],
): SessionKey | undefined {
  const paths = uris.map((uri) => vscode.Uri.parse(fileOfSide(uri)).fsPath);
  const found = new Map<string, SessionKey>();
  for (const { key, transcript } of sessions) {
    const { cwd } = transcript.view;
    const worktree = scope.session === undefined || scope.session === key ? worktreeOf(cwd) : undefined;
    if (!worktree || !canBringFrom(cwd)) continue;
    if (paths.some((path) => isInWorktree(worktree, path))) found.set(worktree.record.path, key);
  }
  const [key, ...others] = found.values();
  return others.length === 0 ? key : undefined;
}
