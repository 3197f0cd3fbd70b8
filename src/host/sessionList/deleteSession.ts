import * as l10n from '@vscode/l10n';
import type { Agent } from '../../agent/connection/agent';
import { deleteSession as requestDeletion } from '../../agent/connection/sessionRequests';
import { isAuthRequired, readableError } from '../../acp/base/errors';
import { isAllowed, offerLogin } from '../login/withLogin';
import { withRunningAgent } from '../agents/withRunningAgent';
import { askModal } from '../ui/notifications';
import type { KnownSession, KnownSessionServices } from './knownSession';
import { sessionMark } from './sessionMark';

/**
 * Deletes a session in Parley and, if the agent is running and supports it, in the agent, after the user confirms. What
 * the agent keeps isn't listed any more. Resolves to true if deleted. Throws a sentence if the agent refuses. Nothing is
 * deleted in that case, or while the agent requires a login.
 */
export async function deleteSession(
  services: KnownSessionServices,
  { key, agentId, agentName, sessionId, title }: KnownSession,
): Promise<boolean> {
  const { pool, sessions, marks, worktrees } = services;
  let after: (() => Promise<void>) | undefined;
  const deleteInAgent = async (agent: Agent) => {
    if (sessionId !== '') await requestDeletion(agent, sessionId).catch((error: unknown) => fail(agentName, error));
  };
  const hide = async (isHidden: boolean) => {
    if (sessionId === '') return;
    await marks.set(sessionMark(agentId, sessionId), { isPinned: false, isArchived: false, isHidden });
  };
  const state = await withRunningAgent(pool, agentId, async (agent) => {
    const canDelete = sessionId !== '' && agent?.can?.delete === true;
    const yes = l10n.t('Delete');
    const words =
      key === undefined && !canDelete
        ? l10n.t('Delete “{0}” from the list?', title)
        : l10n.t('Delete “{0}”? Its conversation will be permanently deleted. Your files aren’t affected.', title);
    const detail = canDelete || sessionId === '' ? '' : l10n.t('{0} may keep its own copy.', agentName);
    if ((await askModal(words, { detail, items: [yes] })) !== yes) return 'cancelled';
    after = await worktrees.beforeEnd(key === undefined ? [] : [key], 'delete');
    if (!after) return 'cancelled';
    pool.sessions.find((session) => session.key === key)?.close();
    if (canDelete && !(await isAllowed(deleteInAgent(agent)))) return 'loginRequired';
    // Otherwise, the agent would list it again.
    await hide(!canDelete);
    return 'deleted';
  });
  const notYet = l10n.t('Couldn’t delete “{0}”: {1} needs you to log in.', title, agentName);
  if (state === 'cancelled') return false;
  if (state === 'loginRequired' && !(await offerLogin(services, { agentId, agentName, title: notYet }, deleteInAgent)))
    return false;
  if (key !== undefined) await sessions.delete(key);
  await after?.();
  return true;
}

function fail(agentName: string, error: unknown): never {
  if (isAuthRequired(error)) throw error;
  const { message, detail } = readableError(error);
  throw new Error(
    l10n.t('{0} couldn’t delete the session: {1}', agentName, [message, detail].filter(Boolean).join(' ')),
  );
}
