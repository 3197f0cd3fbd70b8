import * as l10n from '@vscode/l10n';
import { isAuthRequired, readableError } from '../../acp/base/errors';
import type { Agent } from '../../agent/connection/agent';
import { setTitle } from '../../agent/connection/sessionRequests';
import { isAllowed, offerLogin } from '../login/withLogin';
import type { KnownSession, KnownSessionServices } from './knownSession';
import { withRunningAgent } from '../agents/withRunningAgent';
import { showWarning } from '../ui/notifications';
import { askText } from '../ui/quickInput';

/** Renames a session to the name that the user types. */
export async function renameSession(services: KnownSessionServices, session: KnownSession): Promise<void> {
  // The agent may not stop while the user types.
  await withRunningAgent(services.pool, session.agentId, async () => {
    const title = await askText({ value: session.title, prompt: l10n.t('Session name') });
    if (title !== undefined) await renameTo(services, session, title);
  });
}

/**
 * Renames a session, and sends the name to an agent that supports titles. The title in the agent's response then counts,
 * and so do its later titles. An agent that doesn't get the name can no longer change the title.
 */
export async function renameTo(
  services: KnownSessionServices,
  { key, agentId, agentName, sessionId: listedId }: KnownSession,
  name: string,
): Promise<void> {
  const { pool, sessions } = services;
  const title = name.replace(/[\r\n]+/g, ' ').trim();
  if (title === '') return;
  const ask = await withRunningAgent(pool, agentId, async (running) => {
    const live = pool.sessions.find((session) => session.key === key);
    if (live) live.rename(title);
    else if (key !== undefined) await sessions.rename(key, title);
    const tell = async (other: Agent | undefined) => {
      const agent = live ? pool.runningAgentOf(live) : other;
      // The session may have another id after a login.
      const sessionId = live ? live.transcript.view.sessionId : listedId;
      if (sessionId === '' || agent?.can?.setTitle !== true) return;
      try {
        const taken = await setTitle(agent, sessionId, title);
        if (!live && key !== undefined) await sessions.rename(key, taken, 'agent');
        // The session may have been renamed in the meantime.
        if (live?.transcript.view.title === title) live.rename(taken, 'agent');
      } catch (error) {
        if (isAuthRequired(error)) throw error;
        const reason = agent.redact(readableError(error).message);
        void showWarning(
          key === undefined
            ? l10n.t('{0} couldn’t rename the session: {1}', agentName, reason)
            : l10n.t('{0} couldn’t rename the session: {1} Parley uses the new name anyway.', agentName, reason),
        );
      }
    };
    return (await isAllowed(tell(running))) ? undefined : tell;
  });
  const notYet = l10n.t('{0} doesn’t have the new name yet: it needs you to log in.', agentName);
  if (ask) await offerLogin(services, { agentId, agentName, title: notYet }, ask);
}
