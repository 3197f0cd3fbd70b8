import type { Session } from '../../session/session';
import type { Command } from './command';

/** Sends a message in the session used last. Resolves once the session is idle. */
export function sendPrompt({ pages }: { readonly pages: { readonly activeSession: Session | undefined } }): Command {
  return {
    id: 'parley.sendPrompt',
    execute(text) {
      const session = pages.activeSession;
      if (!session || typeof text !== 'string' || text.trim() === '') return Promise.resolve();
      return new Promise((resolve) => {
        // The turn starts once the session is open. Its event may fire before or after this call returns.
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
