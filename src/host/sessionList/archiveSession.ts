import * as l10n from '@vscode/l10n';
import { isAuthRequired, readableError } from '../../acp/base/errors';
import type { Agent } from '../../agent/connection/agent';
import { archiveSession as tellArchived } from '../../agent/connection/sessionRequests';
import { isAllowed, notRunning, offerLogin } from '../login/withLogin';
import type { KnownSession, KnownSessionServices } from './knownSession';
import { withRunningAgent } from '../agents/withRunningAgent';
import { showInformation } from '../ui/notifications';

/**
 * Archives or unarchives a session in Parley and in its agent, which must be running and support that. Closes an open
 * session. Throws a sentence if the agent refuses. Nothing changes in that case, or while the agent requires a login.
 */
export async function archiveSession(
  services: KnownSessionServices,
  { key, agentId, agentName, sessionId, title }: KnownSession,
  isArchived: boolean,
): Promise<void> {
  const { pool, sessions } = services;
  const live = () => pool.sessions.find((session) => session.key === key);
  const tell = async (agent: Agent) => {
    if (sessionId === '' || agent.can?.archive !== true) throw notRunning(agentName);
    const open = live();
    await tellArchived((open && pool.runningAgentOf(open)) ?? agent, sessionId, isArchived).catch((error: unknown) => {
      if (isAuthRequired(error)) throw error;
      const reason = agent.redact(readableError(error).message);
      throw new Error(
        isArchived
          ? l10n.t('{0} couldn’t archive the session: {1}', agentName, reason)
          : l10n.t('{0} couldn’t unarchive the session: {1}', agentName, reason),
      );
    });
  };
  const wasTaken = await withRunningAgent(pool, agentId, (agent) => {
    if (!agent) throw notRunning(agentName);
    return isAllowed(tell(agent));
  });
  const notYet = isArchived
    ? l10n.t('Couldn’t archive “{0}”: {1} needs you to log in.', title, agentName)
    : l10n.t('Couldn’t unarchive “{0}”: {1} needs you to log in.', title, agentName);
  if (!wasTaken && !(await offerLogin(services, { agentId, agentName, title: notYet }, tell))) return;
  if (isArchived) live()?.close();
  if (key !== undefined) await sessions.archive(key, isArchived);
  void showInformation(isArchived ? l10n.t('Archived “{0}”.', title) : l10n.t('Unarchived “{0}”.', title));
}
