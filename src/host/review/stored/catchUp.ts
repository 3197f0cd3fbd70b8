import { lstat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { isSameState } from '../../../review/files/fileState';
import type { ReviewLog } from '../../../review/log/reviewLog';
import { likeOf, presentState } from '../../workspaceFiles/presentState';
import type { StoredTurn } from './reviewStore';

/**
 * Updates a stored log with the current files. Changes from while Parley wasn't running count as the user's. If a turn
 * was running when the log was stored, the extension host crashed, and changes during that turn are the agent's.
 */
export async function catchUp(log: ReviewLog, uris: readonly string[], turns: readonly StoredTurn[]): Promise<void> {
  for (const key of uris) {
    const known = log.file(key);
    if (!known) continue;
    const uri = vscode.Uri.parse(key);
    const present = await presentState(uri, likeOf(known));
    if (isSameState(known.current, present)) continue;
    const writtenAt = await lstat(uri.fsPath).then(
      ({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs),
      () => Number.POSITIVE_INFINITY,
    );
    const turn = turns.findLast(({ startedAt }) => writtenAt >= startedAt);
    if (turn) log.agentEdit(key, present, turn.author);
    else log.userEdit(key, present);
  }
}
