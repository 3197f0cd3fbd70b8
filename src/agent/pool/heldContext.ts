import { internal } from '../../acp/base/errors';
import type { ClientContext, FileService, TerminalService } from '../../session/services';
import { heldFile } from '../../shared/limits/heldFile';
import type { AgentPool } from './agentPool';

/** Adds the sandbox that the commands of a session run in. A session that has lost its sandbox runs none. */
export function heldContext(pool: Pick<AgentPool, 'sessions' | 'sandboxOf'>, context: ClientContext): ClientContext {
  const session = pool.sessions.find(({ key }) => key === context.session);
  if (!session || (session.transcript.view.sandbox ?? 'off') === 'off') return context;
  const sandbox = pool.sandboxOf(session);
  if (!sandbox) throw internal('The sandbox has ended.');
  return { ...context, sandbox };
}

/** Returns whether the sandbox of a session's agent hides a file, by its path after links. */
export function hidesFile(
  pool: Pick<AgentPool, 'sessions' | 'sandboxOf'>,
  context: ClientContext,
  path: string,
): boolean {
  const { sandbox } = heldContext(pool, context);
  return sandbox !== undefined && heldFile(sandbox.policy, path) === 'hidden';
}

/** Returns the files of the editor as the sandbox of a session's agent lets it have them. */
export function heldFiles(pool: Pick<AgentPool, 'sessions' | 'sandboxOf'>, files: FileService): FileService {
  return {
    readTextFile: (context, params, signal) => files.readTextFile(heldContext(pool, context), params, signal),
    writeTextFile: (context, params, signal) => files.writeTextFile(heldContext(pool, context), params, signal),
  };
}

/**
 * Returns the terminals for commands that Parley runs for the user in a session's folder, such as a check: what the agent has written there
 * runs with them, so they run in what its agent runs in. Where that can't be made, the command doesn't run.
 */
export function heldTerminals(
  pool: Pick<AgentPool, 'sessions' | 'sandboxForCommand'>,
  terminals: Pick<TerminalService, 'create'>,
): Pick<TerminalService, 'create'> {
  return {
    create: async (context, params, events) => {
      const session = pool.sessions.find(({ key }) => key === context.session);
      const held = session && (await pool.sandboxForCommand(session));
      if (!held) return terminals.create(context, params, events);
      const onExit: typeof events.onExit = (exit) => {
        held.dispose();
        events.onExit(exit);
      };
      try {
        const inside = { onOutput: (data: string) => events.onOutput(data), onExit };
        return await terminals.create({ ...context, sandbox: held.sandbox }, params, inside);
      } catch (error) {
        held.dispose();
        throw error;
      }
    },
  };
}
