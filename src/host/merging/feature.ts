import type { AgentPool } from '../../agent/pool/agentPool';
import type { Session } from '../../session/session';
import type { SessionKey } from '../../shared/ids';
import { commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { ProgramQuestions } from '../git/programQuestions';
import type { ChatPages } from '../pages/chatPages';
import { tellProblem } from '../worktrees/tellProblem';
import type { ChangeBringer } from './bringChanges';
import { bringChangesHere } from './bringChangesHere';
import { fetchBranchHere } from './fetchBranch';
import { mergeBranchHere } from './mergeBranch';
import { moveToWorktree, type MoveServices } from './moveToWorktree';

export interface MergingNeeds extends MoveServices {
  readonly pool: Pick<AgentPool, 'sessions' | 'move'>;
  readonly pages: Pick<ChatPages, 'activeSession' | 'withPage'>;
  readonly bringer: ChangeBringer;
  /** Restores a stored session without showing it. Rejects if that isn't possible. */
  readonly openSession: (key: SessionKey) => Promise<void>;
  readonly programs: ProgramQuestions;
  readonly log: Log;
}

/** Changes of sessions in worktrees: brought into the workspace, merged by Git, and moved to a worktree. */
export function mergingFeature(needs: MergingNeeds) {
  const { pool, pages, bringer, openSession, programs, log } = needs;
  const sessionOf = async (key: unknown) => {
    if (typeof key !== 'string') return pages.activeSession;
    const find = () => pool.sessions.find((session) => session.key === key);
    if (!find()) await openSession(key as SessionKey);
    return find();
  };
  const act = async (key: unknown, work: (session: Session | undefined) => Promise<void>) => {
    await sessionOf(key)
      .then(work)
      .catch((error: unknown) => tellProblem(log, error));
  };
  const commands = commandTable({
    'parley.bringChanges': (key) => act(key, (session) => bringChangesHere(bringer, session)),
    'parley.moveToWorktree': (key) => act(key, (session) => moveToWorktree(needs, session)),
    'parley.mergeBranch': (key) => act(key, (session) => mergeBranchHere(session, programs)),
    'parley.fetchBranch': (key) => act(key, fetchBranchHere),
  });
  return { commands };
}
