import type { Session } from '../../session/session';

/** Sends a message in a session. Resolves once the session is idle. */
export function sendPrompt(session: Session | undefined, text: unknown): Promise<void> {
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
}
