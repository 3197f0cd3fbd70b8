import { deleteSession as remove } from '../sessionList/deleteSession';
import type { Command, CommandServices } from './command';

/** Deletes the session used last, after the user confirms. */
export function deleteSession(services: CommandServices): Command {
  return {
    id: 'parley.deleteSession',
    async execute() {
      const session = services.pages.activeSession;
      if (!session) return;
      const { agentId, agentName, sessionId, title } = session.transcript.view;
      await remove(services, { key: session.key, agentId, agentName, sessionId, title });
    },
  };
}
