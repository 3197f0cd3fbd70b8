import { cancelGrace } from '../../session/turn/stopWait';
import type { Session } from '../../session/session';

/** After this long (ms) the user has been asked about a process that does not stop, and had the time to answer. */
const patienceMs = 3 * cancelGrace;

/** Stops the turn of a session that runs; resolves to whether none runs any more. */
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
    // It may have ended at once.
    if (isIdle(session)) end();
  });
}

function isIdle(session: Session): boolean {
  return session.isClosed || session.transcript.view.activity.state === 'idle';
}
