import type { Session } from '../../session/session';
import type { Command } from './command';

/** Sends a message in the session that was used last; resolves when that session has nothing to do any more. */
export function sendPrompt({ pages }: { readonly pages: { readonly activeSession: Session | undefined } }): Command {
  return {
    id: 'parley.sendPrompt',
    execute(text) {
      const session = pages.activeSession;
      if (!session || typeof text !== 'string' || text.trim() === '') return Promise.resolve();
      return new Promise((resolve) => {
        // The turn begins as soon as the session is open, and is told before this returns or later.
        let hasBegun = false;
        const listener = session.onDidChangeState(() => {
          const { activity, connection, queue } = session.transcript.view;
          if (activity.state !== 'idle') hasBegun = true;
          else if ((hasBegun && queue.length === 0) || /^(closed|login)$/.test(connection.state)) {
            listener.dispose();
            resolve();
          }
        });
        session.sendPrompt(text);
      });
    },
  };
}
