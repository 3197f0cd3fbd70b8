import * as l10n from '@vscode/l10n';
import type { Agent } from '../../agent/connection/agent';
import { deleteSession as requestDeletion } from '../../agent/connection/sessionRequests';
import { readableError } from '../../acp/base/errors';
import { rowTitle } from '../../shared/pages/sessionRowWords';
import { isAllowed, offerLogin } from '../login/withLogin';
import { withRunningAgent } from '../agents/withRunningAgent';
import { showWarning } from '../ui/notifications';
import type { KnownSession, KnownSessionServices } from './knownSession';
import { sessionMark } from './sessionMark';

/**
 * Deletes a session in Parley and, if the agent is running and supports it, in the agent. What the agent keeps isn't
 * listed any more. The user sees why an agent refused, and is offered a login if it needs one.
 */
export async function deleteSession(services: KnownSessionServices, session: KnownSession): Promise<void> {
  const { pool, sessions, marks } = services;
  const { key, agentId, agentName, sessionId } = session;
  const hide = (isHidden: boolean) =>
    marks.set(sessionMark(agentId, sessionId), { isPinned: false, isArchived: false, isHidden });
  const deleteInAgent = async (agent: Agent) => {
    if (sessionId === '') return;
    await requestDeletion(agent, sessionId);
    await hide(false);
  };
  const warn = (reason: string) =>
    void showWarning(l10n.t('{0} couldn’t delete its copy of the session: {1}', agentName, reason));
  const needsLogin = await withRunningAgent(pool, agentId, async (agent) => {
    if (key !== undefined) await sessions.delete(key);
    if (sessionId === '') return false;
    // Otherwise, the agent would list it again.
    await hide(true);
    if (agent?.can?.delete !== true) return false;
    return isAllowed(deleteInAgent(agent)).then(
      (isDone) => !isDone,
      (error: unknown) => {
        warn(agent.redact(readableError(error).message));
        return false;
      },
    );
  });
  if (!needsLogin) return;
  const title = l10n.t('Couldn’t delete “{0}” in {1}, which needs you to log in.', rowTitle(session), agentName);
  void offerLogin(services, { agentId, agentName, title }, deleteInAgent).catch((error: unknown) =>
    warn(readableError(error).message),
  );
}
