import { forkSession as fork } from '../sessions/forkSession';
import type { Command, CommandServices } from './command';
import { showWarning } from '../ui/notifications';
import { messageOf } from '../../shared/messageOf';

/** Opens a fork of the session used last and shows it. */
export function forkSession({ pool, pages }: CommandServices): Command {
  return {
    id: 'parley.forkSession',
    async execute() {
      const session = pages.activeSession;
      if (!session) return;
      try {
        const { key } = fork(pool, session);
        await pages.withPage((page) => page.show(key));
      } catch (error) {
        void showWarning(messageOf(error));
      }
    },
  };
}
