import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readableError } from '../../acp/errors';
import type { AgentPool } from '../../agent/agentPool';
import { setTitle } from '../../agent/sessionRequests';
import type { KnownSession } from './deleteSession';
import type { SessionStore } from './sessionStore';
import { withRunningAgent } from './withRunningAgent';

/**
 * Gives a session the name that the user types, and tells its agent where that takes titles: what the agent makes of it counts then, and
 * later titles of the agent's do, too. An agent that does not know of the name does not change it any more.
 */
export async function renameSession(
  { pool, sessions }: { readonly pool: AgentPool; readonly sessions: SessionStore },
  { key, agentId, agentName, sessionId: listedId, title: value }: KnownSession,
): Promise<void> {
  await withRunningAgent(pool, agentId, async (running) => {
    const title = (await vscode.window.showInputBox({ value, prompt: l10n.t('Name of the session') }))?.trim();
    if (!title) return;
    const live = pool.sessions.find((session) => session.key === key);
    if (live) live.rename(title);
    else if (key !== undefined) await sessions.rename(key, title);
    const agent = live ? pool.runningAgentOf(live) : running;
    const sessionId = live ? live.transcript.view.sessionId : listedId;
    if (sessionId === '' || agent?.can?.setTitle !== true) return;
    try {
      const taken = await setTitle(agent, sessionId, title);
      if (!live && key !== undefined) await sessions.rename(key, taken, 'agent');
      // It may have another name by now.
      if (live?.transcript.view.title === title) live.rename(taken, 'agent');
    } catch (error) {
      const reason = agent.redact(readableError(error).message);
      void vscode.window.showWarningMessage(
        key === undefined
          ? l10n.t('{0} did not rename the session: {1}', agentName, reason)
          : l10n.t('{0} did not take the new name: {1} Here the session has it all the same.', agentName, reason),
      );
    }
  });
}
