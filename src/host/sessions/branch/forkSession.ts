import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { AgentPool } from '../../../agent/pool/agentPool';
import type { Session } from '../../../session/session';
import { toStored } from '../../../session/transcript/storedSession';
import type { SessionKey } from '../../../shared/values/ids';
import { branchOf, nameOf, showBranch } from './branchSession';

/**
 * Opens a session that starts with the conversation of another one and continues separately, by a method of its agent
 * alone if that has one. Rejects with a sentence if that isn't possible.
 */
export async function forkOrBranch(pool: AgentPool, session: Session): Promise<Session> {
  const agent = pool.runningAgentOf(session);
  const { activity, connection } = session.transcript.view;
  const isReady = connection.state === 'ready' && activity.state === 'idle';
  if (!agent || agent.can?.fork === true || !isReady || !agent.vendor.offers('branch'))
    return forkSession(pool, session);
  const name = nameOf(session);
  const title = l10n.t('Fork of {0}', name);
  const sessionId = await branchOf(pool, session, title);
  const fork = sessionId && showBranch(pool, session, session.transcript, sessionId, title);
  if (!fork) return forkSession(pool, session);
  tellForked(fork, name);
  return fork;
}

/**
 * Opens a session that starts with the conversation of another one and continues separately. Throws a sentence if that
 * isn't possible. Agent errors are shown in the new session.
 */
function forkSession(pool: AgentPool, session: Session): Session {
  const { view } = session.transcript;
  const { agentName, sessionId, activity, connection } = view;
  const spec = pool.specOf(session);
  const agent = pool.runningAgentOf(session);
  if (!spec || !agent || sessionId === '' || connection.state !== 'ready') {
    throw new Error(l10n.t('{0} isn’t running in this session. Send a message, then fork it.', agentName));
  }
  if (agent.can?.fork !== true) {
    throw new Error(l10n.t('{0} can’t fork sessions. Start a new session instead.', agentName));
  }
  if (activity.state !== 'idle') {
    throw new Error(
      l10n.t('{0} is working in this session. Wait for the turn to end or stop it, then fork the session.', agentName),
    );
  }
  const key = `fork-${randomUUID()}` as SessionKey;
  const stored = toStored(key, session.transcript);
  const name = nameOf(session);
  const forked = {
    ...stored.snapshot.view,
    sessionId: '' as const,
    title: l10n.t('Fork of {0}', name),
    queue: [],
    // Neither the user nor the agent has set this title, so the agent may change it.
    titleFrom: 'agent' as const,
  };
  const fork = pool.restoreSession(spec, { ...stored, snapshot: { ...stored.snapshot, view: forked } }, sessionId);
  tellForked(fork, name);
  return fork;
}

function tellForked(fork: Session, name: string): void {
  const description = l10n.t('Changes here don’t affect the original session.');
  fork.addNotice({ severity: 'info', title: l10n.t('Forked from “{0}”', name), description });
  fork.restart();
}
