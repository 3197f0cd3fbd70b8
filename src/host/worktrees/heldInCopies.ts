import { heldContext } from '../../agent/pool/heldContext';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { TerminalService } from '../../session/services';
import { copyAround } from '../../git/copyPlaces';

/** Returns terminals in which what Parley runs in an own copy stays in the sandbox: what it starts may be the agent's. */
export function heldInCopies(
  pool: Pick<AgentPool, 'sessions' | 'sandboxOf'>,
  terminals: TerminalService,
): TerminalService {
  return {
    create: async (context, params, events) =>
      terminals.create(copyAround(context.cwd) ? heldContext(pool, context) : context, params, events),
  };
}
