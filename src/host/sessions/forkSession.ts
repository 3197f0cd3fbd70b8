import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { AgentPool } from '../../agent/agentPool';
import type { Session } from '../../session/session';
import { toStored } from '../../session/transcript/storedSession';
import type { SessionKey } from '../../shared/ids';

/**
 * Opens a session that begins with all that was said in this one, and goes its own way from here. Throws a sentence when that cannot
 * be; what the agent says to it shows in the new session.
 */
export function forkSession(pool: AgentPool, session: Session): Session {
  const { view } = session.transcript;
  const { agentName, sessionId, activity, connection, title } = view;
  const spec = pool.specOf(session);
  const agent = pool.runningAgentOf(session);
  if (!spec || !agent || sessionId === '' || connection.state !== 'ready') {
    throw new Error(l10n.t('{0} does not run in this session. Send a message first, then fork it.', agentName));
  }
  if (agent.can?.fork !== true) {
    throw new Error(l10n.t('{0} cannot fork sessions. Start a new session instead.', agentName));
  }
  if (activity.state !== 'idle') {
    throw new Error(l10n.t('{0} works in this session. Fork it when the turn has ended, or stop it first.', agentName));
  }
  const key = `fork-${randomUUID()}` as SessionKey;
  const stored = toStored(key, session.transcript);
  const name = title === '' ? l10n.t('New session') : title;
  const forked = {
    ...stored.snapshot.view,
    sessionId: '' as const,
    title: l10n.t('Fork of {0}', name),
    queue: [],
    // The name is nobody's yet.
    titleFrom: 'agent' as const,
  };
  const fork = pool.restoreSession(spec, { ...stored, snapshot: { ...stored.snapshot, view: forked } }, sessionId);
  const description = l10n.t('What happens here does not change that session.');
  fork.addNotice({ severity: 'info', title: l10n.t('Forked from “{0}”', name), description });
  fork.restart();
  return fork;
}
