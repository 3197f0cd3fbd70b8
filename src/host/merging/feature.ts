import type { AgentPool } from '../../agent/pool/agentPool';
import type { Session } from '../../session/session';
import type { SessionKey } from '../../shared/values/ids';
import { sessionIn } from '../base/actions';
import { actionTable, commandTable } from '../base/feature';
import type { Log } from '../log/log';
import type { ProgramQuestions } from '../git/programQuestions';
import type { ChatPages } from '../pages/chatPages';
import { tellProblem } from '../worktrees/tellProblem';
import type { ChangeBringer } from './bringChanges';
import type { MoveServices } from './moveToWorktree';

export interface MergingNeeds extends MoveServices {
  readonly pool: Pick<AgentPool, 'sessions' | 'move'>;
  readonly pages: Pick<ChatPages, 'activeSession' | 'withPage'>;
  readonly bringer: () => Promise<ChangeBringer>;
  /** Restores a stored session without showing it. Rejects if that isn't possible. */
  readonly openSession: (key: SessionKey) => Promise<void>;
  readonly programs: ProgramQuestions;
  readonly log: Log;
}

/** Changes of sessions in worktrees: brought into the workspace, merged by Git, and moved to a worktree. */
export function mergingFeature(needs: MergingNeeds) {
  const { pool, pages, bringer, openSession, programs, log } = needs;
  const sessionOf = async (key?: SessionKey) => {
    if (key === undefined) return pages.activeSession;
    const find = () => pool.sessions.find((session) => session.key === key);
    if (!find()) await openSession(key);
    return find();
  };
  const inSession = (work: (session: Session | undefined) => Promise<void>) => (key?: SessionKey) =>
    sessionOf(key)
      .then(work)
      .catch((error: unknown) => tellProblem(log, error));
  const actions = actionTable({
    bringChanges: inSession(async (session) => {
      const { bringChangesHere } = await import('./bringChangesHere');
      await bringChangesHere(await bringer(), session);
    }),
    moveToWorktree: inSession(async (session) => (await import('./moveToWorktree')).moveToWorktree(needs, session)),
    mergeBranch: inSession(async (session) => (await import('./mergeBranch')).mergeBranchHere(session, programs)),
    fetchBranch: inSession(async (session) => (await import('./fetchBranch')).fetchBranchHere(session)),
  });
  const commands = commandTable({
    'parley.bringChanges': (key) => actions.bringChanges(sessionIn(key)),
    'parley.moveToWorktree': (key) => actions.moveToWorktree(sessionIn(key)),
    'parley.mergeBranch': (key) => actions.mergeBranch(sessionIn(key)),
    'parley.fetchBranch': (key) => actions.fetchBranch(sessionIn(key)),
  });
  return { commands, actions };
}
