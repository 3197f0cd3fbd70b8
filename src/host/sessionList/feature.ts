import { messageOf } from '../../shared/messageOf';
import { commandTable } from '../base/feature';
import { forkSession } from '../sessions/forkSession';
import { showWarning } from '../ui/notifications';
import { deleteSession } from './deleteSession';
import { exportTranscript } from './exportSession';
import type { KnownSession, KnownSessionServices } from './knownSession';
import { openSession } from './openSession';
import { renameSession } from './renameSession';

/** The list of sessions, and what can be done with the session used last. */
export function sessionListFeature(needs: KnownSessionServices) {
  const { pool, pages } = needs;

  /** Shows the open session that is so many places after the active one, in the order of the tabs. */
  const step = async (by: 1 | -1) => {
    const { sessions } = pool;
    const shown = pages.activeSession;
    // From the last session, the next one is the first. From the start page, it is the first or the last one.
    const at = shown ? sessions.indexOf(shown) : by === 1 ? -1 : 0;
    const session = sessions[(at + by + sessions.length) % sessions.length];
    if (!session) return;
    await pages.withPage((page) => {
      page.show(session.key);
      page.post({ type: 'focusComposer' });
    });
  };

  const known = (): KnownSession | undefined => {
    const session = pages.activeSession;
    if (!session) return undefined;
    const { agentId, agentName, sessionId, title } = session.transcript.view;
    return { key: session.key, agentId, agentName, sessionId, title };
  };

  const fork = async () => {
    const session = pages.activeSession;
    if (!session) return;
    try {
      const { key } = forkSession(pool, session);
      await pages.withPage((page) => page.show(key));
    } catch (error) {
      void showWarning(messageOf(error));
    }
  };

  const commands = commandTable({
    'parley.openSession': () => openSession(needs),
    'parley.nextSession': () => step(1),
    'parley.previousSession': () => step(-1),
    'parley.closeSession': () => pages.activeSession?.close(),
    'parley.renameSession': async () => {
      const session = known();
      if (session) await renameSession(needs, session);
    },
    'parley.deleteSession': async () => {
      const session = known();
      if (session) await deleteSession(needs, session);
    },
    'parley.forkSession': fork,
    'parley.exportSession': async (format) => {
      const session = pages.activeSession;
      if (session) await exportTranscript(session.transcript, format);
    },
  });
  return { commands };
}
