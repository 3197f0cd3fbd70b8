import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readableError } from '../../acp/errors';
import type { AgentPool } from '../../agent/agentPool';
import { archiveSession as tellArchived } from '../../agent/sessionRequests';
import type { KnownSession } from './deleteSession';
import type { SessionStore } from './sessionStore';
import { withRunningAgent } from './withRunningAgent';

/**
 * Puts a session away in its agent, which must run and understand that, and here; or takes it out again. One that is open is closed.
 * Throws a sentence when the agent refuses: nothing is changed here then.
 */
export async function archiveSession(
  { pool, sessions }: { readonly pool: AgentPool; readonly sessions: SessionStore },
  { key, agentId, agentName, sessionId, title }: KnownSession,
  isArchived: boolean,
): Promise<void> {
  await withRunningAgent(pool, agentId, async (agent) => {
    if (agent?.can?.archive !== true || sessionId === '') {
      throw new Error(l10n.t('{0} does not run. Start a session with it and try again.', agentName));
    }
    const live = pool.sessions.find((session) => session.key === key);
    await tellArchived((live && pool.runningAgentOf(live)) ?? agent, sessionId, isArchived).catch((error: unknown) => {
      const reason = agent.redact(readableError(error).message);
      throw new Error(
        isArchived
          ? l10n.t('{0} did not archive the session: {1}', agentName, reason)
          : l10n.t('{0} did not take the session out of its archive: {1}', agentName, reason),
      );
    });
    if (isArchived) live?.close();
    if (key !== undefined) await sessions.archive(key, isArchived);
    void vscode.window.showInformationMessage(
      isArchived ? l10n.t('“{0}” is archived.', title) : l10n.t('“{0}” is back among the sessions.', title),
    );
  });
}
