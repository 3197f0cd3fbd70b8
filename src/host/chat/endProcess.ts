import * as l10n from '@vscode/l10n';
import type { Session } from '../../session/session';
import { isAtWork } from '../../shared/transcript/lateWork';
import { askModal } from '../ui/notifications';

/** Where the sessions of the same process are found. */
interface SharedProcesses {
  readonly sessions: readonly Session[];
  runningAgentOf(session: Session): object | undefined;
}

/** Ends the process of a session's agent. If other sessions work with the same process, the user reads which, and decides. */
export async function endProcess(pool: SharedProcesses, session: Session): Promise<void> {
  const process = pool.runningAgentOf(session);
  const others = pool.sessions.filter(
    (one) =>
      one !== session && process !== undefined && pool.runningAgentOf(one) === process && isAtWork(one.transcript.view),
  );
  if (others.length > 0) {
    const { agentName, place = 'here' } = session.transcript.view;
    const question =
      others.length === 1
        ? l10n.t('{0} also works in another session. Stop it there, too?', agentName)
        : l10n.t('{0} also works in {1} other sessions. Stop it there, too?', agentName, others.length);
    const detail = others.map(({ transcript }) => transcript.view.title || l10n.t('New session')).join('\n');
    const end = place === 'here' ? l10n.t('End Process') : l10n.t('Disconnect');
    if ((await askModal(question, { detail, items: [end] })) !== end) return;
    // Meanwhile, another process may have taken its place.
    if (pool.runningAgentOf(session) !== process) return;
  }
  session.endProcess();
}
