import * as l10n from '@vscode/l10n';
import type { SessionKey } from '../../shared/values/ids';
import { messageOf } from '../../shared/values/messageOf';
import { manageTrust } from '../agents/trust';
import { archivedWithoutAgent, archiveSession } from './archiveSession';
import type { KnownSession, KnownSessionServices } from './knownSession';
import { openElsewhere } from './openElsewhere';
import { openStored } from './openStored';
import { pinSession } from './pinSession';
import { renameSession } from './renameSession';
import type { RowActions } from './rowActions';
import type { SessionChoice } from './sessionItems';
import { SessionPicker, type SessionAction } from './sessionPicker';
import type { SessionFeed } from './sessionFeed';
import { openListedSession } from './openListedSession';
import { exportStored } from './exportSession';
import { logInTo } from '../login/logInTo';
import { offerLogin } from '../login/withLogin';
import { showError, showInformation } from '../ui/notifications';

/** Lists the sessions of this workspace: open ones, closed ones, and those that agents store. */
export async function openSession(
  services: KnownSessionServices,
  feed: SessionFeed,
  actions: Pick<RowActions, 'deleteWithNotice'>,
): Promise<void> {
  const { sessions, pool, pages } = services;
  const show = (key: SessionKey) => pages.withPage((page) => page.show(key));

  async function carryOut(wish: SessionAction, choice: SessionChoice): Promise<void> {
    const session = sessionOf(choice);
    if (choice.does === 'trust') return manageTrust();
    if (choice.does === 'logIn') return logInTo(services, choice.spec);
    if (choice.does === 'openElsewhere') return openElsewhere(services.board, choice.session);
    if (!session) return;
    switch (wish) {
      case 'open':
        if (choice.does === 'show') return show(choice.session.key);
        if (choice.does === 'open') return openStored(services, choice.listing);
        if (choice.does === 'openListed') return show(openListedSession(pool, choice.spec, choice.listed).key);
        return;
      case 'rename':
        return renameSession(services, session);
      case 'export':
        if (choice.does === 'open') await exportStored(services, choice.listing.key);
        return;
      case 'pin':
      case 'unpin':
        return pinSession(services, session, wish === 'pin');
      case 'archive':
      case 'unarchive':
        return archive(session, wish === 'archive');
      case 'delete':
        await actions.deleteWithNotice(session);
    }
  }

  async function archive(session: KnownSession, isArchived: boolean): Promise<void> {
    const { key, agentId, agentName, title } = session;
    const ending = isArchived && key !== undefined ? [key] : [];
    const ends = await services.worktrees.beforeEnd(ending, 'archive');
    if (!ends) return;
    const ask = await archiveSession(services, session, isArchived);
    await services.worktrees.end(ends, ending);
    const notYet = archivedWithoutAgent(agentName, title, isArchived);
    if (ask) await offerLogin(services, { agentId, agentName, title: notYet }, ask);
    else void showInformation(isArchived ? l10n.t('Archived “{0}”.', title) : l10n.t('Unarchived “{0}”.', title));
  }

  await sessions.flush();
  await Promise.all([sessions.look(), services.board.look()]);
  new SessionPicker({ ...services, feed }, (wish, choice) => {
    carryOut(wish, choice)
      .catch((error: unknown) => showError(messageOf(error)))
      .finally(() => feed.changed(sessionOf(choice)));
  });
}

/** Returns the session of an entry, if it has one. */
function sessionOf(choice: SessionChoice): KnownSession | undefined {
  if (choice.does === 'open') {
    const { title, agentId, agentName, key, sessionId = '' } = choice.listing;
    return { key, agentId, agentName, sessionId, title };
  }
  if (choice.does === 'show') {
    const { key, transcript } = choice.session;
    const { agentId, agentName, sessionId, title } = transcript.view;
    return { key, agentId, agentName, sessionId, title };
  }
  if (choice.does !== 'openListed') return undefined;
  const { spec, listed } = choice;
  const { sessionId, title } = listed;
  return { agentId: spec.id, agentName: spec.name, sessionId, title: title === '' ? sessionId : title };
}
