import type { AgentPool } from '../../agent/pool/agentPool';
import { messageOf } from '../../shared/messageOf';
import { WorktreeProblem } from '../../worktree/worktreeProblem';
import { commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import { showError } from '../ui/notifications';
import type { ChangeBringer } from './bringChanges';
import { bringChangesHere } from './bringChangesHere';
import { mergeBranchHere } from './mergeBranch';
import { moveToWorktree, type MoveServices } from './moveToWorktree';

export interface MergingNeeds extends MoveServices {
  readonly pool: Pick<AgentPool, 'sessions' | 'move'>;
  readonly pages: Pick<ChatPages, 'activeSession' | 'withPage'>;
  readonly bringer: ChangeBringer;
  readonly log: Log;
}

/** Changes of sessions in worktrees: brought into the workspace, merged by Git, and moved to a worktree. */
export function mergingFeature(needs: MergingNeeds) {
  const { pool, pages, bringer, log } = needs;
  const sessionOf = (key: unknown) =>
    typeof key === 'string' ? pool.sessions.find((session) => session.key === key) : pages.activeSession;
  const inWords = async (work: Promise<void>) => {
    await work.catch((error: unknown) => {
      if (!(error instanceof WorktreeProblem)) log.error(`Worktrees: ${String(error)}`);
      void showError(messageOf(error));
    });
  };
  const commands = commandTable({
    'parley.bringChanges': (key) => inWords(bringChangesHere(bringer, sessionOf(key))),
    'parley.moveToWorktree': (key) => inWords(moveToWorktree(needs, sessionOf(key))),
    'parley.mergeBranch': (key) => inWords(mergeBranchHere(sessionOf(key))),
  });
  return { commands };
}
