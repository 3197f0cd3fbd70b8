import { cancelGrace } from '../../session/turn/stopWait';
import type { Session } from '../../session/session';

/** By now, the user was asked about a process that doesn't stop, and had time to answer. In milliseconds. */
const patienceMs = 3 * cancelGrace;

/** Stops a session's running turn. Resolves to true if no turn is running afterwards. */
export async function stopTurn(session: Session): Promise<boolean> {
  if (isIdle(session)) return true;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(guard);
      listener.dispose();
      resolve(isIdle(session));
    };
    const guard = setTimeout(end, patienceMs);
    const listener = session.onDidChangeState(() => {
      if (isIdle(session)) end();
    });
    session.cancel();
    // The turn may have ended immediately.
    if (isIdle(session)) end();
  });
}

function isIdle(session: Session): boolean {
  return session.isClosed || session.transcript.view.activity.state === 'idle';
}
