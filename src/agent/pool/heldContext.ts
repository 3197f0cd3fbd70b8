import { internal } from '../../acp/base/errors';
import type { ClientContext } from '../../session/services';
import type { AgentPool } from './agentPool';

/** Adds the sandbox that the commands of a session run in. A session that has lost its sandbox runs none. */
export function heldContext(pool: Pick<AgentPool, 'sessions' | 'sandboxOf'>, context: ClientContext): ClientContext {
  const session = pool.sessions.find(({ key }) => key === context.session);
  if (!session || (session.transcript.view.sandbox ?? 'off') === 'off') return context;
  const sandbox = pool.sandboxOf(session);
  if (!sandbox) throw internal('The sandbox has ended.');
  return { ...context, sandbox };
}
