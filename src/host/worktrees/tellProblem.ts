import { messageOf } from '../../shared/values/messageOf';
import { WorktreeProblem } from '../../worktree/repository/worktreeProblem';
import type { Log } from '../log/log';
import { showError } from '../ui/notifications';

/** Tells the user why something with worktrees failed. What isn't a known problem is logged, too. */
export function tellProblem(log: Pick<Log, 'error'>, error: unknown): void {
  if (!(error instanceof WorktreeProblem)) log.error(`Worktrees: ${String(error)}`);
  void showError(messageOf(error));
}
