import * as l10n from '@vscode/l10n';
import { isAuthRequired, readableError } from '../../acp/base/errors';
import type { Agent } from '../../agent/connection/agent';
import { archiveSession as tellArchived } from '../../agent/connection/sessionRequests';
import { withRunningAgent } from '../agents/withRunningAgent';
import { isAllowed } from '../login/withLogin';
import { showWarning } from '../ui/notifications';
import type { KnownSession, KnownSessionServices } from './knownSession';
import { sessionMark } from './sessionMark';

type ArchiveServices = Pick<KnownSessionServices, 'pool' | 'sessions' | 'marks'>;

/**
 * Archives or unarchives a session in Parley, whatever its agent can do, and in its agent if that is running and supports
 * it. Closes an open session. The user sees why an agent refused. If the agent needs a login, resolves to what asks it
 * again.
 */
export async function archiveSession(
  { pool, sessions, marks }: ArchiveServices,
  { key, agentId, agentName, sessionId }: KnownSession,
  isArchived: boolean,
): Promise<((agent: Agent) => Promise<void>) | undefined> {
  const mark = (isSet: boolean) => marks.set(sessionMark(agentId, sessionId), { isArchived: isSet });
  const tell = async (agent: Agent) => {
    if (sessionId === '') return;
    try {
      await tellArchived(agent, sessionId, isArchived);
      // From now on, the agent says so itself.
      await mark(false);
    } catch (error) {
      if (isAuthRequired(error)) throw error;
      const reason = agent.redact(readableError(error).message);
      void showWarning(
        isArchived
          ? l10n.t('{0} couldn’t archive the session: {1} Parley archived it.', agentName, reason)
          : l10n.t('{0} couldn’t unarchive the session: {1} Parley unarchived it.', agentName, reason),
      );
    }
  };
  // A running agent keeps its process until it was told.
  return withRunningAgent(pool, agentId, async (running) => {
    const live = pool.sessions.find((session) => session.key === key);
    const agent = (live && pool.runningAgentOf(live)) ?? running;
    if (isArchived) live?.close();
    if (key === undefined) await mark(isArchived);
    else await sessions.archive(key, isArchived);
    if (agent?.can?.archive !== true) return undefined;
    return (await isAllowed(tell(agent))) ? undefined : tell;
  });
}

/** Returns a sentence about an agent that can archive a session only after a login. */
export function archivedWithoutAgent(agentName: string, title: string, isArchived: boolean): string {
  return isArchived
    ? l10n.t('Couldn’t archive “{0}” in {1}, which needs you to log in.', title, agentName)
    : l10n.t('Couldn’t unarchive “{0}” in {1}, which needs you to log in.', title, agentName);
}
