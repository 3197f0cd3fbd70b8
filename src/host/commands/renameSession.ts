import { loadOnDemand } from '../onDemand/loadOnDemand';
import type { Command, CommandServices } from './command';

/** Gives the session used last another name. */
export function renameSession(services: CommandServices): Command {
  return {
    id: 'parley.renameSession',
    async execute() {
      const session = services.pages.activeSession;
      if (!session) return;
      const { agentId, agentName, sessionId, title } = session.transcript.view;
      const { renameSession: rename } = await loadOnDemand();
      await rename(services, { key: session.key, agentId, agentName, sessionId, title });
    },
  };
}
