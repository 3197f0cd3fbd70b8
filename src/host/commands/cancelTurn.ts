import { lateWorkOf } from '../../shared/lateWork';
import type { Command, CommandServices } from './command';

/** Stops the running turn of the session used last. If no turn is running, stops what earlier turns started. */
export function cancelTurn({ pages }: CommandServices): Command {
  return {
    id: 'parley.cancelTurn',
    execute() {
      const session = pages.activeSession;
      if (!session) return;
      const isIdle = session.transcript.view.activity.state === 'idle';
      if (isIdle && lateWorkOf(session.transcript.view).length > 0) session.stopLateWork();
      else session.cancel();
    },
  };
}
