import { messageOf } from '../../shared/messageOf';
import { WorktreeProblem } from '../../worktree/worktreeProblem';
import type { Log } from '../log/log';
import { showError } from '../ui/notifications';

/** Tells the user why something with worktrees failed. What isn't a known problem is logged, too. */
export function tellProblem(log: Pick<Log, 'error'>, error: unknown): void {
  if (!(error instanceof WorktreeProblem)) log.error(`Worktrees: ${String(error)}`);
  void showError(messageOf(error));
}
