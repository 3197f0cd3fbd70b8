import type { AgentPool } from '../../agent/pool/agentPool';
import { messageOf } from '../../shared/messageOf';
import { WorktreeProblem } from '../../worktree/worktreeProblem';
import { commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import { showError } from '../ui/notifications';
import { ChangeBringer, type BringServices } from './bringChanges';
import { bringChangesHere } from './bringChangesHere';
import { mergeBranchHere } from './mergeBranch';

export interface MergingNeeds extends BringServices {
  readonly pool: Pick<AgentPool, 'sessions'>;
  readonly pages: Pick<ChatPages, 'activeSession'>;
  readonly log: Log;
}

/** Changes of sessions in worktrees: brought into the workspace, and merged by Git. */
export function mergingFeature(needs: MergingNeeds) {
  const { pool, pages, log } = needs;
  const bringer = new ChangeBringer(needs);
  const sessionOf = (key: unknown) => pool.sessions.find((session) => session.key === key) ?? pages.activeSession;
  const inWords = async (work: Promise<void>) => {
    await work.catch((error: unknown) => {
      if (!(error instanceof WorktreeProblem)) log.error(`Worktrees: ${String(error)}`);
      void showError(messageOf(error));
    });
  };
  const commands = commandTable({
    'parley.bringChanges': (key) => inWords(bringChangesHere(bringer, sessionOf(key))),
    'parley.mergeBranch': (key) => inWords(mergeBranchHere(sessionOf(key))),
  });
  return { commands };
}
