import { renameSession as rename } from '../sessionList/renameSession';
import type { Command, CommandServices } from './command';

/** Renames the session used last. */
export function renameSession(services: CommandServices): Command {
  return {
    id: 'parley.renameSession',
    async execute() {
      const session = services.pages.activeSession;
      if (!session) return;
      const { agentId, agentName, sessionId, title } = session.transcript.view;
      await rename(services, { key: session.key, agentId, agentName, sessionId, title });
    },
  };
}
